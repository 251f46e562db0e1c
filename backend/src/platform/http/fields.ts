import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsEmail, IsNotEmpty, Matches, MaxLength } from 'class-validator';
import { say } from './validation.js';

/** Addresses are kept and compared in lower case, without spaces around them. */
export function normaliseEmail(value: string): string {
  return value.trim().normalize('NFC').toLowerCase();
}

/** DTO field that is brought to the form in which addresses are kept. */
export const EmailField = () => Transform(({ value }) => (typeof value === 'string' ? normaliseEmail(value) : value));

/** DTO field without spaces at its ends. */
export const Trimmed = () => Transform(({ value }) => (typeof value === 'string' ? value.trim() : value));

/** DTO field in lower case without spaces at its ends: user names. */
export const LowerCase = () =>
  Transform(({ value }) => (typeof value === 'string' ? value.trim().toLowerCase() : value));

/** DTO field that must be an address. */
export const EmailRule = () =>
  applyDecorators(
    EmailField(),
    IsNotEmpty(say('Email is required', 'E-posta zorunludur')),
    IsEmail({}, say('Please enter a valid email address', 'Lütfen geçerli bir e-posta adresi girin')),
    Matches(/^[^"\s<>,;]*$/, say('Please enter a valid email address', 'Lütfen geçerli bir e-posta adresi girin')),
    MaxLength(255, say('Email is too long', 'E-posta çok uzun')),
  );
