import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { IsString, Matches, MaxLength, MinLength } from 'class-validator';
import { OptionalField, Trim } from '../../../../platform/http/parsing/fields.js';
import { localized } from '../../../../platform/http/parsing/validation.js';
import { IsPasskeyAuthentication } from '../../passkeys/dto/passkeys.dto.js';
import type { MfaMethod } from '../mfa.repository.js';

const codeMessage = localized('Please enter the 6 digits', 'Lütfen 6 rakamı girin');
const recoveryCodeMessage = localized('Please enter a recovery code', 'Lütfen bir kurtarma kodu girin');

/** Exactly one field is set. */
export class FactorSignInDto {
  /** Six digits from the authenticator app. */
  @ApiPropertyOptional({ pattern: '^\\d{6}$' })
  @OptionalField()
  @Trim()
  @IsString(codeMessage)
  @Matches(/^\d{6}$/, codeMessage)
  code?: string;

  /** A recovery code, with or without its dash. */
  @ApiPropertyOptional({ minLength: 8, maxLength: 40 })
  @OptionalField()
  @Trim()
  @IsString(recoveryCodeMessage)
  @MinLength(8, recoveryCodeMessage)
  @MaxLength(40, recoveryCodeMessage)
  recoveryCode?: string;

  /** AuthenticationResponseJSON of WebAuthn. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @OptionalField()
  @IsPasskeyAuthentication()
  passkey?: AuthenticationResponseJSON;
}

/** The sign-in needs a second factor, sent with `POST /api/login/factor`. */
export class FactorRequiredDto {
  @ApiProperty({ type: Boolean, enum: [true] })
  requiresFactor: true;
  /** Second factors to choose from, the quickest first. */
  @ApiProperty({ enum: ['passkey', 'totp', 'recovery'], isArray: true })
  factors: MfaMethod[];
}
