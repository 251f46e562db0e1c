import type { Language } from '../../../platform/errors/app-error.js';

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

/** A browser in words, such as "Firefox, Windows". What it says of itself is not repeated: anybody can say anything. */
export function browserInWords(userAgent: string | null | undefined, language: Language): string {
  const names = [findIn(BROWSERS, userAgent ?? ''), findIn(SYSTEMS, userAgent ?? '')].filter((name) => name !== null);
  return names.join(', ') || { en: 'a program that is not known', tr: 'bilinmeyen bir program' }[language];
}

/** From where something was asked, as a line for a mail. */
export function originInWords(origin: AskedFrom | undefined, language: Language): string | null {
  if (!origin) return null;
  const browser = browserInWords(origin.userAgent, language);
  const place = origin.ipAddress ?? { en: 'not known', tr: 'bilinmiyor' }[language];
  return {
    en: `It was asked for from the network address ${place}, with ${browser}.`,
    tr: `İstek şu ağ adresinden geldi: ${place} (${browser}).`,
  }[language];
}

/** From where somebody asked for a mail; kept with the job that writes it. */
export interface AskedFrom {
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
}

/** What a mail may tell of who asked for it. */
export const askedFrom = ({ ipAddress, userAgent }: AskedFrom): AskedFrom => ({
  ipAddress,
  userAgent: userAgent?.slice(0, 500) ?? null,
});

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
