import type { Language, LocalizedText } from '../../../platform/errors/app-error.js';

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

const unknownBrowserLabel: LocalizedText = { en: 'an unknown browser', tr: 'bilinmeyen bir tarayıcı' };

/**
 * Returns a browser's name, such as "Firefox, Windows". The header itself is never shown, because it can contain
 * anything.
 */
export function toBrowserName(userAgent: string | null | undefined): string | null {
  const names = [findName(BROWSERS, userAgent ?? ''), findName(SYSTEMS, userAgent ?? '')].filter(
    (name) => name !== null,
  );
  return names.join(', ') || null;
}

/** Returns a browser's name in the user's language. */
export const toBrowserLabel = (userAgent: string | null | undefined, language: Language): string =>
  toBrowserName(userAgent) ?? unknownBrowserLabel[language];

/** Who requested an email, as stored in its job. Administrators see jobs, so it contains no network. */
export interface RequestOrigin {
  /** Distinguishes requesters, see `RequesterFingerprintService`. */
  readonly asker: string;
  /** ISO 3166 two-letter code; null if unknown. */
  readonly country: string | null;
  /** Its name, such as "Firefox, Windows"; null if unknown. */
  readonly browser: string | null;
  /** Time of the request (ISO 8601). Absent in jobs of older versions. */
  readonly at?: string;
}

interface EmailRecipient {
  readonly language: Language;
  /** IANA name; UTC if unknown. */
  readonly timeZone?: string | null;
}

/** Describes when, from where and with which browser something was requested, as a line for an email. */
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

/** Includes the time zone: the email may be read in another one, or the recipient's may be unknown. */
const formatTime = (at: Date, timeZone: string | null | undefined): string =>
  new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: timeZone ?? 'UTC',
    timeZoneName: 'shortOffset',
  })
    .format(at)
    .replace(/GMT\+0$/, 'UTC');

/** Describes a new browser for the notification email: name, network and time. */
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
