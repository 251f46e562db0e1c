/** What the words of a browser about itself tell of where it runs. */
export interface Device {
  browser: string | null;
  system: string | null;
  /** Held in the hand. */
  mobile: boolean;
  /** No browser, but a program that calls the API or a tool. */
  program: boolean;
}

// The first that fits counts: most browsers also name those that they are built upon.
const browsers: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/YaBrowser\//, 'Yandex Browser'],
  [/Vivaldi\//, 'Vivaldi'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/(Headless)?Chrom(e|ium)\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

const systems: [RegExp, string][] = [
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];

const firstOf = (table: [RegExp, string][], text: string) => table.find(([pattern]) => pattern.test(text))?.[1] ?? null;

/** Takes the `User-Agent` of a session and gives what people would call the device; null parts are unknown. */
export function deviceOf(userAgent: string | null): Device {
  const text = userAgent ?? '';
  const browser = firstOf(browsers, text);
  const system = firstOf(systems, text);
  const mobile = /iPhone|iPod|iPad|Android|Mobile/.test(text);
  return { browser, system, mobile, program: text !== '' && !text.startsWith('Mozilla/') };
}
