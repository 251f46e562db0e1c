import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import { say } from '../../../platform/http/validation.js';
import { EmailRule, Trimmed } from '../../../platform/http/fields.js';
import { FirstNameRule, LastNameRule, NewPasswordRule, UsernameRule } from './profile-rules.dto.js';

export class SendVerificationDto {
  /** Address to which the 6-digit code goes. */
  @ApiProperty({ format: 'email', maxLength: 255 })
  @EmailRule()
  email: string;
}

export class RegisterDto extends SendVerificationDto {
  @ApiProperty({ minLength: 8, maxLength: 200 })
  @NewPasswordRule()
  password: string;

  @ApiProperty({ minLength: 1, maxLength: 50 })
  @FirstNameRule()
  firstName: string;

  @ApiProperty({ minLength: 1, maxLength: 50 })
  @LastNameRule()
  lastName: string;

  /** Letters, digits and underscores; kept in lower case. */
  @ApiProperty({ minLength: 3, maxLength: 30 })
  @UsernameRule()
  username: string;

  /** The 6 digits from the mail. */
  @ApiProperty({ pattern: '^\\d{6}$' })
  @Trimmed()
  @IsString(say('Verification code required', 'Doğrulama kodu gerekli'))
  @Matches(/^\d{6}$/, say('Verification code must be 6 digits', 'Doğrulama kodu 6 haneli olmalıdır'))
  verificationCode: string;
}
