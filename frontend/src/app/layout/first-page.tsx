import type { ReactNode } from 'react';
import { readsFirst, useFirstPage } from '../../shared/account/first-page';
import { useSignedInUser } from '../../shared/api/current-user';

/** `/`: the home of who reads, the dashboard of everybody else. */
export function FirstPage({ home, dashboard }: { home: ReactNode; dashboard: ReactNode }) {
  const user = useSignedInUser();
  return readsFirst(user, useFirstPage()) ? home : dashboard;
}

/** `/dashboard`: for who only reads it would be a page of zeros. Who has both gets what they asked for. */
export function DashboardOrHome({ home, dashboard }: { home: ReactNode; dashboard: ReactNode }) {
  return readsFirst(useSignedInUser(), 'creating') ? home : dashboard;
}
