import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches, IsNotEmpty, MaxLength, MinLength } from 'class-validator';
import { MissingMessage, say } from '../../../platform/http/reading/validation.js';
import { EmailRule, Trimmed, EmailField } from '../../../platform/http/reading/fields.js';
import { FirstNameRule, LastNameRule, NewPasswordRule, UsernameRule } from './profile-rules.dto.js';

const noVerificationCode = say('Verification code required', 'Doğrulama kodu gerekli');

export class SendVerificationDto {
  /** Email address to which the 6-digit code is sent. */
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

  /** Letters, digits and underscores; stored in lower case. */
  @ApiProperty({ minLength: 3, maxLength: 30 })
  @UsernameRule()
  username: string;

  /** The 6 digits from the email. */
  @ApiProperty({ pattern: '^\\d{6}$' })
  @Trimmed()
  @Matches(/^\d{6}$/, say('Verification code must be 6 digits', 'Doğrulama kodu 6 haneli olmalıdır'))
  @IsNotEmpty(noVerificationCode)
  @IsString(noVerificationCode)
  verificationCode: string;
}

export class LoginDto {
  @EmailField()
  @MaxLength(255, say('Email is too long', 'E-posta çok uzun'))
  @IsNotEmpty(say('Email is required', 'E-posta zorunludur'))
  @IsString(say('Email is required', 'E-posta zorunludur'))
  email: string;

  @IsString(say('Password must be at least 6 characters', 'Parola en az 6 karakter olmalıdır'))
  @MaxLength(200, say('Password is too long', 'Parola çok uzun'))
  @MinLength(6, say('Password must be at least 6 characters', 'Parola en az 6 karakter olmalıdır'))
  password: string;
}

@MissingMessage('Please fill in all required fields', 'Lütfen tüm zorunlu alanları doldurun')
export class CompleteProfileDto {
  /** Must be the signed-in user's email address. */
  @ApiProperty({ format: 'email', maxLength: 255 })
  @EmailRule()
  email: string;

  @ApiProperty({ minLength: 1, maxLength: 50 })
  @FirstNameRule()
  firstName: string;

  @ApiProperty({ minLength: 1, maxLength: 50 })
  @LastNameRule()
  lastName: string;

  /** Letters, digits and underscores; stored in lower case. */
  @ApiProperty({ minLength: 3, maxLength: 30 })
  @UsernameRule('Username too long')
  username: string;

  @ApiProperty({ minLength: 8, maxLength: 200 })
  @NewPasswordRule('Password must be at least 8 characters long')
  newPassword: string;
}
