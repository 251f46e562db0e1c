import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { EmailRule } from '../../../platform/http/reading/fields.js';
import { say } from '../../../platform/http/reading/validation.js';
import { NewPasswordRule } from './profile-rules.dto.js';

const noToken = say('Invalid Reset Link', 'Geçersiz sıfırlama bağlantısı');
const tooLong = say('Password is too long', 'Parola çok uzun');

export class ForgotPasswordDto {
  /** Email address of the account. The response is the same if there is no account. */
  @ApiProperty({ format: 'email', maxLength: 255 })
  @EmailRule()
  email: string;
}

export class CheckResetLinkDto {
  /** The `token` parameter of the emailed link. */
  @ApiProperty({ maxLength: 200 })
  @IsString(noToken)
  @MaxLength(200, noToken)
  @IsNotEmpty(noToken)
  token: string;
}

export class ResetLinkDto {
  /** False for an unknown, used or expired link. */
  usable: boolean;

  /** True if the account has no password yet, because the link came with an invitation. */
  isFirst: boolean;
}

export class ResetPasswordDto extends CheckResetLinkDto {
  @ApiProperty({ minLength: 8, maxLength: 200 })
  @NewPasswordRule()
  password: string;
}

export class ChangePasswordDto {
  /** Must be the signed-in user's email address. */
  @ApiProperty({ format: 'email', maxLength: 255 })
  @EmailRule()
  email: string;

  /** The current password. Omitted without one: in a restricted session, or after a confirmation. */
  @ApiPropertyOptional({ maxLength: 200 })
  @IsOptional()
  @IsString(tooLong)
  @MaxLength(200, tooLong)
  currentPassword?: string;

  @ApiProperty({ minLength: 8, maxLength: 200 })
  @NewPasswordRule()
  newPassword: string;
}

/** A word of the form as far as it is typed; it is compared, not kept. */
const Typed = (most: number): PropertyDecorator => {
  const tooLong = say('This text is too long.', 'Bu metin çok uzun.');
  const rules = [ApiPropertyOptional({ maxLength: most }), IsOptional(), IsString(tooLong), MaxLength(most, tooLong)];
  return (target, key) => rules.forEach((rule) => rule(target, key));
};

export class CheckPasswordDto {
  @ApiProperty({ minLength: 8, maxLength: 200 })
  @NewPasswordRule()
  password: string;

  /** Email address, names and username of the account. Passwords made of them are rejected. */
  @Typed(255)
  email?: string;

  @Typed(50)
  firstName?: string;

  @Typed(50)
  lastName?: string;

  @Typed(30)
  username?: string;
}

export class PasswordVerdictDto {
  /** Whether the password is accepted. */
  ok: boolean;

  /** Why the password isn't accepted; null if it is. */
  @ApiProperty({ type: String, nullable: true })
  message: string | null;
}
