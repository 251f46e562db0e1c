/** What the words of a browser about itself tell of where it runs. */
export interface Device {
  browser: string | null;
  system: string | null;
  /** Held in the hand. */
  isMobile: boolean;
  /** No browser, but a program that calls the API or a tool. */
  isProgram: boolean;
}

// The first that fits counts: most browsers also name those that they are built upon.
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

const systemPatterns: [RegExp, string][] = [
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

/** Takes the `User-Agent` of a session and gives what people would call the device; null parts are unknown. */
export function parseUserAgent(userAgent: string | null): Device {
  const text = userAgent ?? '';
  const browser = firstMatch(browserPatterns, text);
  const system = firstMatch(systemPatterns, text);
  const isMobile = /iPhone|iPod|iPad|Android|Mobile/.test(text);
  return { browser, system, isMobile, isProgram: text !== '' && !text.startsWith('Mozilla/') };
}
