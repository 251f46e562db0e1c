import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { IsString, Matches, MaxLength } from 'class-validator';
import { OptionalField, Trim } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import { IsPasskeyAuthentication } from '../passkeys/dto/passkeys.dto.js';
import type { ReauthenticationMethod } from './reauthentication.service.js';

const passwordMessage = localized('Please enter your password', 'Lütfen parolanızı girin');
const codeMessage = localized('Please enter the 6 digits', 'Lütfen 6 rakamı girin');

/** Exactly one field is set. */
export class ConfirmDto {
  @ApiPropertyOptional({ maxLength: 200 })
  @OptionalField()
  @IsString(passwordMessage)
  @MaxLength(200, localized('Password is too long', 'Parola çok uzun'))
  password?: string;

  /** Six digits from the authenticator app or, without one, from the email. */
  @ApiPropertyOptional({ pattern: '^\\d{6}$' })
  @OptionalField()
  @Trim()
  @IsString(codeMessage)
  @Matches(/^\d{6}$/, codeMessage)
  code?: string;

  /** AuthenticationResponseJSON of WebAuthn. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @OptionalField()
  @IsPasskeyAuthentication()
  passkey?: AuthenticationResponseJSON;
}

export class ConfirmationWaysDto {
  /** Ways to confirm the identity, the quickest first. */
  @ApiProperty({ enum: ['passkey', 'totp', 'password', 'mail'], isArray: true })
  ways: ReauthenticationMethod[];
}

export class ConfirmedDto {
  /** Until when the session may perform protected actions. */
  confirmedUntil: Date;
}
