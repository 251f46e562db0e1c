import { applyDecorators } from '@nestjs/common';
import { Matches, MaxLength } from 'class-validator';
import { localized } from '../../../platform/http/parsing/validation.js';

const foreignPathMessage = localized("This isn't a page of this site", 'Bu, bu sitenin bir sayfası değil');

/** DTO field for a path of this site to redirect to after sign-in. */
export const NextPathRule = () =>
  applyDecorators(MaxLength(500, foreignPathMessage), Matches(/^\/(?![/\\])[^\\\p{Cc}\p{Cs}]*$/u, foreignPathMessage));

/**
 * Returns the absolute URL of a path of this site. Absolute, because browsers can interpret some paths
 * (`/.//other.example`) as another site.
 */
export function toAbsoluteUrl(appUrl: string, path: string): string {
  const url = new URL(path, `${appUrl}/`);
  return url.origin === new URL(appUrl).origin ? url.href : `${appUrl}/`;
}
