import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useSearchParams } from 'react-router';
import { $api } from '../../shared/api/client';
import { useCurrentUser } from '../../shared/api/current-user';
import { internalPath } from '../../shared/format/internal-path';
import { toast } from '../../shared/toast/toast-store';
import { AuthScreen } from './auth-screen';

/**
 * /auth and /login. `mode=register` opens registration, `email` fills the address, `temp=true` is the way in with a
 * temporary password, `next` is a page of ours to return to,
 * `step=factor` goes on with a sign-in that still asks for a second factor,
 * `sso` what came of signing in by a provider (`link`, or the code of a failure). Whoever is signed in already is led on.
 */
export function AuthPage() {
  const [query] = useSearchParams();
  const { data: user } = useCurrentUser();
  const [isSigningIn, setIsSigningIn] = useState(false);
  const destination = internalPath(query.get('next'), '/');
  const pendingFactors = usePendingFactors(query.get('step') === 'factor');
  if (user && !isSigningIn) return <Navigate to={destination} replace />;
  if (pendingFactors === undefined) return null;
  const mode = query.get('mode') === 'register' ? 'register' : 'login';
  return (
    <AuthScreen
      key={mode}
      mode={mode}
      email={query.get('email') ?? ''}
      isTemporaryPassword={query.get('temp') === 'true'}
      destination={destination}
      ssoResult={query.get('sso')}
      pendingFactors={pendingFactors}
      onSignedIn={() => setIsSigningIn(true)}
    />
  );
}

/** What the sign-in that waits in this browser asks for; null when none does, undefined until that is known. */
function usePendingFactors(enabled: boolean) {
  const { t } = useTranslation('auth');
  const { data, error } = $api.useQuery('get', '/api/login/factor', {}, { enabled: enabled, gcTime: 0, retry: false });
  useEffect(() => {
    if (error) toast.error(t('login.failed'), error.message);
  }, [error, t]);
  if (!enabled || error) return null;
  return data?.factors;
}
