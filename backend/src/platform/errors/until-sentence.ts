import type { Sentence } from './app-error.js';

const units = {
  second: { seconds: 1, tr: 'saniye' },
  minute: { seconds: 60, tr: 'dakika' },
  hour: { seconds: 3600, tr: 'saat' },
  day: { seconds: 86_400, tr: 'gün' },
} as const;

/**
 * How long until a moment, for people: "in 58 minutes". Always rounded up, so that it is over when it is said to be.
 * @param seconds from now on; 0 and less count as one
 */
export function waitSentence(seconds: number): Sentence {
  const whole = Math.max(1, Math.ceil(seconds));
  const unit = whole < 60 ? 'second' : whole <= 59 * 60 ? 'minute' : whole <= 23 * 3600 ? 'hour' : 'day';
  const count = Math.ceil(whole / units[unit].seconds);
  return { en: `in ${count} ${unit}${count === 1 ? '' : 's'}`, tr: `${count} ${units[unit].tr} sonra` };
}

/** The same between two moments. */
export function untilSentence(now: Date, then: Date): Sentence {
  return waitSentence((then.getTime() - now.getTime()) / 1000);
}
