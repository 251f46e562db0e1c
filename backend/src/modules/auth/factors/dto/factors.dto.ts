import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import { Trimmed } from '../../../../platform/http/reading/fields.js';
import { say } from '../../../../platform/http/reading/validation.js';

const noCode = say('Please enter the 6 digits', 'Lütfen 6 rakamı girin');

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
  /** The newest last. */
  @ApiProperty({ type: [PasskeyDto] })
  passkeys: PasskeyDto[];
  /** Whether this installation asks the person to have one. */
  required: boolean;
}

export class NewAuthenticatorDto {
  /** For typing, in base32. Shown this once. */
  secret: string;
  /** The same as an otpauth: address, for a QR code. */
  uri: string;
}

export class ConfirmAuthenticatorDto {
  /** Six digits that the app shows. */
  @ApiProperty({ pattern: '^\\d{6}$' })
  @Trimmed()
  @IsString(noCode)
  @Matches(/^\d{6}$/, noCode)
  code: string;
}

export class RecoveryCodesDto {
  /** Shown this once; each stands in for the factor once. Empty when the person has codes already. */
  recoveryCodes: string[];
}
