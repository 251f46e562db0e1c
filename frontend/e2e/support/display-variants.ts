/** A display: width, height, colour scheme and language. */
export interface DisplayVariant {
  readonly width: number;
  readonly height: number;
  readonly scheme: 'light' | 'dark';
  readonly language: 'en' | 'tr';
}

const allVariants: readonly DisplayVariant[] = [
  { width: 360, height: 740, scheme: 'dark', language: 'tr' },
  { width: 1440, height: 900, scheme: 'light', language: 'en' },
  { width: 360, height: 740, scheme: 'light', language: 'en' },
  { width: 1440, height: 900, scheme: 'dark', language: 'tr' },
];

/** The two variants that differ in everything; `E2E_VARIANTS=all` adds the others. */
export const displayVariants = process.env.E2E_VARIANTS === 'all' ? allVariants : allVariants.slice(0, 2);

/** Name of a variant's test group. */
export const describeVariant = ({ width, scheme, language }: DisplayVariant) => `${width} px, ${scheme}, ${language}`;

/** Playwright's options for a variant. */
export const toBrowserOptions = ({ width, height, scheme, language }: DisplayVariant) => ({
  viewport: { width, height },
  colorScheme: scheme,
  locale: language === 'tr' ? 'tr-TR' : 'en-US',
});
