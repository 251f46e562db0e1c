/** Every time zone that this browser knows, as IANA names, with `also` among them. */
export function timeZones(also: string | null): string[] {
  const known = Intl.supportedValuesOf('timeZone');
  return also && !known.includes(also) ? [also, ...known] : known;
}

/** The time zone of this browser. */
export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `Europe/Istanbul` as "Istanbul", with what stands before it as its group. */
export function wordsOf(zone: string): { place: string; region: string } {
  const parts = zone.replaceAll('_', ' ').split('/');
  return { place: parts.slice(1).join(', ') || parts[0]!, region: parts[0]! };
}

/** Each costs a quarter of a millisecond to make, and there are more than 400 of them. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'shortOffset' });
  formats.set(zone, made);
  return made;
}

/** How far a zone is from Greenwich at the given time: "GMT+3". */
export function offsetOf(zone: string, at: Date): string {
  const parts = formatOf(zone).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
