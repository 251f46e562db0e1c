import { useState } from 'react';
import { useOnboardingStatus } from '../../shared/account/use-onboarding';
import { $api } from '../../shared/api/client';
import { useSignedInUser } from '../../shared/api/current-user';
import { useStoredFlag } from '../../shared/hooks/use-stored-flag';
import { useTimeZone } from '../../shared/hooks/use-time-zone';
import { useInstallation } from '../../shared/installation/use-installation';
import { useUsage } from '../../shared/plan/usage';
import { useSubscription } from '../../shared/plan/use-subscription';

/** Whether a super admin has dismissed the notice of an unfinished setup. */
export const useSetupNoticeClosed = () => useStoredFlag('setupNoticeClosed', false);

/**
 * Whether all responses have arrived that determine the content and height of the dashboard. Each part loads its own
 * data in parallel; shown one by one, they would shift what the user is about to click. A failed request doesn't delay
 * the others. Once true it stays true: a retry after an error hides nothing.
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
