import i18n, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { chooseLanguage, languages, toLanguage } from '../../shared/preferences/language';
import { namespaces, type Namespace } from './namespaces';

const fromModules: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read(language, namespace, done) {
    const known = toLanguage(language);
    const load = known && namespaces[namespace as Namespace]?.[known];
    if (!load) return done(new Error(`There are no ${namespace} texts in ${language}.`), false);
    load().then(
      (texts) => done(null, texts.default),
      (error: unknown) => done(error as Error, false),
    );
  },
};

let started: Promise<unknown> | null = null;

/** Starts the texts of the page in the language it is to have; further calls wait for the same start. */
export function startTexts(): Promise<unknown> {
  started ??= start();
  return started;
}

function start(): Promise<unknown> {
  i18n.on('languageChanged', (language) => document.documentElement.setAttribute('lang', language));
  return i18n
    .use(fromModules)
    .use(initReactI18next)
    .init({
      lng: chooseLanguage(null),
      supportedLngs: languages,
      // Every language is complete, so none falls back on another (and none but the one in use is loaded).
      fallbackLng: false,
      ns: ['common'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      react: { useSuspense: false },
      returnNull: false,
      // Begin to load at once instead of in a timer of its own.
      initAsync: false,
    });
}

/** Makes the texts of these namespaces ready in the present language. */
export async function loadTexts(wanted: Namespace[]): Promise<void> {
  await startTexts();
  await i18n.loadNamespaces(wanted);
}
