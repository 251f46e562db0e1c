import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { EmailRule, Trimmed } from '../../../platform/http/reading/fields.js';
import { say } from '../../../platform/http/reading/validation.js';
import { NextPathRule } from '../shared/next-path.js';

const noLink = say('Invalid sign-in link', 'Geçersiz giriş bağlantısı');
const sixDigits = say('The code has 6 digits', 'Kod 6 hanelidir');

export class SignInMailDto {
  /** Address of the account. The answer is the same when there is none. */
  @ApiProperty({ format: 'email', maxLength: 255 })
  @EmailRule()
  email: string;

  /** Path of our page to which the mailed link leads on. */
  @ApiPropertyOptional({ maxLength: 500 })
  @IsOptional()
  @NextPathRule()
  next?: string;
}

export class SignInCodeDto {
  @ApiProperty({ format: 'email', maxLength: 255 })
  @EmailRule()
  email: string;

  /** The 6 digits from the mail. */
  @ApiProperty({ pattern: '^\\d{6}$' })
  @Trimmed()
  @Matches(/^\d{6}$/, sixDigits)
  @IsString(sixDigits)
  code: string;
}

export class SignInLinkDto {
  /** The `token` parameter of the mailed link. */
  @ApiProperty({ maxLength: 200 })
  @IsString(noLink)
  @MaxLength(200, noLink)
  @IsNotEmpty(noLink)
  token: string;
}

export class SignInLinkStateDto {
  /** False for an unknown, used or expired link, all alike. */
  usable: boolean;
}
