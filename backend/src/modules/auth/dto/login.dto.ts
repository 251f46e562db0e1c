import { IsNotEmpty, IsString, MaxLength, MinLength } from 'class-validator';
import { say } from '../../../platform/http/validation.js';
import { EmailField } from '../../../platform/http/fields.js';

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
