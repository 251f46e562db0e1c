import { useEffect, useState } from 'react';
import { $api } from '../api/client';
import { planLimitStore } from './plan-limit-store';
import type { Metric } from './usage';

/**
 * Whether a form may open that adds something to what the signed-in owner has. When the plan has no room for it, the dialog
 * about that comes before anything is filled in, and in the place of the form.
 * @param wanted whether the form is asked for
 * @param turnAway takes the wish back
 */
export function useQuotaGate(metric: Metric, isRequested: boolean, cancelRequest: () => void): boolean {
  const options = { enabled: isRequested, staleTime: 0 };
  const { data, error, isFetching } = $api.useQuery('get', '/api/user/usage', {}, options);
  const metricUsage = data?.find((candidate) => candidate.metric === metric);
  const isFull = metricUsage !== undefined && metricUsage.allowed !== null && metricUsage.used >= metricUsage.allowed;
  // What is known already may be older than the room that was made; and when nothing can be known, the server decides.
  const canOpen = isRequested && !isFull && (Boolean(data) || Boolean(error) || !isFetching);
  const isDenied = isRequested && isFull && !isFetching;
  // Once open it stays: what it adds may be the last that there was room for.
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
