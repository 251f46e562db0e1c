import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { EmailRule } from '../../../platform/http/fields.js';
import { say } from '../../../platform/http/validation.js';
import { NewPasswordRule } from './profile-rules.dto.js';

const noToken = say('Invalid Reset Link', 'Geçersiz sıfırlama bağlantısı');
const tooLong = say('Password is too long', 'Parola çok uzun');

export class ForgotPasswordDto {
  /** Address of the account. The answer is the same when there is none. */
  @ApiProperty({ format: 'email', maxLength: 255 })
  @EmailRule()
  email: string;
}

export class CheckResetLinkDto {
  /** The `token` parameter of the mailed link. */
  @ApiProperty({ maxLength: 200 })
  @IsString(noToken)
  @MaxLength(200, noToken)
  @IsNotEmpty(noToken)
  token: string;
}

export class ResetLinkDto {
  /** False for an unknown, used or expired link, all alike. */
  usable: boolean;
}

export class ResetPasswordDto extends CheckResetLinkDto {
  @ApiProperty({ minLength: 8, maxLength: 200 })
  @NewPasswordRule()
  password: string;
}

export class ChangePasswordDto {
  /** Must be the address of the session: the session decides whose password it is. */
  @ApiProperty({ format: 'email', maxLength: 255 })
  @EmailRule()
  email: string;

  /** The present password. Left out in a restricted session only: its person has none of their own. */
  @ApiPropertyOptional({ maxLength: 200 })
  @IsOptional()
  @IsString(tooLong)
  @MaxLength(200, tooLong)
  currentPassword?: string;

  @ApiProperty({ minLength: 8, maxLength: 200 })
  @NewPasswordRule()
  newPassword: string;
}
