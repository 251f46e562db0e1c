/** Durations of a link in hours, from a minute to a year. */
export const durations = [0.0167, 0.0833, 0.1667, 0.5, 1, 24, 48, 72, 168, 336, 720, 1440, 2160, 4320, 8760] as const;
export const defaultDuration = 48;

/** Selectable UTC offsets. */
export const offsets = [
  ...Array.from({ length: 18 }, (_, index) => formatOffset(index - 12)),
  '+05:30',
  ...Array.from({ length: 7 }, (_, index) => formatOffset(index + 6)),
];
export const defaultOffset = '+03:00';

function formatOffset(hours: number): string {
  return `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`;
}

/** Converts a duration to a number and a unit: minutes below an hour, days above a day. */
export function toDurationUnit(hours: number): { count: number; unit: 'minutes' | 'hours' | 'days' } {
  if (hours < 1) return { count: Math.round(hours * 60), unit: 'minutes' };
  return hours < 24 ? { count: hours, unit: 'hours' } : { count: hours / 24, unit: 'days' };
}

/**
 * Returns the ISO timestamp, including the offset, of a date ("2026-05-01"), a time ("12:30") and a UTC offset; null if
 * the date or time doesn't exist.
 */
export function toInstant(date: string, time: string, offset: string): string | null {
  const wall = new Date(`${date}T${time}:00Z`);
  if (Number.isNaN(wall.getTime()) || wall.toISOString().slice(0, 16) !== `${date}T${time}`) return null;
  return `${date}T${time}:00${offset}`;
}

/** Returns the date of an instant in a time zone: "2026-05-01". */
export function dateInTimeZone(instant: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    instant,
  );
}

interface DailyCounts {
  readonly date: string;
  readonly attempts: number;
  readonly joins: number;
}

const DAY_MS = 86_400_000;

/** Returns each of the last 30 days, oldest first, with zeros for days without activity. */
export function fillMissingDays(days: readonly DailyCounts[], now: number, timeZone: string): DailyCounts[] {
  const dayByDate = new Map(days.map((day) => [day.date, day]));
  const today = Date.parse(`${dateInTimeZone(now, timeZone)}T00:00:00Z`);
  return Array.from({ length: 30 }, (_, index) => {
    const date = new Date(today - (29 - index) * DAY_MS).toISOString().slice(0, 10);
    return dayByDate.get(date) ?? { date, attempts: 0, joins: 0 };
  });
}
