export type Expiry = { kind: 'never' | 'expired' | 'today' | 'tomorrow' } | { kind: 'days'; days: number };
export type ExpiryTone = 'neutral' | 'accent' | 'danger';

const URGENT_DAYS = 3;
const SOON_DAYS = 7;

/**
 * Returns the remaining time of a membership in calendar days of the viewer: one that ends at 23:59 today expires
 * today, even if that is a minute away.
 */
export function getExpiry(expiresAt: string | null, now: number): Expiry {
  if (expiresAt === null) return { kind: 'never' };
  const end = new Date(expiresAt);
  if (end.getTime() <= now) return { kind: 'expired' };
  const days = Math.round((startOfDay(end) - startOfDay(new Date(now))) / 86_400_000);
  if (days === 0) return { kind: 'today' };
  return days === 1 ? { kind: 'tomorrow' } : { kind: 'days', days };
}

/** Red when it has expired or has up to three days left, blue up to seven, neutral otherwise. */
export function getExpiryTone(expiry: Expiry): ExpiryTone {
  if (expiry.kind === 'never') return 'neutral';
  if (expiry.kind !== 'days' || expiry.days <= URGENT_DAYS) return 'danger';
  return expiry.days <= SOON_DAYS ? 'accent' : 'neutral';
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
