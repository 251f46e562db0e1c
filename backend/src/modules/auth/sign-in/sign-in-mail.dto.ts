import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { EmailRule, Trimmed } from '../../../platform/http/reading/fields.js';
import { say } from '../../../platform/http/reading/validation.js';
import { NextPathRule } from '../shared/next-path.js';

const noLink = say('Invalid sign-in link', 'Geçersiz giriş bağlantısı');
const sixDigits = say('The code must have 6 digits', 'Kod 6 haneli olmalıdır');

export class SignInMailDto {
  /** Email address of the account. The response is the same if there is no account. */
  @ApiProperty({ format: 'email', maxLength: 255 })
  @EmailRule()
  email: string;

  /** Path on this site to open after signing in with the link. */
  @ApiPropertyOptional({ maxLength: 500 })
  @IsOptional()
  @NextPathRule()
  next?: string;
}

export class SignInCodeDto {
  @ApiProperty({ format: 'email', maxLength: 255 })
  @EmailRule()
  email: string;

  /** The 6 digits from the email. */
  @ApiProperty({ pattern: '^\\d{6}$' })
  @Trimmed()
  @Matches(/^\d{6}$/, sixDigits)
  @IsString(sixDigits)
  code: string;
}

export class SignInLinkDto {
  /** The `token` parameter of the emailed link. */
  @ApiProperty({ maxLength: 200 })
  @IsString(noLink)
  @MaxLength(200, noLink)
  @IsNotEmpty(noLink)
  token: string;
}

export class SignInLinkStateDto {
  /** False for an unknown, used or expired link. */
  usable: boolean;
}
