import type { ReactNode } from 'react';
import { hasReaderHome, useHomePreference } from '../../shared/account/home-preference';
import { useSignedInUser } from '../../shared/api/current-user';

/** `/`: the home of readers, or the dashboard. */
export function StartPage({ home, dashboard }: { home: ReactNode; dashboard: ReactNode }) {
  const user = useSignedInUser();
  return hasReaderHome(user, useHomePreference()) ? home : dashboard;
}

/** `/dashboard`: would be all zeros for users who only read. Users who are both see the page they asked for. */
export function DashboardOrHome({ home, dashboard }: { home: ReactNode; dashboard: ReactNode }) {
  return hasReaderHome(useSignedInUser(), 'creating') ? home : dashboard;
}
