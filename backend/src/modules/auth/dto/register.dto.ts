import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches, IsNotEmpty, MaxLength, MinLength } from 'class-validator';
import { MissingMessage, localized } from '../../../platform/http/parsing/validation.js';
import { IsEmailAddress, Trim, NormaliseEmail } from '../../../platform/http/parsing/fields.js';
import { FirstNameRule, LastNameRule, NewPasswordRule, UsernameRule } from './profile-rules.dto.js';

const codeMessage = localized('Verification code required', 'Doğrulama kodu gerekli');

export class SendVerificationDto {
  /** Email address to which the 6-digit code is sent. */
  @ApiProperty({ format: 'email', maxLength: 255 })
  @IsEmailAddress()
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
  @Trim()
  @Matches(/^\d{6}$/, localized('Verification code must be 6 digits', 'Doğrulama kodu 6 haneli olmalıdır'))
  @IsNotEmpty(codeMessage)
  @IsString(codeMessage)
  verificationCode: string;
}

export class LoginDto {
  @NormaliseEmail()
  @MaxLength(255, localized('Email is too long', 'E-posta çok uzun'))
  @IsNotEmpty(localized('Email is required', 'E-posta zorunludur'))
  @IsString(localized('Email is required', 'E-posta zorunludur'))
  email: string;

  @IsString(localized('Password must be at least 6 characters', 'Parola en az 6 karakter olmalıdır'))
  @MaxLength(200, localized('Password is too long', 'Parola çok uzun'))
  @MinLength(6, localized('Password must be at least 6 characters', 'Parola en az 6 karakter olmalıdır'))
  password: string;
}

@MissingMessage('Please fill in all required fields', 'Lütfen tüm zorunlu alanları doldurun')
export class CompleteProfileDto {
  /** Must be the signed-in user's email address. */
  @ApiProperty({ format: 'email', maxLength: 255 })
  @IsEmailAddress()
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
