import { useIsMutating } from '@tanstack/react-query';
import { Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, ScrollRestoration, useLocation } from 'react-router';
import { profileMutation } from '../shared/account/use-save-profile';
import { useCurrentUser } from '../shared/api/current-user';
import type { NavigationState } from '../shared/hooks/navigation-state';
import { chooseLanguage } from '../shared/preferences/language';
import { Toaster } from '../shared/toast/toaster';
import { ProofOfWorkNotice } from '../shared/proof-of-work/proof-of-work-notice';

/** Wraps every page: toasts, scroll restoration, focus after navigation, and the user's language. */
export function Root() {
  useUserLanguage();
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
