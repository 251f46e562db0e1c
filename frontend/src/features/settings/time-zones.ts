/** Every time zone that this browser knows, as IANA names, with `also` among them. */
export function listTimeZones(alwaysIncluded: string | null): string[] {
  const supportedZones = Intl.supportedValuesOf('timeZone');
  return alwaysIncluded && !supportedZones.includes(alwaysIncluded)
    ? [alwaysIncluded, ...supportedZones]
    : supportedZones;
}

/** The time zone of this browser. */
export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `Europe/Istanbul` as "Istanbul", with what stands before it as its group. */
export function splitTimeZone(zone: string): { place: string; region: string } {
  const parts = zone.replaceAll('_', ' ').split('/');
  return { place: parts.slice(1).join(', ') || parts[0]!, region: parts[0]! };
}

/** Each costs a quarter of a millisecond to make, and there are more than 400 of them. */
const offsetFormatCache = new Map<string, Intl.DateTimeFormat>();

function getOffsetFormat(zone: string): Intl.DateTimeFormat {
  const cached = offsetFormatCache.get(zone);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'shortOffset' });
  offsetFormatCache.set(zone, format);
  return format;
}

/** How far a zone is from Greenwich at the given time: "GMT+3". */
export function getUtcOffset(zone: string, date: Date): string {
  const parts = getOffsetFormat(zone).formatToParts(date);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
