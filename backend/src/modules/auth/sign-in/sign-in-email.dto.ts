import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { IsEmailAddress, Trim } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import { NextPathRule } from '../shared/next-path.js';

const invalidLinkMessage = localized('Invalid sign-in link', 'Geçersiz giriş bağlantısı');
const codeMessage = localized('The code must have 6 digits', 'Kod 6 haneli olmalıdır');

export class SignInMailDto {
  /** Email address of the account. The response is the same if there is no account. */
  @ApiProperty({ format: 'email', maxLength: 255 })
  @IsEmailAddress()
  email: string;

  /** Path on this site to open after signing in with the link. */
  @ApiPropertyOptional({ maxLength: 500 })
  @IsOptional()
  @NextPathRule()
  next?: string;
}

export class SignInCodeDto {
  @ApiProperty({ format: 'email', maxLength: 255 })
  @IsEmailAddress()
  email: string;

  /** The 6 digits from the email. */
  @ApiProperty({ pattern: '^\\d{6}$' })
  @Trim()
  @Matches(/^\d{6}$/, codeMessage)
  @IsString(codeMessage)
  code: string;
}

export class SignInLinkDto {
  /** The `token` parameter of the emailed link. */
  @ApiProperty({ maxLength: 200 })
  @IsString(invalidLinkMessage)
  @MaxLength(200, invalidLinkMessage)
  @IsNotEmpty(invalidLinkMessage)
  token: string;
}

export class SignInLinkStateDto {
  /** False for an unknown, used or expired link. */
  usable: boolean;
}
