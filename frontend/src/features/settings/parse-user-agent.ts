/** What a user agent string says about the device. */
export interface Device {
  browser: string | null;
  os: string | null;
  /** Phone or tablet. */
  isMobile: boolean;
  /** Not a browser, but an API client or tool. */
  isApiClient: boolean;
}

// The first match counts: most browsers also name the ones they are based on.
const browserPatterns: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/YaBrowser\//, 'Yandex Browser'],
  [/Vivaldi\//, 'Vivaldi'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/(Headless)?Chrom(e|ium)\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

const osPatterns: [RegExp, string][] = [
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];

const firstMatch = (patterns: [RegExp, string][], text: string) =>
  patterns.find(([pattern]) => pattern.test(text))?.[1] ?? null;

/** Parses the `User-Agent` of a session; unknown parts are null. */
export function parseUserAgent(userAgent: string | null): Device {
  const text = userAgent ?? '';
  const browser = firstMatch(browserPatterns, text);
  const os = firstMatch(osPatterns, text);
  const isMobile = /iPhone|iPod|iPad|Android|Mobile/.test(text);
  return { browser, os, isMobile, isApiClient: text !== '' && !text.startsWith('Mozilla/') };
}
