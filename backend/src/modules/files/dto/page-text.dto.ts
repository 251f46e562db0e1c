import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';
import type { PageWord } from '../../../platform/drawing/drawing-protocol.js';
import { Trimmed } from '../../../platform/http/reading/fields.js';
import { say } from '../../../platform/http/reading/validation.js';

const TOO_SHORT = say(
  'Enter at least 3 letters (2 in Chinese, Japanese or Korean).',
  'En az 3 harf girin (Çince, Japonca ve Korecede 2).',
);
/** A word of Chinese, Japanese or Korean often has two characters. */
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
  /** Outside: `http`, `https` or `mailto`. */
  url?: string;
}

export class PageTextDto {
  /**
   * Each word, and x, y, width and height of it in thousandths of the page. The text of the page is these with a space
   * between two; with none after a word that ends in U+00AD, because it goes on in the next line.
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
   * Words that follow each other, without regard to case and accents; I, ı, İ and i are one letter. At least three letters, or
   * two with one of Chinese, Japanese or Korean.
   */
  @Trimmed()
  @IsString(TOO_SHORT)
  @MaxLength(200, say('Search for 200 letters at most.', 'En fazla 200 harf arayın.'))
  @Matches(LONG_ENOUGH, TOO_SHORT)
  @ApiProperty({ minLength: 2, maxLength: 200 })
  q: string;
}

export class TextHitDto {
  /** From 1. */
  page: number;
  /** Where it begins in the text of the page, and how long it is there, in units of UTF-16. */
  from: number;
  length: number;
  /** The words on either side, it included. */
  around: string;
}
