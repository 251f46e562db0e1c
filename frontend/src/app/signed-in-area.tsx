import { Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { readerHomeHint, hasReaderHome, useHomePreference } from '../shared/account/home-preference';
import { accountHeader } from '../shared/account/account-header';
import { signOutRedirect } from '../shared/api/use-sign-out';
import { isLikelySignedIn, setLikelySignedIn, useCurrentUser, type CurrentUser } from '../shared/api/current-user';
import { formDraftStorage } from '../shared/forms/form-draft-storage';
import { PublicError } from '../shared/public-ui/public-error';
import { PublicFrame } from '../shared/public-ui/public-frame';
import { AppShell, AuthScreen, SecondFactorRequired, LandingPage, SessionExpiredDialog } from './pages';

/**
 * Stands before every page that needs somebody signed in. Signed out, `/` is the landing page and any other address the
 * login screen, which gives way to the page itself after sign-in; who came by a temporary password finishes the profile
 * first, other unfinished accounts read, and a second
 * factor that is asked of admins is set up. A session
 * that ends while a page is shown covers it with the login screen, so that nothing typed there is lost.
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
    readerHomeHint.set(user !== null && hasReaderHome(user, homePreference));
  }, [user, homePreference]);

  useEffect(() => {
    void (expectsUser ? AppShell : LandingPage).preload();
  }, [expectsUser]);

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
  // The frame stands before it is known for whom, and stays: drawing it anew would cost a slow phone a second.
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
 * Who is signed in, or was when the session ended under the page.
 * @returns a number that changes when somebody else takes the place of another
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
  // While it is drawn: what stands below is drawn with it and begins with the words that are kept of this account.
  if (id !== undefined) accountHeader.set(id);
  useLayoutEffect(() => {
    if (id !== undefined) formDraftStorage.clearOtherAccounts(id);
  }, [id]);
  useEffect(() => formDraftStorage.syncAcrossTabs(), []);
  return user ? { lastUser: user, accountSwitches: isOtherAccount ? accountSwitches + 1 : accountSwitches } : state;
}
