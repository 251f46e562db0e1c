import type { LocalizedText } from './app-error.js';

const units = {
  second: { seconds: 1, tr: 'saniye' },
  minute: { seconds: 60, tr: 'dakika' },
  hour: { seconds: 3600, tr: 'saat' },
  day: { seconds: 86_400, tr: 'gün' },
} as const;

/**
 * Formats a waiting time for people: "in 58 minutes". Always rounds up, so that a retry at that time succeeds.
 * @param seconds from now; values of 0 and less count as 1
 */
export function formatRetryAfter(seconds: number): LocalizedText {
  const wholeSeconds = Math.max(1, Math.ceil(seconds));
  const unit =
    wholeSeconds < 60 ? 'second' : wholeSeconds <= 59 * 60 ? 'minute' : wholeSeconds <= 23 * 3600 ? 'hour' : 'day';
  const count = Math.ceil(wholeSeconds / units[unit].seconds);
  return { en: `in ${count} ${unit}${count === 1 ? '' : 's'}`, tr: `${count} ${units[unit].tr} sonra` };
}

/** Formats the time from `now` to `retryAt`. */
export function formatRetryAt(now: Date, retryAt: Date): LocalizedText {
  return formatRetryAfter((retryAt.getTime() - now.getTime()) / 1000);
}
