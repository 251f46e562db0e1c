/** Returns the local date and time in a time zone: `{date: '2026-05-01', time: '12:30'}`. */
export function toLocalDateTime(timeZone: string, instant: number): { date: string; time: string } {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  return { date: `${parts.year}-${parts.month}-${parts.day}`, time: `${parts.hour}:${parts.minute}` };
}

/** Whether the date and the time exist. */
export function isValidDateTime(date: string, time: string): boolean {
  const parsed = new Date(`${date}T${time}:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(`${date}T${time}`);
}

/** Returns all time zones that the browser knows, including `own`. */
export function timeZonesIncluding(own: string): string[] {
  const known = Intl.supportedValuesOf('timeZone');
  return known.includes(own) ? known : [own, ...known];
}
