import { useIsMutating } from '@tanstack/react-query';
import { Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, ScrollRestoration, useLocation } from 'react-router';
import { profileMutation } from '../shared/account/use-save-profile';
import { useCurrentUser } from '../shared/api/current-user';
import { chooseLanguage } from '../shared/preferences/language';
import { Toaster } from '../shared/toast/toaster';
import { ProofOfWorkNotice } from '../shared/proof-of-work/proof-of-work-notice';

/** What every page stands in: toasts, scroll positions, focus after navigation, and the person's language. */
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
  // What the server tells in the meantime is older than the choice that is being saved.
  const isSaving = useIsMutating(profileMutation) > 0;
  useEffect(() => {
    if (setting && !isSaving) void i18n.changeLanguage(chooseLanguage(setting));
  }, [setting, isSaving, i18n]);
}

/** Without a full page load nothing tells a screen reader that the page changed; moving the focus to it does. */
function useFocusAfterNavigation() {
  const { pathname } = useLocation();
  const previousPathRef = useRef(pathname);
  useEffect(() => {
    if (previousPathRef.current === pathname) return;
    previousPathRef.current = pathname;
    const main = document.getElementById('main');
    if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
  }, [pathname]);
}
