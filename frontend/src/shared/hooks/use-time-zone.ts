import { useQuery } from '@tanstack/react-query';
import { currentUserQuery } from '../api/current-user';

/** The IANA time zone used for calendar days: the user's setting, else the browser's. */
export function useTimeZone(): string {
  // Reads the cache only: pages with dates are shown to signed-in users.
  const { data: user } = useQuery({ ...currentUserQuery, enabled: false });
  return user?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}
