import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { IsEmailAddress, OptionalField } from '../../../../platform/http/parsing/fields.js';
import { localized } from '../../../../platform/http/parsing/validation.js';

const tokenMessage = localized('Invalid link', 'Geçersiz bağlantı');

export class AskEmailChangeDto {
  /** The new email address. The response is the same if it already has an account. */
  @ApiProperty({ format: 'email', maxLength: 255 })
  @IsEmailAddress()
  email: string;

  /** The current password. Not needed within ten minutes after a confirmation. */
  @ApiPropertyOptional({ maxLength: 200 })
  @OptionalField()
  @MaxLength(200, localized('Password is too long', 'Parola çok uzun'))
  @IsString(localized('Please enter your password', 'Lütfen parolanızı girin'))
  password?: string;
}

export class EmailLinkDto {
  /** The `token` parameter of the emailed link. */
  @ApiProperty({ maxLength: 200 })
  @IsString(tokenMessage)
  @MaxLength(200, tokenMessage)
  @IsNotEmpty(tokenMessage)
  token: string;
}

export class EmailLinkStateDto {
  /** The email address that the link sets; null for an unknown, used or expired link. */
  email: string | null;
}
