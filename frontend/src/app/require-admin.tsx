import { Outlet } from 'react-router';
import { isAdmin, useSignedInUser } from '../shared/api/current-user';
import { NoAccessPage } from './pages';

/** Guards the admin screens: other users load none of their code. */
export function RequireAdmin() {
  const user = useSignedInUser();
  return isAdmin(user) ? <Outlet context={user} /> : <NoAccessPage />;
}
