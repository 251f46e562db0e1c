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
import { colorMode } from './shared/preferences/color-mode';
import { captureFormState, waitForPointerRelease, waitForSelectToClose } from './shared/prerendered-page';
import { toast } from './shared/toast/toast-store';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');

colorMode.start();
await startTranslations();
const queries = createQueryClient();
// A prerendered page stays visible until the app can render in one step.
if (root.hasChildNodes()) {
  // The prerendered landing page is for signed-out visitors.
  const code = location.pathname === '/' ? LandingPage.preload() : preloadRoute(routes, location.pathname);
  await Promise.all([code, queries.prefetchQuery(currentUserQuery)]);
  await waitForSelectToClose();
  await waitForPointerRelease();
}
toast.showStored();
const page = (
  <StrictMode>
    <App queries={queries} />
  </StrictMode>
);
if (root.hasChildNodes()) replacePrerenderedPage(root);
else {
  showRoot();
  createRoot(root).render(page);
}

/** Shows the page, which is hidden while it is prerendered in another language than the chosen one. */
function showRoot(): void {
  document.documentElement.removeAttribute('data-other-language');
}

/** Replaces the prerendered page synchronously, so that no empty page flashes. */
function replacePrerenderedPage(container: HTMLElement): void {
  const restore = captureFormState(container);
  flushSync(() => createRoot(container).render(page));
  showRoot();
  restore();
}
