import { useIsMutating } from '@tanstack/react-query';
import { Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, ScrollRestoration, useLocation, useMatches } from 'react-router';
import { profileMutation } from '../shared/account/use-save-profile';
import { isLikelySignedIn, useCurrentUser } from '../shared/api/current-user';
import type { NavigationState } from '../shared/hooks/navigation-state';
import { chooseLanguage } from '../shared/preferences/language';
import { Toaster } from '../shared/toast/toaster';
import { ProofOfWorkNotice } from '../shared/proof-of-work/proof-of-work-notice';
import type { PageHandle } from './loading/page-route';
import { useRestoredView } from './use-restored-view';

/** Wraps every page: toasts, scroll restoration, focus after navigation, and the user's language. */
export function Root() {
  usePagePreload();
  useUserLanguage();
  useRestoredView();
  useFocusAfterNavigation();
  return (
    <>
      <Suspense fallback={null}>
        <Outlet />
      </Suspense>
      <Toaster />
      <ProofOfWorkNotice />
      <ScrollRestoration />
    </>
  );
}

/**
 * Loads the code of nested pages in parallel as soon as a user is expected or known. Otherwise each would be loaded when
 * the one around it renders.
 */
function usePagePreload() {
  const matches = useMatches();
  const isSignedIn = useCurrentUser().data != null;
  useLayoutEffect(() => {
    if (!isSignedIn && !isLikelySignedIn()) return;
    // An error is shown when the page renders.
    for (const { handle } of matches) (handle as PageHandle | undefined)?.preload().catch(() => undefined);
  }, [matches, isSignedIn]);
}

function useUserLanguage() {
  const { i18n } = useTranslation();
  const setting = useCurrentUser().data?.language;
  // Responses that arrive while the choice is being saved are older than it.
  const isSaving = useIsMutating(profileMutation) > 0;
  useEffect(() => {
    if (setting && !isSaving) void i18n.changeLanguage(chooseLanguage(setting));
  }, [setting, isSaving, i18n]);
}

/** Without a full page load, screen readers don't notice a new page, so the focus moves to it. */
function useFocusAfterNavigation() {
  const { pathname, state } = useLocation();
  const opensDialog = (state as NavigationState | null)?.opensDialog;
  const previousPathRef = useRef(pathname);
  useEffect(() => {
    if (previousPathRef.current === pathname) return;
    previousPathRef.current = pathname;
    if (opensDialog) return;
    const main = document.getElementById('main');
    if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
  }, [pathname, opensDialog]);
}
