import { useQuery } from '@tanstack/react-query';
import { currentUserQuery } from '../api/current-user';

/** The time zone by which days are told apart for whoever looks: that of their settings, else the browser's (IANA name). */
export function useTimeZone(): string {
  // Only what is known already: a page with days is shown to somebody signed in.
  const { data: user } = useQuery({ ...currentUserQuery, enabled: false });
  return user?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}
