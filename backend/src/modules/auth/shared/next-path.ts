import { applyDecorators } from '@nestjs/common';
import { Matches, MaxLength } from 'class-validator';
import { localized } from '../../../platform/http/parsing/validation.js';

const foreignPathMessage = localized("This isn't a page of this site", 'Bu, bu sitenin bir sayfası değil');

/** DTO field that is a path of our own page, to go to after signing in. */
export const NextPathRule = () =>
  applyDecorators(MaxLength(500, foreignPathMessage), Matches(/^\/(?![/\\])[^\\\p{Cc}\p{Cs}]*$/u, foreignPathMessage));

/**
 * The whole address of a path of ours. Whole, because what browsers make of a path alone (`/.//other.example`) can lead
 * to another site.
 */
export function toAbsoluteUrl(appUrl: string, path: string): string {
  const url = new URL(path, `${appUrl}/`);
  return url.origin === new URL(appUrl).origin ? url.href : `${appUrl}/`;
}
