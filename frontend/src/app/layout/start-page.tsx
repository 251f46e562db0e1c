import type { ReactNode } from 'react';
import { hasMemberHome, useHomePreference } from '../../shared/account/home-preference';
import { useSignedInUser } from '../../shared/api/current-user';

/** `/`: the member home, or the dashboard. */
export function StartPage({ home, dashboard }: { home: ReactNode; dashboard: ReactNode }) {
  const user = useSignedInUser();
  return hasMemberHome(user, useHomePreference()) ? home : dashboard;
}

/** `/dashboard`: would be all zeros for users who only read. Users who are both see the page they asked for. */
export function DashboardOrHome({ home, dashboard }: { home: ReactNode; dashboard: ReactNode }) {
  return hasMemberHome(useSignedInUser(), 'creating') ? home : dashboard;
}
