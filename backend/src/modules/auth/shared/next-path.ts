import { applyDecorators } from '@nestjs/common';
import { Matches, MaxLength } from 'class-validator';
import { say } from '../../../platform/http/reading/validation.js';

const notOurs = say("This isn't a page of this site", 'Bu, bu sitenin bir sayfası değil');

/** DTO field that is a path of our own page, to go to after signing in. */
export const NextPathRule = () =>
  applyDecorators(MaxLength(500, notOurs), Matches(/^\/(?![/\\])[^\\\p{Cc}\p{Cs}]*$/u, notOurs));

/**
 * The whole address of a path of ours. Whole, because what browsers make of a path alone (`/.//other.example`) can lead
 * to another site.
 */
export function addressOf(appUrl: string, path: string): string {
  const url = new URL(path, `${appUrl}/`);
  return url.origin === new URL(appUrl).origin ? url.href : `${appUrl}/`;
}
