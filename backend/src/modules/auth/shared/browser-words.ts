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

const findIn = (list: readonly (readonly [string, RegExp])[], text: string) =>
  list.find(([, sign]) => sign.test(text))?.[0] ?? null;

const unknownBrowser: Sentence = { en: 'a program that is not known', tr: 'bilinmeyen bir program' };

/** The name of a browser, such as "Firefox, Windows". What it says of itself is not repeated: anybody can say anything. */
export function browserName(userAgent: string | null | undefined): string | null {
  const names = [findIn(BROWSERS, userAgent ?? ''), findIn(SYSTEMS, userAgent ?? '')].filter((name) => name !== null);
  return names.join(', ') || null;
}

/** A browser in words. */
export const browserInWords = (userAgent: string | null | undefined, language: Language): string =>
  browserName(userAgent) ?? unknownBrowser[language];

/** Who asked for a mail, as the job that writes it keeps it. Administrators see jobs: it names no network. */
export interface Asked {
  /** Tells askers apart, see `Askers`. */
  readonly asker: string;
  /** Two letters (ISO 3166); null when it is not known. */
  readonly country: string | null;
  /** Its name, such as "Firefox, Windows"; null when it is not known. */
  readonly browser: string | null;
}

/** From where something was asked, as a line for a mail. */
export function originInWords(asked: Asked | undefined, language: Language): string | null {
  if (!asked) return null;
  const browser = asked.browser ?? unknownBrowser[language];
  const country = asked.country && new Intl.DisplayNames(language, { type: 'region' }).of(asked.country);
  if (!country) {
    return {
      en: `It was asked for from a place that is not known, with ${browser}.`,
      tr: `İsteğin nereden geldiği bilinmiyor (${browser}).`,
    }[language];
  }
  return {
    en: `It was asked for from this country: ${country}, with ${browser}.`,
    tr: `İstek şu ülkeden geldi: ${country} (${browser}).`,
  }[language];
}

/** A browser that was new, for the mail that tells of it: what it is, from where, and when. */
export function deviceInWords(
  device: { readonly userAgent?: string | null; readonly network?: string | null; readonly firstSeenAt: Date },
  language: Language,
): string {
  const browser = browserInWords(device.userAgent, language);
  const time = `${device.firstSeenAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const network = device.network ?? { en: 'not known', tr: 'bilinmiyor' }[language];
  return {
    en: `Browser: ${browser}. Network address: ${network}. Time: ${time}.`,
    tr: `Tarayıcı: ${browser}. Ağ adresi: ${network}. Zaman: ${time}.`,
  }[language];
}
