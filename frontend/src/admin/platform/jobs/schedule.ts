type Schedule =
  | { kind: 'minutes'; count: number }
  | { kind: 'hourly' | 'daily'; time: string }
  | { kind: 'weekly'; time: string; weekday: number };

const pad = (text: string) => text.padStart(2, '0');

/** Parses the cron expressions that our jobs use; null for others. Times are in UTC, as `02:17` or, hourly, `:17`. */
export function parseSchedule(cron: string): Schedule | null {
  const everyMinutes = /^\*(?:\/(\d+))? \* \* \* \*$/.exec(cron);
  if (everyMinutes) return { kind: 'minutes', count: Number(everyMinutes[1] ?? 1) };
  const [, minute, hour, weekday] = /^(\d+) (\d+|\*) \* \* (\d|\*)$/.exec(cron) ?? [];
  if (minute === undefined || hour === undefined) return null;
  if (hour === '*') return weekday === '*' ? { kind: 'hourly', time: `:${pad(minute)}` } : null;
  const time = `${pad(hour)}:${pad(minute)}`;
  return weekday === '*' ? { kind: 'daily', time } : { kind: 'weekly', time, weekday: Number(weekday) };
}
