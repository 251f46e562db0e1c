import type { Language } from '../../../platform/errors/app-error.js';
import { emailZoneTitle } from '../../../platform/email/zone-title.js';

const listFormats = {
  en: new Intl.ListFormat('en', { type: 'conjunction' }),
  tr: new Intl.ListFormat('tr', { type: 'conjunction' }),
};

/** Lists all names for use in a sentence: “A”, “B” and “C”. */
export const quoteNames = (names: readonly string[], language: Language): string =>
  listFormats[language].format(names.map((name) => `“${emailZoneTitle(name, language)}”`));

/** The first name and the number of others, for a subject: A and 2 more. */
export function formatFirstAndCount([name = '', ...others]: readonly string[], language: Language): string {
  const first = emailZoneTitle(name, language);
  if (others.length === 0) return first;
  return language === 'tr' ? `${first} ve ${others.length} bölge daha` : `${first} and ${others.length} more`;
}
