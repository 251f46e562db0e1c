import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsNotEmpty, IsOptional, IsString, Matches, MaxLength, MinLength } from 'class-validator';
import { languages, type Language } from '../../../platform/errors/app-error.js';
import { LowerCase, NoUrl, OneLine, OptionalField, Trim } from '../../../platform/http/parsing/fields.js';
import { IsTimeZoneName } from '../../../platform/http/parsing/time-zone.dto.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import { CurrentUserDto } from './current-user.dto.js';

/** 3 to 30 letters, digits, underscores and dashes; stored in lower case. */
const SettingsUsernameRule = () =>
  applyDecorators(
    LowerCase(),
    IsString(localized('Username must be at least 3 characters', 'Kullanıcı adı en az 3 karakter olmalıdır')),
    Matches(
      /^[a-z0-9_-]*$/,
      localized(
        'Username can only contain letters, numbers, underscores, and dashes',
        'Kullanıcı adı yalnızca harf, rakam, alt çizgi ve tire içerebilir',
      ),
    ),
    MaxLength(30, localized('Username cannot exceed 30 characters', 'Kullanıcı adı 30 karakteri geçemez')),
    MinLength(3, localized('Username must be at least 3 characters', 'Kullanıcı adı en az 3 karakter olmalıdır')),
  );

export class UpdateProfileDto {
  /** Omit to keep it, like all fields here. */
  @ApiPropertyOptional({ minLength: 1, maxLength: 50 })
  @OptionalField()
  @Trim()
  @NoUrl()
  @OneLine()
  @MaxLength(50, localized('First name too long', 'Ad çok uzun'))
  @IsNotEmpty(localized('Name is required', 'Ad zorunludur'))
  @IsString(localized('Name is required', 'Ad zorunludur'))
  firstName?: string;

  /** "." or empty for people with a single name; omit to keep it. */
  @ApiPropertyOptional({ maxLength: 50 })
  @IsOptional()
  @Trim()
  @NoUrl()
  @OneLine()
  @MaxLength(50, localized('Last name too long', 'Soyad çok uzun'))
  @IsString(localized('Last name must be text', 'Soyad bir metin olmalıdır'))
  lastName?: string;

  /** Letters, digits, underscores and dashes; stored in lower case. Omit to keep it. */
  @ApiPropertyOptional({ minLength: 3, maxLength: 30 })
  @IsOptional()
  @SettingsUsernameRule()
  username?: string;

  /** Language of the page and of emails; omit to keep it. */
  @ApiPropertyOptional({ enum: languages })
  @IsOptional()
  @IsIn(languages, localized('Please choose English or Turkish.', 'Lütfen İngilizce veya Türkçe seçin.'))
  language?: Language;

  /** IANA name, such as Europe/Istanbul; null for none, omit to keep it. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 60 })
  @IsOptional()
  @IsTimeZoneName()
  timeZone?: string | null;

  /** Shown in the footer of campaigns; null or empty for none, omit to keep it. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 500 })
  @IsOptional()
  @Transform(({ value }) => (typeof value === 'string' ? value.trim() || null : value))
  @IsString(localized('The postal address is too long.', 'Posta adresi çok uzun.'))
  @MaxLength(500, localized('The postal address is too long.', 'Posta adresi çok uzun.'))
  postalAddress?: string | null;

  /** Whether to send an email when someone accepts your invitation; omit to keep it. */
  @ApiPropertyOptional()
  @IsOptional()
  @IsBoolean(localized('This must be true or false', 'Bu değer true veya false olmalıdır'))
  notifyAcceptedInvitations?: boolean;

  /** Whether to send an email about your suggestions; omit to keep it. */
  @ApiPropertyOptional()
  @IsOptional()
  @IsBoolean(localized('This must be true or false', 'Bu değer true veya false olmalıdır'))
  notifySuggestions?: boolean;

  /** Whether to send a daily summary by email, for administrators only; omit to keep it. */
  @ApiPropertyOptional()
  @IsOptional()
  @IsBoolean(localized('This must be true or false', 'Bu değer true veya false olmalıdır'))
  notifyAdministration?: boolean;
}

export class ProfileAnswerDto {
  user: CurrentUserDto;
}

export class PictureDto {
  /** URL of the picture, 256 × 256 pixels. A new picture has a new URL. */
  profileImageUrl: string;
}

export class DeleteAccountDto {
  /** The current password. Not needed within ten minutes after a confirmation. */
  @ApiPropertyOptional({ maxLength: 200 })
  @OptionalField()
  @MaxLength(200, localized('Password is too long', 'Parola çok uzun'))
  @IsString(localized('Please enter your password.', 'Lütfen parolanızı girin.'))
  password?: string;
}
