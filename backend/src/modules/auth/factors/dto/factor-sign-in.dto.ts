import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { IsString, Matches, MaxLength, MinLength } from 'class-validator';
import { Optional, Trimmed } from '../../../../platform/http/reading/fields.js';
import { say } from '../../../../platform/http/reading/validation.js';
import { IsAuthentication } from '../../passkeys/dto/passkeys.dto.js';
import type { FactorKind } from '../factor-checker.service.js';

const noCode = say('Please enter the 6 digits', 'Lütfen 6 rakamı girin');
const noRecoveryCode = say('Please enter a recovery code', 'Lütfen bir kurtarma kodu girin');

/** One of the fields. */
export class FactorSignInDto {
  /** Six digits from the authenticator app. */
  @ApiPropertyOptional({ pattern: '^\\d{6}$' })
  @Optional()
  @Trimmed()
  @IsString(noCode)
  @Matches(/^\d{6}$/, noCode)
  code?: string;

  /** A recovery code, with or without its dash. */
  @ApiPropertyOptional({ minLength: 8, maxLength: 40 })
  @Optional()
  @Trimmed()
  @IsString(noRecoveryCode)
  @MinLength(8, noRecoveryCode)
  @MaxLength(40, noRecoveryCode)
  recoveryCode?: string;

  /** AuthenticationResponseJSON of WebAuthn. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @Optional()
  @IsAuthentication()
  passkey?: AuthenticationResponseJSON;
}

/** A second factor is asked for at `POST /api/login/factor`. */
export class FactorRequiredDto {
  @ApiProperty({ type: Boolean, enum: [true] })
  requiresFactor: true;
  /** Second factors to choose from, the quickest first. */
  @ApiProperty({ enum: ['passkey', 'totp', 'recovery'], isArray: true })
  factors: FactorKind[];
}
