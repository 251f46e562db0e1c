import { QueryClientProvider } from '@tanstack/react-query';
import i18n, { type i18n as Translator } from 'i18next';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { AuthScreen } from '../features/auth/auth-screen';
import { JoinScreen } from '../features/join/components/join-screen';
import { fromPublicZone, fromTemporaryLink, type JoinTarget, type LinkKind } from '../features/join/join-target';
import { LandingPage } from '../features/landing/landing.page';
import type { Schema } from '../shared/api/client';
import { currentUserKey } from '../shared/api/current-user';
import { createQueryClient } from '../shared/api/query-client';
import { languages, type Language } from '../shared/preferences/language';
import { siteKey } from '../shared/site/use-site';
import { loadNamespaces, startTranslations } from './i18n/i18n';
import type { Namespace } from './i18n/namespaces';

/** A page as first seen by signed-out users, with its title and description. */
interface RenderedPage {
  readonly html: string;
  readonly title: string;
  /** Null: the site's description. */
  readonly description: string | null;
}

const NAMESPACES: Namespace[] = ['common', 'landing', 'join', 'auth', 'account', 'verification'];

type PageRenderer<T> = (language: Language, site: Schema<'SiteDto'> | null, response: T) => RenderedPage;

/** Pages that the server can render (`backend/src/platform/http/page/ssr-renderer.ts`), by name. */
export interface PageRenderers {
  readonly landing: PageRenderer<null>;
  readonly signIn: PageRenderer<null>;
  readonly publicJoin: PageRenderer<Schema<'PublicZoneDto'>>;
  readonly temporaryJoin: PageRenderer<Schema<'TemporaryLinkInfoDto'>>;
}

/** Loads all texts. Rendering itself is synchronous, so two renders never mix their languages. */
export async function createPageRenderers(): Promise<PageRenderers> {
  await startTranslations();
  await loadNamespaces(NAMESPACES);
  await i18n.loadLanguages([...languages]);
  const translators = await Promise.all(
    languages.map(async (language) => [language, await createTranslator(language)] as const),
  );
  const translatorByLanguage = Object.fromEntries(translators) as Record<Language, Translator>;
  const renderIn = (language: Language, site: Schema<'SiteDto'> | null, page: ReactNode) =>
    renderToHtml(translatorByLanguage[language], site, page);
  return {
    landing: (language, site) => {
      const t = translatorByLanguage[language].getFixedT(language, 'landing');
      const html = renderIn(language, site, <LandingPage />);
      return { html, title: t('headline'), description: t('description') };
    },
    signIn: (language, site) => {
      const t = translatorByLanguage[language].getFixedT(language, 'auth');
      return { html: renderIn(language, site, <AuthScreen />), title: t('title.login'), description: null };
    },
    publicJoin: (language, site, zone) =>
      renderJoinPage('public', fromPublicZone(zone), (page) => renderIn(language, site, page)),
    temporaryJoin: (language, site, link) =>
      renderJoinPage('temporary', fromTemporaryLink(link), (page) => renderIn(language, site, page)),
  };
}

async function createTranslator(language: Language): Promise<Translator> {
  for (const namespace of NAMESPACES) {
    if (!i18n.hasResourceBundle(language, namespace))
      throw new Error(`There are no ${namespace} texts in ${language}.`);
  }
  const translator = i18n.cloneInstance();
  await translator.changeLanguage(language);
  return translator;
}

function renderJoinPage(kind: LinkKind, target: JoinTarget, render: (page: ReactNode) => string): RenderedPage {
  // Only the browser knows the time zone for the expiry.
  const targetWithoutExpiry = { ...target, expiresAt: null };
  const onJoin = () => Promise.reject(new Error('A prerendered page sends no requests.'));
  const html = render(
    <JoinScreen kind={kind} target={targetWithoutExpiry} error={null} onRetry={() => undefined} onJoin={onJoin} />,
  );
  return { html, title: target.name, description: target.description };
}

function renderToHtml(translator: Translator, site: Schema<'SiteDto'> | null, page: ReactNode): string {
  const queryClient = createQueryClient();
  queryClient.setQueryData(currentUserKey, null);
  if (site) queryClient.setQueryData(siteKey, site);
  return renderToStaticMarkup(
    <I18nextProvider i18n={translator}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>{page}</MemoryRouter>
      </QueryClientProvider>
    </I18nextProvider>,
  );
}
