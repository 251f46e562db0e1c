import type { ReactNode } from 'react';
import { readsFirst, useFirstPage } from '../../shared/account/first-page';
import { useSignedInUser } from '../../shared/api/current-user';

/** `/`: the home of who reads, the dashboard of everybody else. */
export function FirstPage({ home, dashboard }: { home: ReactNode; dashboard: ReactNode }) {
  const user = useSignedInUser();
  return readsFirst(user, useFirstPage()) ? home : dashboard;
}
