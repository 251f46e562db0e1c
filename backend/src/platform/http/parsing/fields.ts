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

/** Marks that no eye sees and that copying from a web page or a list of contacts brings along. */
const INVISIBLE_CHARACTERS = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** A domain as people read it. */
const READABLE_DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;

/** An address as somebody wrote it, with unseen marks and all; what is longer is none, and is left as it is. */
const MAX_NORMALISED_LENGTH = 1000;

/**
 * Addresses are kept and compared in lower case, without spaces around them and without unseen marks, so that one
 * mailbox is one address. A Turkish keyboard makes İ of i, whose lower case would be an i with a second dot.
 */
export function normaliseEmail(value: string): string {
  if (value.length > MAX_NORMALISED_LENGTH) return value;
  const written = toNfc(value.replace(INVISIBLE_CHARACTERS, '').trim(), MAX_NORMALISED_LENGTH);
  const lower = written.replaceAll('İ', 'i').toLowerCase().replaceAll('i\u0307', 'i');
  return lower.includes('xn--') ? withReadableDomain(lower) : lower;
}

/** The form that browsers and mail programs send (`xn--…`) and the one that people write are the same domain. */
function withReadableDomain(address: string): string {
  const domainAt = address.lastIndexOf('@') + 1;
  const domain = domainToUnicode(address.slice(domainAt));
  return READABLE_DOMAIN.test(domain) ? address.slice(0, domainAt) + domain : address;
}

/** DTO field that is brought to the form in which addresses are kept. */
export const NormaliseEmail = () =>
  Transform(({ value }) => (typeof value === 'string' ? normaliseEmail(value) : value));

/** DTO field of text that programs may send as a whole number: identifiers of other systems. */
export const NumberToString = () => Transform(({ value }) => (Number.isSafeInteger(value) ? String(value) : value));

/** Text of which something can be seen: not only spaces, and not only marks that no eye sees. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** DTO field without spaces at its ends; what nobody could see becomes empty. */
export const Trim = () =>
  Transform(({ value }) => (typeof value === 'string' ? (VISIBLE.test(value) ? value.trim() : '') : value));

/**
 * DTO field of one line that others read, also in mails: no line breaks, no other control characters, and nothing that
 * turns the direction of what follows.
 */
export const OneLine = () =>
  Matches(
    /^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u,
    localized(
      'Please enter this on one line, without control characters',
      'Lütfen tek satırda, kontrol karakteri olmadan girin',
    ),
  );

/** DTO field that stands in subjects of mails, where mail programs make links of addresses: names of people and zones. */
export const NoUrl = () =>
  ValidateBy(
    { name: 'noPageAddress', validator: { validate: (value) => typeof value !== 'string' || !containsUrl(value) } },
    localized("A name can't contain a web address.", 'Ad, bir web adresi içeremez.'),
  );

/** DTO field that may be left out; a null is not the same and is judged by the other rules. */
export const OptionalField = () => ValidateIf((_: unknown, value: unknown) => value !== undefined);

/** Filter of a list by one of some values. Omit it, or pass null or `all`, for all of them. */
export const IsOneOf = (values: readonly string[], message: ReturnType<typeof localized>) =>
  applyDecorators(
    Transform(({ value }) => (value === 'all' ? undefined : value)),
    IsOptional(),
    IsIn(values, message),
    ApiProperty({ enum: [...values, 'all'], required: false }),
  );

/** DTO field in its composed form, so that one word is the same from every keyboard. Its length is a rule of its own. */
export const NormaliseToNfc = () =>
  Transform(({ value }) => (typeof value === 'string' ? toNfc(value, MAX_NORMALISED_LENGTH) : value));

/** DTO field in lower case without spaces at its ends: user names. */
export const LowerCase = () =>
  Transform(({ value }) => (typeof value === 'string' ? value.trim().toLowerCase() : value));

/**
 * Characters by which one address could be read as several, or as a name beside one, and those that stand where a text
 * was broken.
 */
const PLAIN_ADDRESS = /^[^"\s<>,;\0\p{Cs}\ufffd]*$/u;
const MAX_EMAIL_LENGTH = 255;

/** The rule of `IsEmailAddress` for addresses of a list, where each has an answer of its own. Asks the kept form. */
export function isValidEmail(value: string): boolean {
  return value.length <= MAX_EMAIL_LENGTH && PLAIN_ADDRESS.test(value) && isEmail(value);
}

/** DTO field that must be an address. */
export const IsEmailAddress = () =>
  applyDecorators(
    NormaliseEmail(),
    IsNotEmpty(localized('Email is required', 'E-posta zorunludur')),
    IsEmail({}, localized('Please enter a valid email address', 'Lütfen geçerli bir e-posta adresi girin')),
    Matches(PLAIN_ADDRESS, localized('Please enter a valid email address', 'Lütfen geçerli bir e-posta adresi girin')),
    MaxLength(MAX_EMAIL_LENGTH, localized('Email is too long', 'E-posta çok uzun')),
  );
