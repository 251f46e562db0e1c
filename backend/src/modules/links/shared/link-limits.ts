import { addMilliseconds, DAY, MINUTE } from '../../../platform/clock/clock.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';

/** Longest allowed lifetime of a link; anything beyond is probably a mistake. */
const MAX_LIFETIME = 3660 * DAY;

interface ExpiryFields {
  /** Date and time with offset. */
  readonly expiresAt?: string;
  readonly expiresInHours?: number;
}

/**
 * Returns when a link ends, or null if neither field is set.
 * @throws VALIDATION_FAILED if both are set, or the end is not in the future
 */
export function parseLinkExpiry({ expiresAt, expiresInHours }: ExpiryFields, now: Date): Date | null {
  if (expiresAt !== undefined && expiresInHours !== undefined) throw invalidTime('expiresInHours');
  if (expiresInHours !== undefined) return addMilliseconds(now, Math.round(expiresInHours * 60) * MINUTE);
  if (expiresAt === undefined) return null;
  const end = new Date(expiresAt);
  const lifetime = end.getTime() - now.getTime();
  if (!(lifetime > 0 && lifetime <= MAX_LIFETIME)) throw invalidTime('expiresAt');
  return end;
}

export const invalidTime = (field: 'expiresAt' | 'expiresInHours') =>
  fieldError(field, {
    en: 'Invalid date/time selected. Please check your inputs.',
    tr: 'Geçersiz tarih/saat seçildi. Lütfen girdilerinizi kontrol edin.',
  });

export const tooFewUses = (used: number) =>
  fieldError('maxUses', {
    en: `This link has already been used ${used} times.`,
    tr: `Bu bağlantı zaten ${used} kez kullanıldı.`,
  });
