/** Returns all time zones that the browser knows, as IANA names, including `alwaysIncluded`. */
export function listTimeZones(alwaysIncluded: string | null): string[] {
  const supportedZones = Intl.supportedValuesOf('timeZone');
  return alwaysIncluded && !supportedZones.includes(alwaysIncluded)
    ? [alwaysIncluded, ...supportedZones]
    : supportedZones;
}

/** Returns the browser's time zone. */
export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Splits `Europe/Istanbul` into the place "Istanbul" and the region before it. */
export function splitTimeZone(zone: string): { place: string; region: string } {
  const parts = zone.replaceAll('_', ' ').split('/');
  return { place: parts.slice(1).join(', ') || parts[0]!, region: parts[0]! };
}

/** Creating a format takes a quarter of a millisecond, and there are more than 400 zones. */
const offsetFormatCache = new Map<string, Intl.DateTimeFormat>();

function getOffsetFormat(zone: string): Intl.DateTimeFormat {
  const cached = offsetFormatCache.get(zone);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'shortOffset' });
  offsetFormatCache.set(zone, format);
  return format;
}

/** Returns the UTC offset of a zone at the given time: "GMT+3". */
export function getUtcOffset(zone: string, date: Date): string {
  const parts = getOffsetFormat(zone).formatToParts(date);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
