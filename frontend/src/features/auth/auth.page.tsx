import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useSearchParams } from 'react-router';
import { $api } from '../../shared/api/client';
import { useCurrentUser } from '../../shared/api/current-user';
import { internalPath } from '../../shared/format/internal-path';
import { toast } from '../../shared/toast/toast-store';
import { AuthScreen } from './auth-screen';

/**
 * /auth and /login. `mode=register` opens registration, `email` fills in the address, `temp=true` signs in with a
 * temporary password, `next` is an internal path to return to, `step=factor` continues a sign-in that requires a second
 * factor, `sso` is the result of single sign-on (`link`, or an error code). Signed-in users are redirected.
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

/**
 * Loads the factors required by the pending sign-in of this browser; null if there is none, undefined while loading.
 */
function usePendingFactors(enabled: boolean) {
  const { t } = useTranslation('auth');
  const { data, error } = $api.useQuery('get', '/api/login/factor', {}, { enabled: enabled, gcTime: 0, retry: false });
  useEffect(() => {
    if (error) toast.error(t('login.failed'), error.message);
  }, [error, t]);
  if (!enabled || error) return null;
  return data?.factors;
}
