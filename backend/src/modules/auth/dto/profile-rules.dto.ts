import { applyDecorators } from '@nestjs/common';
import { IsNotEmpty, IsString, Matches, MaxLength, MinLength } from 'class-validator';
import { say } from '../../../platform/http/reading/validation.js';
import { LowerCase, NoPageAddress, OneLine, Trimmed } from '../../../platform/http/reading/fields.js';

/** The rules of the fields that several account forms share, with the sentences of their forms. */

/** A password being set: 8 to 200 characters, with the sentence that the form uses for the lower bound. */
export const NewPasswordRule = (tooShort = 'Password must be at least 8 characters') =>
  applyDecorators(
    IsString(say(tooShort, 'Parola en az 8 karakter olmalıdır')),
    MaxLength(200, say('Password is too long', 'Parola çok uzun')),
    MinLength(8, say(tooShort, 'Parola en az 8 karakter olmalıdır')),
  );

export const FirstNameRule = () =>
  applyDecorators(
    Trimmed(),
    IsString(say('First name is required', 'Ad zorunludur')),
    MaxLength(50, say('First name too long', 'Ad çok uzun')),
    OneLine(),
    IsNotEmpty(say('First name is required', 'Ad zorunludur')),
    NoPageAddress(),
  );

export const LastNameRule = () =>
  applyDecorators(
    Trimmed(),
    IsString(say('Last name is required', 'Soyad zorunludur')),
    MaxLength(50, say('Last name too long', 'Soyad çok uzun')),
    OneLine(),
    IsNotEmpty(say('Last name is required', 'Soyad zorunludur')),
    NoPageAddress(),
  );

/** 3 to 30 letters, digits and underscores, kept in lower case. */
export const UsernameRule = (tooLong = 'Username cannot exceed 30 characters') =>
  applyDecorators(
    LowerCase(),
    IsString(say('Username must be at least 3 characters', 'Kullanıcı adı en az 3 karakter olmalıdır')),
    Matches(
      /^[a-z0-9_]*$/,
      say(
        'Username can only contain letters, numbers, and underscores',
        'Kullanıcı adı yalnızca harf, rakam ve alt çizgi içerebilir',
      ),
    ),
    MaxLength(30, say(tooLong, 'Kullanıcı adı 30 karakteri geçemez')),
    MinLength(3, say('Username must be at least 3 characters', 'Kullanıcı adı en az 3 karakter olmalıdır')),
  );
