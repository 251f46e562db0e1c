import type { Sentence } from '../../platform/errors/app-error.js';

const WALL = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d))?$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)$/;

export const notATime: Sentence = {
  en: 'Invalid date/time selected. Please check your inputs.',
  tr: 'Geçersiz tarih/saat seçildi. Lütfen girdilerinizi kontrol edin.',
};

/**
 * The instant that a schedule means. With an offset or Z it is that instant; without, it is what a clock in the zone
 * shows: a time that daylight saving leaves out comes an hour later, one that comes twice is the first.
 * @param timeZone an IANA name
 * @returns null when it is no date and time
 */
export function scheduledInstant(text: string, timeZone: string): Date | null {
  if (INSTANT.test(text)) return valid(new Date(text));
  const [, year, month, day, hour, minute, second = '0'] = WALL.exec(text) ?? [];
  if (year === undefined) return null;
  const fields = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const wall = Date.UTC(fields[0], fields[1] - 1, ...(fields.slice(2) as [number, number, number, number]));
  const back = new Date(wall);
  const isReal = back.getUTCMonth() === fields[1] - 1 && back.getUTCDate() === fields[2] && fields[3] < 24;
  if (!isReal || fields[4] > 59 || fields[5] > 59) return null;
  // The offsets on both sides of a change; in a gap neither fits, and the one before it leads to the time after.
  const before = offset(wall - 24 * 3_600_000, timeZone);
  const later = offset(wall + 24 * 3_600_000, timeZone);
  const candidates = [wall - before, wall - later].filter((at) => at + offset(at, timeZone) === wall);
  return new Date(candidates.length > 0 ? Math.min(...candidates) : wall - before);
}

function valid(date: Date): Date | null {
  return Number.isNaN(date.getTime()) ? null : date;
}

/** How far a clock in the zone is ahead of UTC at an instant, in milliseconds. */
function offset(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const shown = Date.UTC(parts.year!, parts.month! - 1, parts.day!, parts.hour!, parts.minute!, parts.second!);
  return shown - Math.floor(at / 1000) * 1000;
}
