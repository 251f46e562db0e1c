import { QueryClientProvider } from '@tanstack/react-query';
import i18n, { type i18n as Translator } from 'i18next';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { JoinScreen } from '../features/join/components/join-screen';
import { ofPublicZone, ofTemporaryLink, type JoinTarget, type LinkKind } from '../features/join/join-target';
import { LandingPage } from '../features/landing/landing.page';
import type { Schema } from '../shared/api/client';
import { currentUserKey } from '../shared/api/current-user';
import { createQueryClient } from '../shared/api/query-client';
import { languages, type Language } from '../shared/preferences/language';
import { siteKey } from '../shared/site/use-site';
import { loadTexts, startTexts } from './i18n/i18n';

/** A page as somebody signed out sees it first; title and description are for its document. */
interface Drawn {
  readonly html: string;
  readonly title: string;
  /** Null: the same as that of the whole site. */
  readonly description: string | null;
}

type Draw<T> = (language: Language, site: Schema<'SiteDto'> | null, answer: T) => Drawn;

/** What the server can draw (backend/src/platform/http/page/ssr-renderer.ts), by name. */
export interface Drawings {
  readonly landing: Draw<null>;
  readonly publicJoin: Draw<Schema<'PublicZoneDto'>>;
  readonly temporaryJoin: Draw<Schema<'TemporaryLinkInfoDto'>>;
}

/** Makes all texts ready; drawing itself waits for nothing, so two drawings never mix their languages. */
export async function drawings(): Promise<Drawings> {
  await startTexts();
  await loadTexts(['landing', 'join']);
  await i18n.loadLanguages([...languages]);
  const translators = await Promise.all(languages.map(async (one) => [one, await translatorIn(one)] as const));
  const inLanguage = Object.fromEntries(translators) as Record<Language, Translator>;
  const draw = (language: Language, site: Schema<'SiteDto'> | null, page: ReactNode) =>
    drawn(inLanguage[language], site, page);
  return {
    landing: (language, site) => {
      const t = inLanguage[language].getFixedT(language, 'landing');
      const html = draw(language, site, <LandingPage />);
      return { html, title: t('headline'), description: t('description') };
    },
    publicJoin: (language, site, zone) => joinPage('public', ofPublicZone(zone), (page) => draw(language, site, page)),
    temporaryJoin: (language, site, link) =>
      joinPage('temporary', ofTemporaryLink(link), (page) => draw(language, site, page)),
  };
}

async function translatorIn(language: Language): Promise<Translator> {
  for (const namespace of ['common', 'landing', 'join']) {
    if (!i18n.hasResourceBundle(language, namespace))
      throw new Error(`There are no ${namespace} texts in ${language}.`);
  }
  const translator = i18n.cloneInstance();
  await translator.changeLanguage(language);
  return translator;
}

function joinPage(kind: LinkKind, target: JoinTarget, draw: (page: ReactNode) => string): Drawn {
  // In whose time zone it ends only their browser knows.
  const known = { ...target, expiresAt: null };
  const send = () => Promise.reject(new Error('A drawn page sends nothing.'));
  const html = draw(<JoinScreen kind={kind} target={known} error={null} onRetry={() => undefined} send={send} />);
  return { html, title: target.name, description: target.description };
}

function drawn(translator: Translator, site: Schema<'SiteDto'> | null, page: ReactNode): string {
  const queries = createQueryClient();
  queries.setQueryData(currentUserKey, null);
  if (site) queries.setQueryData(siteKey, site);
  return renderToStaticMarkup(
    <I18nextProvider i18n={translator}>
      <QueryClientProvider client={queries}>
        <MemoryRouter>{page}</MemoryRouter>
      </QueryClientProvider>
    </I18nextProvider>,
  );
}
