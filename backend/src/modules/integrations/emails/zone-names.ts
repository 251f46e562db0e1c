import type { Language } from '../../../platform/errors/app-error.js';

const lists = {
  en: new Intl.ListFormat('en', { type: 'conjunction' }),
  tr: new Intl.ListFormat('tr', { type: 'conjunction' }),
};

/** All names, for a sentence: “A”, “B” and “C”. */
export const quoted = (names: readonly string[], language: Language): string =>
  lists[language].format(names.map((name) => `“${name}”`));

/** The first name and how many more there are, for a subject: A and 2 more. */
export function andMore([first = '', ...others]: readonly string[], language: Language): string {
  if (others.length === 0) return first;
  return language === 'tr' ? `${first} ve ${others.length} bölge daha` : `${first} and ${others.length} more`;
}
