import type { ReactNode } from 'react';
import { hasReaderHome, useHomePreference } from '../../shared/account/home-preference';
import { useSignedInUser } from '../../shared/api/current-user';

/** `/`: the home of who reads, the dashboard of everybody else. */
export function StartPage({ home, dashboard }: { home: ReactNode; dashboard: ReactNode }) {
  const user = useSignedInUser();
  return hasReaderHome(user, useHomePreference()) ? home : dashboard;
}

/** `/dashboard`: for who only reads it would be a page of zeros. Who has both gets what they asked for. */
export function DashboardOrHome({ home, dashboard }: { home: ReactNode; dashboard: ReactNode }) {
  return hasReaderHome(useSignedInUser(), 'creating') ? home : dashboard;
}
