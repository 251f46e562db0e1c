import i18n, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { chooseLanguage, languages, toLanguage } from '../../shared/preferences/language';
import { namespaces, type Namespace } from './namespaces';

const moduleBackend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read(language, namespace, done) {
    const knownLanguage = toLanguage(language);
    const load = knownLanguage && namespaces[namespace as Namespace]?.[knownLanguage];
    if (!load) return done(new Error(`There are no ${namespace} texts in ${language}.`), false);
    load().then(
      (translations) => done(null, translations.default),
      (error: unknown) => done(error as Error, false),
    );
  },
};

let startPromise: Promise<unknown> | null = null;

/** Initialises i18n in the chosen language; further calls return the same promise. */
export function startTranslations(): Promise<unknown> {
  startPromise ??= initI18n();
  return startPromise;
}

function initI18n(): Promise<unknown> {
  i18n.on('languageChanged', (language) => document.documentElement.setAttribute('lang', language));
  return i18n
    .use(moduleBackend)
    .use(initReactI18next)
    .init({
      lng: chooseLanguage(null),
      supportedLngs: languages,
      // Every language is complete, so no fallback is needed and only the current one is loaded.
      fallbackLng: false,
      ns: ['common'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      react: { useSuspense: false },
      returnNull: false,
      // Starts loading at once instead of in a timer.
      initAsync: false,
    });
}

/** Loads these namespaces in the current language. */
export async function loadNamespaces(requested: Namespace[]): Promise<void> {
  await startTranslations();
  await i18n.loadNamespaces(requested);
}
