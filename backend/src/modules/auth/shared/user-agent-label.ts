import type { Language, Sentence } from '../../../platform/errors/app-error.js';

const BROWSERS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];
const SYSTEMS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

const findName = (patterns: readonly (readonly [string, RegExp])[], text: string) =>
  patterns.find(([, sign]) => sign.test(text))?.[0] ?? null;

const unknownBrowserLabel: Sentence = { en: 'an unknown browser', tr: 'bilinmeyen bir tarayıcı' };

/** The name of a browser, such as "Firefox, Windows". What it says of itself is not repeated: anybody can say anything. */
export function toBrowserName(userAgent: string | null | undefined): string | null {
  const names = [findName(BROWSERS, userAgent ?? ''), findName(SYSTEMS, userAgent ?? '')].filter(
    (name) => name !== null,
  );
  return names.join(', ') || null;
}

/** A browser in words. */
export const toBrowserLabel = (userAgent: string | null | undefined, language: Language): string =>
  toBrowserName(userAgent) ?? unknownBrowserLabel[language];

/** Who asked for a mail, as the job that writes it keeps it. Administrators see jobs: it names no network. */
export interface RequestOrigin {
  /** Tells askers apart, see `Askers`. */
  readonly asker: string;
  /** Two letters (ISO 3166); null when it is not known. */
  readonly country: string | null;
  /** Its name, such as "Firefox, Windows"; null when it is not known. */
  readonly browser: string | null;
  /** When (ISO 8601). Jobs of before do not have it. */
  readonly at?: string;
}

/** Whose clock and language a line is for. */
interface EmailRecipient {
  readonly language: Language;
  /** IANA name; UTC when it is not known. */
  readonly timeZone?: string | null;
}

/** When, from where and with what something was asked, as a line for a mail. */
export function formatRequestOrigin(
  origin: RequestOrigin | undefined,
  { language, timeZone }: EmailRecipient,
): string | null {
  if (!origin) return null;
  const time = origin.at && formatTime(new Date(origin.at), timeZone);
  const country = origin.country && new Intl.DisplayNames(language, { type: 'region' }).of(origin.country);
  const browser = origin.browser ?? unknownBrowserLabel[language];
  return {
    en: `Requested${time ? ` at ${time}` : ''} from ${country || 'an unknown location'}, with ${browser.replace(', ', ' on ')}.`,
    tr: `${time ? `İstek saati: ${time}. ` : ''}Konum: ${country || 'bilinmiyor'}. Tarayıcı: ${browser}.`,
  }[language];
}

/** A time of the day and whose it is: the mail may be read in another zone, or its reader's may not be known. */
const formatTime = (at: Date, timeZone: string | null | undefined): string =>
  new Intl.DateTimeFormat('en-GB', {
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    ...{ timeZone: timeZone ?? 'UTC', timeZoneName: 'shortOffset' },
  })
    .format(at)
    .replace(/GMT\+0$/, 'UTC');

/** A browser that was new, for the mail that tells of it: what it is, from where, and when. */
export function formatDevice(
  device: { readonly userAgent?: string | null; readonly network?: string | null; readonly firstSeenAt: Date },
  language: Language,
): string {
  const browser = toBrowserLabel(device.userAgent, language);
  const time = `${device.firstSeenAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const network = device.network ?? { en: 'unknown', tr: 'bilinmiyor' }[language];
  return {
    en: `Browser: ${browser}. Network address: ${network}. Time: ${time}.`,
    tr: `Tarayıcı: ${browser}. Ağ adresi: ${network}. Zaman: ${time}.`,
  }[language];
}
