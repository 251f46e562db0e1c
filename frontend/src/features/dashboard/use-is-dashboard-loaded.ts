import { useState } from 'react';
import { useOnboardingStatus } from '../../shared/account/use-onboarding';
import { $api } from '../../shared/api/client';
import { useSignedInUser } from '../../shared/api/current-user';
import { useStoredFlag } from '../../shared/hooks/use-stored-flag';
import { useTimeZone } from '../../shared/hooks/use-time-zone';
import { useInstallation } from '../../shared/installation/use-installation';
import { useUsage } from '../../shared/plan/usage';
import { useSubscription } from '../../shared/plan/use-subscription';

/** Whether a super admin has closed the notice of a setup that was left before its end. */
export const useSetupNoticeClosed = () => useStoredFlag('setupNoticeClosed', false);

/**
 * Whether the answers are there that decide what stands on the dashboard and how high it is. Each part asks for its own,
 * all at once; shown one by one, they would push away what somebody is about to press. One that failed does not hold up the
 * others. Once they have been there it stays so: asking again after a failure hides nothing.
 */
export function useIsDashboardLoaded(): boolean {
  const { isSuperAdmin } = useSignedInUser();
  const [isNoticeClosed] = useSetupNoticeClosed();
  const query = { timeZone: useTimeZone() };
  const queries = [
    $api.useQuery('get', '/api/dashboard/stats', { params: { query } }),
    $api.useQuery('get', '/api/dashboard/attention'),
    $api.useQuery('get', '/api/zones'),
    useOnboardingStatus(),
    useUsage(),
    useSubscription(),
    useInstallation(isSuperAdmin && !isNoticeClosed),
  ];
  const [wasLoaded, setWasLoaded] = useState(false);
  const areLoaded = queries.every(({ isLoading }) => !isLoading);
  if (areLoaded && !wasLoaded) setWasLoaded(true);
  return wasLoaded || areLoaded;
}
