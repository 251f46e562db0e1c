import { applyDecorators } from '@nestjs/common';
import { IsNotEmpty, IsString, Matches, MaxLength, MinLength } from 'class-validator';
import { localized } from '../../../platform/http/parsing/validation.js';
import { LowerCase, NoUrl, OneLine, Trim } from '../../../platform/http/parsing/fields.js';

// Validation rules shared by several account forms.

/**
 * A new password of 8 to 200 characters.
 *
 * @param tooShort English message for shorter passwords
 */
export const NewPasswordRule = (tooShort = 'Password must be at least 8 characters') =>
  applyDecorators(
    IsString(localized(tooShort, 'Parola en az 8 karakter olmalıdır')),
    MaxLength(200, localized('Password is too long', 'Parola çok uzun')),
    MinLength(8, localized(tooShort, 'Parola en az 8 karakter olmalıdır')),
  );

export const FirstNameRule = () =>
  applyDecorators(
    Trim(),
    IsString(localized('First name is required', 'Ad zorunludur')),
    MaxLength(50, localized('First name too long', 'Ad çok uzun')),
    OneLine(),
    IsNotEmpty(localized('First name is required', 'Ad zorunludur')),
    NoUrl(),
  );

export const LastNameRule = () =>
  applyDecorators(
    Trim(),
    IsString(localized('Last name is required', 'Soyad zorunludur')),
    MaxLength(50, localized('Last name too long', 'Soyad çok uzun')),
    OneLine(),
    IsNotEmpty(localized('Last name is required', 'Soyad zorunludur')),
    NoUrl(),
  );

/**
 * 3 to 30 letters, digits and underscores; stored in lower case.
 *
 * @param tooLong English message for longer usernames
 */
export const UsernameRule = (tooLong = 'Username cannot exceed 30 characters') =>
  applyDecorators(
    LowerCase(),
    IsString(localized('Username must be at least 3 characters', 'Kullanıcı adı en az 3 karakter olmalıdır')),
    Matches(
      /^[a-z0-9_]*$/,
      localized(
        'Username can only contain letters, numbers, and underscores',
        'Kullanıcı adı yalnızca harf, rakam ve alt çizgi içerebilir',
      ),
    ),
    MaxLength(30, localized(tooLong, 'Kullanıcı adı 30 karakteri geçemez')),
    MinLength(3, localized('Username must be at least 3 characters', 'Kullanıcı adı en az 3 karakter olmalıdır')),
  );
