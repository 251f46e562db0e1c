import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';
import type { PageWord } from '../../../platform/rendering/rendering-protocol.js';
import { Trim } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';

const tooShortMessage = localized(
  'Enter at least 3 letters (2 in Chinese, Japanese or Korean).',
  'En az 3 harf girin (Çince, Japonca ve Korecede 2).',
);
/** Words in Chinese, Japanese and Korean often have only two characters. */
const CJK = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`;
const LONG_ENOUGH = new RegExp(`^(?:.{3}|${CJK}.|.${CJK})`, 'su');

export class PageLinkDto {
  /** Thousandths of the page, from its upper left corner. */
  x: number;
  y: number;
  w: number;
  h: number;
  /** Of the same document, from 1. */
  page?: number;
  /** External: `http`, `https` or `mailto`. */
  url?: string;
}

export class PageTextDto {
  /**
   * Each word with its x, y, width and height in thousandths of the page. The page's text is the words joined by
   * spaces, without a space after a word that ends in U+00AD, which continues in the next line.
   */
  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'number' }] }, minItems: 5, maxItems: 5 },
  })
  words: readonly PageWord[];
  @ApiProperty({ type: [PageLinkDto] })
  links: readonly PageLinkDto[];
}

export class TextQueryDto {
  /**
   * The phrase to search for, ignoring case and accents; I, ı, İ and i are the same letter. At least three letters, or
   * two in Chinese, Japanese or Korean.
   */
  @Trim()
  @IsString(tooShortMessage)
  @MaxLength(
    200,
    localized('Please use at most 200 characters to search.', 'Lütfen aramada en fazla 200 karakter kullanın.'),
  )
  @Matches(LONG_ENOUGH, tooShortMessage)
  @ApiProperty({ minLength: 2, maxLength: 200 })
  q: string;
}

export class TextHitDto {
  /** From 1. */
  page: number;
  /** Offset and length in the text of the page, in UTF-16 code units. */
  from: number;
  length: number;
  /** The match with the surrounding words. */
  around: string;
}
