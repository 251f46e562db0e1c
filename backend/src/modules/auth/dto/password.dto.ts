import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { EmailRule } from '../../../platform/http/reading/fields.js';
import { say } from '../../../platform/http/reading/validation.js';
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

  /** True where the account has no password yet: the link came with an invitation. */
  isFirst: boolean;
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

  /** The present password. Left out by who has none: in a restricted session, or after a confirmation. */
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

  /** Address, names and user name that are going to stand beside it: a password made of them is refused. */
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
  /** Whether it would be taken. */
  ok: boolean;

  /** Why not; null when it would be. */
  @ApiProperty({ type: String, nullable: true })
  message: string | null;
}
