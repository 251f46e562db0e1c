import { Outlet } from 'react-router';
import { isAdmin, useSignedInUser } from '../shared/api/current-user';
import { NoAccessPage } from './pages';

/** Stands before the admin screens: nothing of them is loaded for others. */
export function RequireAdmin() {
  const user = useSignedInUser();
  return isAdmin(user) ? <Outlet context={user} /> : <NoAccessPage />;
}
