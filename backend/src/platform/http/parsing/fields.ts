import { domainToUnicode } from 'node:url';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  IsEmail,
  isEmail,
  IsIn,
  IsNotEmpty,
  IsOptional,
  Matches,
  MaxLength,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { toNfc } from '../../text/unicode-normalisation.js';
import { containsUrl } from '../../text/plain-name.js';
import { localized } from './validation.js';

/** Invisible characters, often copied from web pages or contact lists. */
const INVISIBLE_CHARACTERS = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** A domain in Unicode form. */
const READABLE_DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;

/** Maximum length to normalise, in UTF-16 code units; longer values aren't addresses and are left unchanged. */
const MAX_NORMALISED_LENGTH = 1000;

/**
 * Normalises an email address: lower case, trimmed and without invisible characters, so that one mailbox is one
 * address. On a Turkish keyboard an upper-case i is İ, whose default lower case would be an i with a combining dot.
 */
export function normaliseEmail(value: string): string {
  if (value.length > MAX_NORMALISED_LENGTH) return value;
  const written = toNfc(value.replace(INVISIBLE_CHARACTERS, '').trim(), MAX_NORMALISED_LENGTH);
  const lower = written.replaceAll('İ', 'i').toLowerCase().replaceAll('i\u0307', 'i');
  return lower.includes('xn--') ? withReadableDomain(lower) : lower;
}

/** The form that browsers and email clients send (`xn--…`) and the Unicode form are the same domain. */
function withReadableDomain(address: string): string {
  const domainAt = address.lastIndexOf('@') + 1;
  const domain = domainToUnicode(address.slice(domainAt));
  return READABLE_DOMAIN.test(domain) ? address.slice(0, domainAt) + domain : address;
}

/** DTO field that is normalised as an email address. */
export const NormaliseEmail = () =>
  Transform(({ value }) => (typeof value === 'string' ? normaliseEmail(value) : value));

/** DTO field for text that clients may send as an integer: ids of other systems. */
export const NumberToString = () => Transform(({ value }) => (Number.isSafeInteger(value) ? String(value) : value));

/** Contains at least one visible character. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** DTO field that is trimmed; text without visible characters becomes empty. */
export const Trim = () =>
  Transform(({ value }) => (typeof value === 'string' ? (VISIBLE.test(value) ? value.trim() : '') : value));

/**
 * DTO field of a single line that others see, also in emails: no line breaks, control characters or bidirectional
 * controls.
 */
export const OneLine = () =>
  Matches(
    /^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u,
    localized(
      'Please enter this on one line, without control characters',
      'Lütfen tek satırda, kontrol karakteri olmadan girin',
    ),
  );

/** DTO field that appears in email subjects, where email clients turn URLs into links: names of people and zones. */
export const NoUrl = () =>
  ValidateBy(
    { name: 'noPageAddress', validator: { validate: (value) => typeof value !== 'string' || !containsUrl(value) } },
    localized("A name can't contain a web address.", 'Ad, bir web adresi içeremez.'),
  );

/** Optional DTO field; unlike with `IsOptional`, null is validated by the other rules. */
export const OptionalField = () => ValidateIf((_: unknown, value: unknown) => value !== undefined);

/** Filter of a list by one of several values. Omit it, or pass null or `all`, for all of them. */
export const IsOneOf = (values: readonly string[], message: ReturnType<typeof localized>) =>
  applyDecorators(
    Transform(({ value }) => (value === 'all' ? undefined : value)),
    IsOptional(),
    IsIn(values, message),
    ApiProperty({ enum: [...values, 'all'], required: false }),
  );

/** DTO field that is normalised to NFC, so that input doesn't depend on the keyboard. Doesn't limit the length. */
export const NormaliseToNfc = () =>
  Transform(({ value }) => (typeof value === 'string' ? toNfc(value, MAX_NORMALISED_LENGTH) : value));

/** DTO field in lower case and trimmed: user names. */
export const LowerCase = () =>
  Transform(({ value }) => (typeof value === 'string' ? value.trim().toLowerCase() : value));

/**
 * Excludes characters that could make several addresses or a display name out of one address, and those that indicate
 * broken text.
 */
const PLAIN_ADDRESS = /^[^"\s<>,;\0\p{Cs}\ufffd]*$/u;
const MAX_EMAIL_LENGTH = 255;

/**
 * The rule of `IsEmailAddress` for addresses of a list, where each gets its own result. Expects a normalised address.
 */
export function isValidEmail(value: string): boolean {
  return value.length <= MAX_EMAIL_LENGTH && PLAIN_ADDRESS.test(value) && isEmail(value);
}

/** DTO field that must be an email address. */
export const IsEmailAddress = () =>
  applyDecorators(
    NormaliseEmail(),
    IsNotEmpty(localized('Email is required', 'E-posta zorunludur')),
    IsEmail({}, localized('Please enter a valid email address', 'Lütfen geçerli bir e-posta adresi girin')),
    Matches(PLAIN_ADDRESS, localized('Please enter a valid email address', 'Lütfen geçerli bir e-posta adresi girin')),
    MaxLength(MAX_EMAIL_LENGTH, localized('Email is too long', 'E-posta çok uzun')),
  );
