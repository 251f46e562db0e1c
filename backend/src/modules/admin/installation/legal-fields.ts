import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, IsString, Matches, MaxLength, MinLength, ValidateBy } from 'class-validator';
import { parseWebAddress } from '../../../platform/config/parsers.js';
import { Trim } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';

const ADDRESS_LENGTH = 500;
const TEXT_LENGTH = 50_000;

/** Returns the normalised URL of a page; null for anything else. */
function toPageUrl(value: unknown): string | null {
  try {
    return typeof value === 'string' ? parseWebAddress(value.trim()) : null;
  } catch {
    // The validation rule has its own localised message.
    return null;
  }
}

/** DTO field for an external page. Omitted: unchanged; null: the text stored here is used instead. */
export const LegalUrl = () =>
  applyDecorators(
    ApiPropertyOptional({ type: String, nullable: true, maxLength: ADDRESS_LENGTH }),
    IsOptional(),
    Transform(({ value }: { value: unknown }) => toPageUrl(value) ?? value),
    MaxLength(ADDRESS_LENGTH, localized('Please enter at most 500 characters', 'Lütfen en fazla 500 karakter girin')),
    ValidateBy(
      { name: 'isPageAddress', validator: { validate: (value) => toPageUrl(value) !== null } },
      localized(
        'Please enter the full address of the page, such as https://example.com/terms',
        'Lütfen sayfanın tam adresini girin; örneğin https://example.com/terms',
      ),
    ),
  );

/**
 * DTO field for a text with paragraphs. It is shown as written, so invisible and bidirectional control characters are
 * rejected. Omitted: unchanged; null: deleted.
 */
export const LegalText = () =>
  applyDecorators(
    ApiPropertyOptional({ type: String, nullable: true, minLength: 1, maxLength: TEXT_LENGTH }),
    IsOptional(),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : value)),
    Trim(),
    Matches(
      /^(?:[\n\t]|[^\p{Cc}\u202a-\u202e\u2066-\u2069])*$/u,
      localized('Please enter this without control characters', 'Lütfen kontrol karakteri olmadan girin'),
    ),
    MaxLength(
      TEXT_LENGTH,
      localized('Please enter at most 50,000 characters', 'Lütfen en fazla 50.000 karakter girin'),
    ),
    MinLength(1, localized('Please write a text', 'Lütfen bir metin yazın')),
    IsString(localized('Please write a text', 'Lütfen bir metin yazın')),
  );
