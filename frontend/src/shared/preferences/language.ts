import { browserStorage } from './browser-storage';

export const languages = ['en', 'tr'] as const;
export type Language = (typeof languages)[number];

/** Each language in its own words, for the language switch. */
export const languageNames: Record<Language, string> = { en: 'English', tr: 'Türkçe' };

const STORAGE_KEY = 'language';
const OVERRULED_SETTING_KEY = 'languageOverrules';

/** Gives the language that a code such as `tr` or `tr-TR` stands for, or null when it is none of ours. */
export function toLanguage(code: string | null | undefined): Language | null {
  const primary = code?.toLowerCase().split(/[-_]/)[0];
  return languages.find((language) => language === primary) ?? null;
}

/**
 * Decides the language of the page: the signed-in person's setting, then what was chosen in this browser, then the first
 * of the browser's own languages that we speak, then English. A choice that was made here against the very setting that
 * still stands is newer than it, and wins until the setting changes.
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

/** Keeps the choice for this browser. `userSetting` is that of the person signed in, which the choice overrules. */
export function rememberLanguage(language: Language, userSetting?: string | null): void {
  browserStorage.set(STORAGE_KEY, language);
  const overruled = toLanguage(userSetting);
  if (overruled) browserStorage.set(OVERRULED_SETTING_KEY, overruled);
  else browserStorage.remove(OVERRULED_SETTING_KEY);
}

/** The shape that a translation must have to be complete: the same keys as the English texts. */
export type Texts<T> = { [K in keyof T]: T[K] extends string ? string : Texts<T[K]> };
