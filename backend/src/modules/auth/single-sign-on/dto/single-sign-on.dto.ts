import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsString, Matches, MaxLength, ValidateIf } from 'class-validator';
import { Optional, Trimmed } from '../../../../platform/http/reading/fields.js';
import { say } from '../../../../platform/http/reading/validation.js';
import { NextPathRule } from '../../shared/next-path.js';

export class BeginSignInDto {
  /** Path of the page to go to after signing in; the start page when left out. */
  @ApiPropertyOptional({ maxLength: 500, example: '/zones' })
  @Optional()
  @NextPathRule()
  next?: string;
}

export class BegunSignInDto {
  /** The address at the provider to which the browser goes. */
  @ApiProperty({ format: 'uri' })
  url: string;
}

export class PendingLinkDto {
  /** The address that the account and the identity have in common. */
  email: string;
  /** Name of the provider. */
  provider: string;
  /** Whether the password of the account confirms it; a mailed code always does. */
  byPassword: boolean;
}

const oneOf = say(
  'Please enter your password or the code from the mail',
  'Lütfen parolanızı veya postadaki kodu girin',
);

/** Either the password of the account or the mailed code. */
export class ConfirmLinkDto {
  @ApiPropertyOptional({ maxLength: 200 })
  @ValidateIf(({ code, password }: ConfirmLinkDto) => password !== undefined || code === undefined)
  @IsString(oneOf)
  @MaxLength(200, say('Password is too long', 'Parola çok uzun'))
  @IsNotEmpty(oneOf)
  password?: string;

  /** The 6 digits from the mail. */
  @ApiPropertyOptional({ pattern: '^\\d{6}$' })
  @Optional()
  @Trimmed()
  @IsString(oneOf)
  @Matches(/^\d{6}$/, say('Verification code must be 6 digits', 'Doğrulama kodu 6 haneli olmalıdır'))
  code?: string;
}

export class LinkedIdentityDto {
  id: number;
  /** Name of the provider; its address when it is not the one that is set up now. */
  provider: string;
  /** The address that the provider last told. */
  email: string;
  createdAt: Date;
  lastUsedAt: Date;
}
