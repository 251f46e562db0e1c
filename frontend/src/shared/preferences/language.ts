import { stored } from './stored';

export const languages = ['en', 'tr'] as const;
export type Language = (typeof languages)[number];

/** Each language in its own words, for the language switch. */
export const languageNames: Record<Language, string> = { en: 'English', tr: 'Türkçe' };

const storageName = 'language';
const overruledName = 'languageOverrules';

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
  const choice = toLanguage(stored.get(storageName));
  if (setting && choice && stored.get(overruledName) === setting) return choice;
  const fromBrowser = browserLanguages.map(toLanguage).find((language) => language !== null);
  return setting ?? choice ?? fromBrowser ?? 'en';
}

/** Keeps the choice for this browser. `userSetting` is that of the person signed in, which the choice overrules. */
export function rememberLanguage(language: Language, userSetting?: string | null): void {
  stored.set(storageName, language);
  const overruled = toLanguage(userSetting);
  if (overruled) stored.set(overruledName, overruled);
  else stored.remove(overruledName);
}

/** The shape that a translation must have to be complete: the same keys as the English texts. */
export type Texts<T> = { [K in keyof T]: T[K] extends string ? string : Texts<T[K]> };
