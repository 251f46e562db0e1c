import { useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { useCurrentUser } from '../../shared/api/current-user';
import { internalPath } from '../../shared/format/internal-path';
import { AuthScreen } from './auth-screen';

/**
 * /auth and /login. `mode=register` opens registration, `email` fills the address, `temp=true` is the way in with a
 * temporary password, `next` is a page of ours to return to. Whoever is signed in already is led on.
 */
export function AuthPage() {
  const [query] = useSearchParams();
  const { data: user } = useCurrentUser();
  const [entering, setEntering] = useState(false);
  const destination = internalPath(query.get('next'), '/');
  if (user && !entering) return <Navigate to={destination} replace />;
  const mode = query.get('mode') === 'register' ? 'register' : 'login';
  return (
    <AuthScreen
      key={mode}
      mode={mode}
      email={query.get('email') ?? ''}
      temporary={query.get('temp') === 'true'}
      destination={destination}
      onSignedIn={() => setEntering(true)}
    />
  );
}
