import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { preloadRoute } from './app/loading/prefetch-route';
import { startTranslations } from './app/i18n/i18n';
import { LandingPage } from './app/pages';
import { routes } from './app/router';
import './app/styles/fonts.css';
import './app/styles/base.css';
import { currentUserQuery } from './shared/api/current-user';
import { createQueryClient } from './shared/api/query-client';
import { carryOver, whenNothingIsChosen, whenNothingIsPressed } from './shared/drawn-page';
import { colorMode } from './shared/preferences/color-mode';
import { toast } from './shared/toast/toast-store';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');

colorMode.start();
await startTranslations();
const queries = createQueryClient();
// The document came with a page drawn in it: it stays until the living one can take its place at once.
if (root.hasChildNodes()) {
  // What is drawn at the first address is for strangers.
  const program = location.pathname === '/' ? LandingPage.preload() : preloadRoute(routes, location.pathname);
  await Promise.all([program, queries.prefetchQuery(currentUserQuery)]);
  await whenNothingIsChosen();
  await whenNothingIsPressed();
}
toast.showStored();
const page = (
  <StrictMode>
    <App queries={queries} />
  </StrictMode>
);
if (root.hasChildNodes()) takePlaceOfDrawn(root);
else {
  showRoot();
  createRoot(root).render(page);
}

/** What was drawn in another language than the one chosen here is hidden until the page is there in the right one. */
function showRoot(): void {
  document.documentElement.removeAttribute('data-other-language');
}

/** The drawn page gives way to the living one in a single step, without a moment of nothing. */
function takePlaceOfDrawn(drawn: HTMLElement): void {
  const restore = carryOver(drawn);
  flushSync(() => createRoot(drawn).render(page));
  showRoot();
  restore();
}
