import { ApiProperty } from '@nestjs/swagger';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { say } from '../../../platform/http/validation.js';

const missing = say('Please enter your password.', 'Lütfen parolanızı girin.');

export class DeleteAccountDto {
  /** The present password. */
  @ApiProperty({ maxLength: 200 })
  @MaxLength(200, say('Password is too long', 'Parola çok uzun'))
  @IsNotEmpty(missing)
  @IsString(missing)
  password: string;
}
