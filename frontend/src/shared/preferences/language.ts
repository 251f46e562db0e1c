import { browserStorage } from './browser-storage';

export const languages = ['en', 'tr'] as const;
export type Language = (typeof languages)[number];

/** Each language's own name, for the language switch. */
export const languageNames: Record<Language, string> = { en: 'English', tr: 'Türkçe' };

const STORAGE_KEY = 'language';
const OVERRULED_SETTING_KEY = 'languageOverrules';

/** Returns the supported language for a code such as `tr` or `tr-TR`, or null. */
export function toLanguage(code: string | null | undefined): Language | null {
  const primary = code?.toLowerCase().split(/[-_]/)[0];
  return languages.find((language) => language === primary) ?? null;
}

/**
 * Chooses the language of the page: the user's setting, else the choice in this browser, else the first supported
 * browser language, else English. A choice in this browser that was made against the current setting is newer and wins
 * until the setting changes.
 */
export function chooseLanguage(
  userSetting: string | null | undefined,
  browserLanguages: readonly string[] = navigator.languages ?? [navigator.language],
): Language {
  const setting = toLanguage(userSetting);
  const choice = toLanguage(browserStorage.get(STORAGE_KEY));
  if (setting && choice && browserStorage.get(OVERRULED_SETTING_KEY) === setting) return choice;
  const fromBrowser = browserLanguages.map(toLanguage).find((language) => language !== null);
  return setting ?? choice ?? fromBrowser ?? 'en';
}

/** Remembers the choice in this browser. `userSetting` is the signed-in user's setting, which the choice overrides. */
export function rememberLanguage(language: Language, userSetting?: string | null): void {
  browserStorage.set(STORAGE_KEY, language);
  const overruled = toLanguage(userSetting);
  if (overruled) browserStorage.set(OVERRULED_SETTING_KEY, overruled);
  else browserStorage.remove(OVERRULED_SETTING_KEY);
}

/** Type of a complete translation: the same keys as the English texts. */
export type Texts<T> = { [K in keyof T]: T[K] extends string ? string : Texts<T[K]> };
