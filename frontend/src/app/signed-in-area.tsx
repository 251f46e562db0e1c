import { Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { memberHomeHint, hasMemberHome, useHomePreference } from '../shared/account/home-preference';
import { accountHeader } from '../shared/account/account-header';
import { signOutRedirect } from '../shared/api/use-sign-out';
import { isLikelySignedIn, setLikelySignedIn, useCurrentUser, type CurrentUser } from '../shared/api/current-user';
import { formDraftStorage } from '../shared/forms/form-draft-storage';
import { PublicError } from '../shared/public-ui/public-error';
import { PublicFrame } from '../shared/public-ui/public-frame';
import { AppShell, AuthScreen, SecondFactorRequired, LandingPage, SessionExpiredDialog } from './pages';

/**
 * Guards every page that needs a signed-in user. Signed out, `/` is the landing page, and every other URL shows the
 * sign-in screen, then the page itself. Users who came with a temporary password complete their profile first, other
 * incomplete accounts may read, and a required second factor of admins is set up. A session that expires while a page
 * is open covers the page with the sign-in screen, so that no input is lost.
 */
export function SignedInArea() {
  const { data: user, error, refetch } = useCurrentUser();
  const { pathname, search } = useLocation();
  const expectsUser = isLikelySignedIn();
  const { lastUser, accountSwitches } = useLastSignedInUser(user);

  const homePreference = useHomePreference();
  useEffect(() => {
    if (user === undefined) return;
    setLikelySignedIn(user !== null);
    memberHomeHint.set(user !== null && hasMemberHome(user, homePreference));
  }, [user, homePreference]);

  useEffect(() => {
    if (expectsUser) void AppShell.preload();
    else if (pathname === '/') void LandingPage.preload();
  }, [expectsUser, pathname]);

  if (user?.needsProfileCompletion && !user.isReader) {
    return <Navigate to={`/complete-profile?next=${encodeURIComponent(pathname + search)}`} replace />;
  }
  if (user?.factorNeeded) {
    return (
      <Suspense fallback={null}>
        <SecondFactorRequired user={user} />
      </Suspense>
    );
  }
  if (!lastUser && error) {
    return (
      <PublicFrame centred>
        <PublicError error={error} onRetry={refetch} />
      </PublicFrame>
    );
  }
  if (!lastUser && pathname === '/' && (user === null || !expectsUser)) return <LandingPage />;
  if (!lastUser && user === null) return <AuthScreen />;
  if (!lastUser && !expectsUser) return null;
  // The layout is rendered before the user is known and stays mounted; rendering it again would cost a slow phone a
  // second.
  return (
    <>
      <AppShell key={accountSwitches} user={lastUser ?? undefined}>
        {lastUser && <Outlet context={lastUser} />}
      </AppShell>
      <Suspense fallback={null}>
        {lastUser && user === null && !signOutRedirect.isInProgress && <SessionExpiredDialog user={lastUser} />}
      </Suspense>
    </>
  );
}

/**
 * The signed-in user, or the last one after the session expired.
 * @returns a number that changes when another user signs in
 */
function useLastSignedInUser(user: CurrentUser | null | undefined): {
  lastUser: CurrentUser | null;
  accountSwitches: number;
} {
  const [state, setState] = useState<{ lastUser: CurrentUser | null; accountSwitches: number }>({
    lastUser: null,
    accountSwitches: 0,
  });
  const { lastUser, accountSwitches } = state;
  const isOtherAccount = user != null && lastUser !== null && user.id !== lastUser.id;
  if (user && user !== lastUser)
    setState({ lastUser: user, accountSwitches: isOtherAccount ? accountSwitches + 1 : accountSwitches });
  const id = user?.id;
  // Set while rendering: children render with it and restore this account's drafts.
  if (id !== undefined) accountHeader.set(id);
  useLayoutEffect(() => {
    if (id !== undefined) formDraftStorage.clearOtherAccounts(id);
  }, [id]);
  useEffect(() => formDraftStorage.syncAcrossTabs(), []);
  return user ? { lastUser: user, accountSwitches: isOtherAccount ? accountSwitches + 1 : accountSwitches } : state;
}
