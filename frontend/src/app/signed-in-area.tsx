import { useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { useCurrentUser } from '../shared/api/current-user';
import { PlainError } from '../shared/plain/plain-error';
import { PublicFrame } from '../shared/plain/public-frame';
import { stored } from '../shared/preferences/stored';
import { AppShell, AuthScreen, LandingPage } from './pages';

const hint = 'signedIn';

/**
 * Stands before every page that needs somebody signed in. Signed out, `/` is the landing page and any other address the
 * login screen, which gives way to the page itself after sign-in; an unfinished profile is finished first.
 */
export function SignedInArea() {
  const { data: user, error, refetch } = useCurrentUser();
  const { pathname, search } = useLocation();
  const likelySignedIn = stored.get(hint) === 'true';

  useEffect(() => {
    if (user) stored.set(hint, 'true');
    if (user === null) stored.remove(hint);
  }, [user]);

  useEffect(() => {
    void (likelySignedIn ? AppShell : LandingPage).preload();
  }, [likelySignedIn]);

  if (user?.needsProfileCompletion) {
    return <Navigate to={`/complete-profile?next=${encodeURIComponent(pathname + search)}`} replace />;
  }
  if (user) return <Frame user={user} />;
  if (error) {
    return (
      <PublicFrame centred>
        <PlainError error={error} onRetry={refetch} />
      </PublicFrame>
    );
  }
  if (pathname === '/' && (user === null || !likelySignedIn)) return <LandingPage />;
  if (user === null) return <AuthScreen />;
  return likelySignedIn ? <Frame user={undefined} /> : null;
}

function Frame({ user }: { user: React.ComponentProps<typeof AppShell>['user'] }) {
  return <AppShell user={user}>{user && <Outlet />}</AppShell>;
}
