import type { i18n as I18n } from 'i18next';
import type { I18nProvider } from 'react-admin';
import { languageNames, languages, type Language } from '../../shared/preferences/language';

type TranslationValues = Record<string, unknown> & { _?: string; smart_count?: number };

/**
 * Chooses the form of `one |||| several` for the count and fills in `%{value}`; numbers are formatted in the language.
 */
export function interpolate(text: string, values: TranslationValues, language: Language): string {
  const pluralForms = text.split('||||').map((form) => form.trim());
  const isPlural = values.smart_count !== undefined && values.smart_count !== 1;
  const template = pluralForms.length > 1 ? pluralForms[isPlural ? 1 : 0]! : text;
  return template.replace(/%\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    if (value === undefined || value === null) return placeholder;
    return typeof value === 'number' ? value.toLocaleString(language) : String(value);
  });
}

/**
 * Gives react-admin its texts from the namespace `reactAdmin`. Recreated when the language changes, which makes
 * react-admin re-render.
 */
export function createI18nProvider(i18n: I18n, language: Language): I18nProvider {
  return {
    translate: (key: string, values: TranslationValues = {}) => {
      const text: unknown = i18n.getResource(language, 'reactAdmin', key);
      return interpolate(typeof text === 'string' ? text : (values._ ?? key), values, language);
    },
    changeLocale: async (locale) => void (await i18n.changeLanguage(locale)),
    getLocale: () => language,
    getLocales: () => languages.map((locale) => ({ locale, name: languageNames[locale] })),
  };
}
