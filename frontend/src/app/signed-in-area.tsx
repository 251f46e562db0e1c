import { Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { reads, readsFirst, useFirstPage } from '../shared/account/first-page';
import { openedFor } from '../shared/account/opened-for';
import { leaving } from '../shared/api/use-sign-out';
import { likelySignedIn, rememberSignedIn, useCurrentUser, type CurrentUser } from '../shared/api/current-user';
import { keptWords } from '../shared/forms/kept-words';
import { PlainError } from '../shared/plain/plain-error';
import { PublicFrame } from '../shared/plain/public-frame';
import { AppShell, AuthScreen, FactorNeeded, LandingPage, SessionEnded } from './pages';

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
  const likely = likelySignedIn();
  const { present, turn } = useLastUser(user);

  const firstPage = useFirstPage();
  useEffect(() => {
    if (user === undefined) return;
    rememberSignedIn(user !== null);
    reads.remember(user !== null && readsFirst(user, firstPage));
  }, [user, firstPage]);

  useEffect(() => {
    void (likely ? AppShell : LandingPage).preload();
  }, [likely]);

  if (user?.needsProfileCompletion && !user.isReader) {
    return <Navigate to={`/complete-profile?next=${encodeURIComponent(pathname + search)}`} replace />;
  }
  if (user?.factorNeeded) {
    return (
      <Suspense fallback={null}>
        <FactorNeeded user={user} />
      </Suspense>
    );
  }
  if (!present && error) {
    return (
      <PublicFrame centred>
        <PlainError error={error} onRetry={refetch} />
      </PublicFrame>
    );
  }
  if (!present && pathname === '/' && (user === null || !likely)) return <LandingPage />;
  if (!present && user === null) return <AuthScreen />;
  if (!present && !likely) return null;
  // The frame stands before it is known for whom, and stays: drawing it anew would cost a slow phone a second.
  return (
    <>
      <AppShell key={turn} user={present ?? undefined}>
        {present && <Outlet context={present} />}
      </AppShell>
      <Suspense fallback={null}>
        {present && user === null && !leaving.underWay && <SessionEnded user={present} />}
      </Suspense>
    </>
  );
}

/**
 * Who is signed in, or was when the session ended under the page.
 * @returns a number that changes when somebody else takes the place of another
 */
function useLastUser(user: CurrentUser | null | undefined): { present: CurrentUser | null; turn: number } {
  const [last, setLast] = useState<{ present: CurrentUser | null; turn: number }>({ present: null, turn: 0 });
  const { present, turn } = last;
  const isAnother = user != null && present !== null && user.id !== present.id;
  if (user && user !== present) setLast({ present: user, turn: isAnother ? turn + 1 : turn });
  const id = user?.id;
  // Before anything below is drawn: what a form begins with is what was kept for this account.
  if (id !== undefined && id !== openedFor.account()) openedFor.set(id);
  useLayoutEffect(() => {
    if (id !== undefined) keptWords.onlyOf(id);
  }, [id]);
  useEffect(() => keptWords.heed(), []);
  return user ? { present: user, turn: isAnother ? turn + 1 : turn } : last;
}
