import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { EmailRule, Optional } from '../../../../platform/http/reading/fields.js';
import { say } from '../../../../platform/http/reading/validation.js';

const noToken = say('Invalid link', 'Geçersiz bağlantı');

export class AskEmailChangeDto {
  /** The new email address. The response is the same if it already has an account. */
  @ApiProperty({ format: 'email', maxLength: 255 })
  @EmailRule()
  email: string;

  /** The current password. Not needed within ten minutes after a confirmation. */
  @ApiPropertyOptional({ maxLength: 200 })
  @Optional()
  @MaxLength(200, say('Password is too long', 'Parola çok uzun'))
  @IsString(say('Please enter your password', 'Lütfen parolanızı girin'))
  password?: string;
}

export class EmailLinkDto {
  /** The `token` parameter of the emailed link. */
  @ApiProperty({ maxLength: 200 })
  @IsString(noToken)
  @MaxLength(200, noToken)
  @IsNotEmpty(noToken)
  token: string;
}

export class EmailLinkStateDto {
  /** The email address that the link sets; null for an unknown, used or expired link. */
  email: string | null;
}
