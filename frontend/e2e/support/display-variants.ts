/** What a page is looked at on: width, height, colours and language. */
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

/** The two shapes that have nothing in common; with E2E_SHAPES=all the others, too. */
export const displayVariants = process.env.E2E_SHAPES === 'all' ? allVariants : allVariants.slice(0, 2);

/** The name of the group of tests of a shape. */
export const describeVariant = ({ width, scheme, language }: DisplayVariant) => `${width} px, ${scheme}, ${language}`;

/** How the browser is for a shape. */
export const toBrowserOptions = ({ width, height, scheme, language }: DisplayVariant) => ({
  viewport: { width, height },
  colorScheme: scheme,
  locale: language === 'tr' ? 'tr-TR' : 'en-US',
});
