import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { IsString, Matches, MaxLength } from 'class-validator';
import { Optional, Trimmed } from '../../../platform/http/reading/fields.js';
import { say } from '../../../platform/http/reading/validation.js';
import { IsAuthentication } from '../passkeys/dto/passkeys.dto.js';
import type { ConfirmationWay } from './confirmation.service.js';

const noPassword = say('Please enter your password', 'Lütfen parolanızı girin');
const noCode = say('Please enter the 6 digits', 'Lütfen 6 rakamı girin');

/** One of the fields. */
export class ConfirmDto {
  @ApiPropertyOptional({ maxLength: 200 })
  @Optional()
  @IsString(noPassword)
  @MaxLength(200, say('Password is too long', 'Parola çok uzun'))
  password?: string;

  /** Six digits from the authenticator app or, without one, from the email. */
  @ApiPropertyOptional({ pattern: '^\\d{6}$' })
  @Optional()
  @Trimmed()
  @IsString(noCode)
  @Matches(/^\d{6}$/, noCode)
  code?: string;

  /** AuthenticationResponseJSON of WebAuthn. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @Optional()
  @IsAuthentication()
  passkey?: AuthenticationResponseJSON;
}

export class ConfirmationWaysDto {
  /** Ways to confirm the identity, the quickest first. */
  @ApiProperty({ enum: ['passkey', 'totp', 'password', 'mail'], isArray: true })
  ways: ConfirmationWay[];
}

export class ConfirmedDto {
  /** Until when the session may perform protected actions. */
  confirmedUntil: Date;
}
