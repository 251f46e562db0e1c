import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { IsEmailAddress } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import { NewPasswordRule } from './profile-rules.dto.js';

const tokenMessage = localized('Invalid Reset Link', 'Geçersiz sıfırlama bağlantısı');
const tooLongMessage = localized('Password is too long', 'Parola çok uzun');

export class ForgotPasswordDto {
  /** Email address of the account. The response is the same if there is no account. */
  @ApiProperty({ format: 'email', maxLength: 255 })
  @IsEmailAddress()
  email: string;
}

export class CheckResetLinkDto {
  /** The `token` parameter of the emailed link. */
  @ApiProperty({ maxLength: 200 })
  @IsString(tokenMessage)
  @MaxLength(200, tokenMessage)
  @IsNotEmpty(tokenMessage)
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
  @IsEmailAddress()
  email: string;

  /** The current password. Omitted without one: in a restricted session, or after a confirmation. */
  @ApiPropertyOptional({ maxLength: 200 })
  @IsOptional()
  @IsString(tooLongMessage)
  @MaxLength(200, tooLongMessage)
  currentPassword?: string;

  @ApiProperty({ minLength: 8, maxLength: 200 })
  @NewPasswordRule()
  newPassword: string;
}

/** Another field of the form, possibly incomplete. Compared with the password and not stored. */
const OptionalText = (maxLength: number): PropertyDecorator => {
  const tooLong = localized('This text is too long.', 'Bu metin çok uzun.');
  const rules = [
    ApiPropertyOptional({ maxLength: maxLength }),
    IsOptional(),
    IsString(tooLong),
    MaxLength(maxLength, tooLong),
  ];
  return (target, key) => rules.forEach((rule) => rule(target, key));
};

export class CheckPasswordDto {
  @ApiProperty({ minLength: 8, maxLength: 200 })
  @NewPasswordRule()
  password: string;

  /** Email address, names and username of the account. Passwords made of them are rejected. */
  @OptionalText(255)
  email?: string;

  @OptionalText(50)
  firstName?: string;

  @OptionalText(50)
  lastName?: string;

  @OptionalText(30)
  username?: string;
}

export class PasswordVerdictDto {
  /** Whether the password is accepted. */
  ok: boolean;

  /** Why the password isn't accepted; null if it is. */
  @ApiProperty({ type: String, nullable: true })
  message: string | null;
}
