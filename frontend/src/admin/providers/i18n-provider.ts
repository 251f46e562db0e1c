import type { i18n as I18n } from 'i18next';
import type { I18nProvider } from 'react-admin';
import { languageNames, languages, type Language } from '../../shared/preferences/language';

type Values = Record<string, unknown> & { _?: string; smart_count?: number };

/** Gives the half of `one |||| several` that fits the count, with `%{value}` filled in; numbers as the language writes them. */
export function fillIn(text: string, values: Values, language: Language): string {
  const halves = text.split('||||').map((half) => half.trim());
  const several = values.smart_count !== undefined && values.smart_count !== 1;
  const chosen = halves.length > 1 ? halves[several ? 1 : 0]! : text;
  return chosen.replace(/%\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined || value === null) return whole;
    return typeof value === 'number' ? value.toLocaleString(language) : String(value);
  });
}

/**
 * Lets react-admin take its texts from the namespace `reactAdmin` of the page, in the language given. It is made anew
 * when the language changes, by which react-admin notices.
 */
export function createI18nProvider(i18n: I18n, language: Language): I18nProvider {
  return {
    translate: (key: string, values: Values = {}) => {
      const text: unknown = i18n.getResource(language, 'reactAdmin', key);
      return fillIn(typeof text === 'string' ? text : (values._ ?? key), values, language);
    },
    changeLocale: async (locale) => void (await i18n.changeLanguage(locale)),
    getLocale: () => language,
    getLocales: () => languages.map((locale) => ({ locale, name: languageNames[locale] })),
  };
}
