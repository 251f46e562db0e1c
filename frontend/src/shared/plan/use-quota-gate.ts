import { useEffect, useState } from 'react';
import { $api } from '../api/client';
import { planLimitStore } from './plan-limit-store';
import type { Metric } from './usage';

/**
 * Decides whether a form that adds something may open. If the plan has no quota left, the upgrade dialog opens instead
 * of the form.
 * @param isRequested whether the user wants to open the form
 * @param cancelRequest resets that request
 */
export function useQuotaGate(metric: Metric, isRequested: boolean, cancelRequest: () => void): boolean {
  const options = { enabled: isRequested, staleTime: 0 };
  const { data, error, isFetching } = $api.useQuery('get', '/api/user/usage', {}, options);
  const metricUsage = data?.find((candidate) => candidate.metric === metric);
  const isFull = metricUsage !== undefined && metricUsage.allowed !== null && metricUsage.used >= metricUsage.allowed;
  // Cached usage may be outdated, so wait for the refetch. If usage can't be loaded, the server decides.
  const canOpen = isRequested && !isFull && (Boolean(data) || Boolean(error) || !isFetching);
  const isDenied = isRequested && isFull && !isFetching;
  // Stays open once opened: submitting may use up the rest of the quota.
  const [wasOpened, setWasOpened] = useState(false);
  if (canOpen && !wasOpened) setWasOpened(true);
  if (!isRequested && wasOpened) setWasOpened(false);
  useEffect(() => {
    if (!isDenied || wasOpened) return;
    planLimitStore.open({ limit: metric, message: '', used: metricUsage!.used, allowed: metricUsage!.allowed! });
    cancelRequest();
  });
  return isRequested && wasOpened;
}
