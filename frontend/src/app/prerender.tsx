import { QueryClientProvider } from '@tanstack/react-query';
import i18n from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { LandingPage } from '../features/landing/landing.page';
import { currentUserKey } from '../shared/api/current-user';
import { createQueryClient } from '../shared/api/query-client';
import type { Language } from '../shared/preferences/language';
import { Drawing } from '../shared/site/facts';
import { loadTexts, startTexts } from './i18n/i18n';

/** Used by the build only (vite/prerender.ts), in Node. */

/** The landing page as somebody signed out sees it first, with its title and description in that language. */
export async function drawLanding(language: Language) {
  await startTexts();
  await i18n.changeLanguage(language);
  await loadTexts(['landing']);
  if (!i18n.hasResourceBundle(language, 'landing')) throw new Error(`The texts in ${language} could not be loaded.`);
  const queries = createQueryClient();
  queries.setQueryData(currentUserKey, null);
  const html = renderToStaticMarkup(
    <Drawing value={true}>
      <QueryClientProvider client={queries}>
        <MemoryRouter>
          <LandingPage />
        </MemoryRouter>
      </QueryClientProvider>
    </Drawing>,
  );
  const t = i18n.getFixedT(language, 'landing');
  return { html, title: t('headline'), description: t('description') };
}
