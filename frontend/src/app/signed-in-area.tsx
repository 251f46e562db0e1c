import { Suspense, useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { leaving } from '../shared/api/use-sign-out';
import { likelySignedIn, rememberSignedIn, useCurrentUser, type CurrentUser } from '../shared/api/current-user';
import { PlainError } from '../shared/plain/plain-error';
import { PublicFrame } from '../shared/plain/public-frame';
import { AppShell, AuthScreen, LandingPage, SessionEnded } from './pages';

/**
 * Stands before every page that needs somebody signed in. Signed out, `/` is the landing page and any other address the
 * login screen, which gives way to the page itself after sign-in; an unfinished profile is finished first. A session
 * that ends while a page is shown covers it with the login screen, so that nothing typed there is lost.
 */
export function SignedInArea() {
  const { data: user, error, refetch } = useCurrentUser();
  const { pathname, search } = useLocation();
  const likely = likelySignedIn();
  const present = useLastUser(user);

  useEffect(() => {
    if (user !== undefined) rememberSignedIn(user !== null);
  }, [user]);

  useEffect(() => {
    void (likely ? AppShell : LandingPage).preload();
  }, [likely]);

  if (user?.needsProfileCompletion) {
    return <Navigate to={`/complete-profile?next=${encodeURIComponent(pathname + search)}`} replace />;
  }
  if (present) {
    return (
      <>
        <Frame key={present.id} user={present} />
        <Suspense fallback={null}>{user === null && !leaving.underWay && <SessionEnded user={present} />}</Suspense>
      </>
    );
  }
  if (error) {
    return (
      <PublicFrame centred>
        <PlainError error={error} onRetry={refetch} />
      </PublicFrame>
    );
  }
  if (pathname === '/' && (user === null || !likely)) return <LandingPage />;
  if (user === null) return <AuthScreen />;
  return likely ? <Frame user={undefined} /> : null;
}

/** Who is signed in, or was when the session ended under the page. */
function useLastUser(user: CurrentUser | null | undefined): CurrentUser | null {
  const [last, setLast] = useState<CurrentUser | null>(null);
  if (user && user !== last) setLast(user);
  return user ?? last;
}

function Frame({ user }: { user: CurrentUser | undefined }) {
  return <AppShell user={user}>{user && <Outlet context={user} />}</AppShell>;
}
