import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsString, Matches, MaxLength, ValidateIf } from 'class-validator';
import { OptionalField, Trim } from '../../../../platform/http/parsing/fields.js';
import { localized } from '../../../../platform/http/parsing/validation.js';
import { NextPathRule } from '../../shared/next-path.js';

export class BeginSignInDto {
  /** Path to open after signing in. Default: the start page. */
  @ApiPropertyOptional({ maxLength: 500, example: '/zones' })
  @OptionalField()
  @NextPathRule()
  next?: string;
}

export class BegunSignInDto {
  /** URL at the provider to open in the browser. */
  @ApiProperty({ format: 'uri' })
  url: string;
}

export class PendingLinkDto {
  /** The email address shared by the account and the identity. */
  email: string;
  /** Name of the provider. */
  provider: string;
  /** Whether the account's password can confirm it; an emailed code always can. */
  byPassword: boolean;
}

const oneOfMessage = localized(
  'Please enter your password or the code from the email',
  'Lütfen parolanızı veya e-postadaki kodu girin',
);

/** Either the account's password or the emailed code. */
export class ConfirmLinkDto {
  @ApiPropertyOptional({ maxLength: 200 })
  @ValidateIf(({ code, password }: ConfirmLinkDto) => password !== undefined || code === undefined)
  @IsString(oneOfMessage)
  @MaxLength(200, localized('Password is too long', 'Parola çok uzun'))
  @IsNotEmpty(oneOfMessage)
  password?: string;

  /** The 6 digits from the email. */
  @ApiPropertyOptional({ pattern: '^\\d{6}$' })
  @OptionalField()
  @Trim()
  @IsString(oneOfMessage)
  @Matches(/^\d{6}$/, localized('Verification code must be 6 digits', 'Doğrulama kodu 6 haneli olmalıdır'))
  code?: string;
}

export class LinkedIdentityDto {
  id: number;
  /** Name of the provider, or its URL if it's no longer configured. */
  provider: string;
  /** The email address last reported by the provider. */
  email: string;
  createdAt: Date;
  lastUsedAt: Date;
}
