import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import { Trim } from '../../../../platform/http/parsing/fields.js';
import { localized } from '../../../../platform/http/parsing/validation.js';

const codeMessage = localized('Please enter the 6 digits', 'Lütfen 6 rakamı girin');

export class AuthenticatorDto {
  enrolledAt: Date;
}

export class PasskeyDto {
  id: number;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export class FactorsDto {
  /** The authenticator app; null without one. */
  @ApiProperty({ type: AuthenticatorDto, nullable: true })
  authenticator: AuthenticatorDto | null;
  recoveryCodesLeft: number;
  /** Newest last. */
  @ApiProperty({ type: [PasskeyDto] })
  passkeys: PasskeyDto[];
  /** Whether this site requires two-step sign-in for this person. */
  required: boolean;
}

export class NewAuthenticatorDto {
  /** For manual entry, in Base32. Shown only once. */
  secret: string;
  /** The same as an otpauth: URL, for a QR code. */
  uri: string;
}

export class ConfirmAuthenticatorDto {
  /** Six digits from the authenticator app. */
  @ApiProperty({ pattern: '^\\d{6}$' })
  @Trim()
  @IsString(codeMessage)
  @Matches(/^\d{6}$/, codeMessage)
  code: string;
}

export class RecoveryCodesDto {
  /** Shown only once; each code can be used once. Empty if the person already has codes. */
  recoveryCodes: string[];
}
