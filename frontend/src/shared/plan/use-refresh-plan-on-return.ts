import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../api/client';
import { currentUserKey, useCurrentUser } from '../api/current-user';
import { usageKey } from '../api/query-client';
import { portalVisit } from './portal-visit';
import { subscriptionKey, type SubscriptionStatus } from './use-subscription';

/** Browsers fire several events for one return, within this many milliseconds. */
const RETURN_DEBOUNCE = 100;

/**
 * Refreshes the subscription when the user returns to the page, because it is changed in another tab, at the payment
 * provider. After a visit there, asks the provider, because its webhook may still be on the way.
 */
export function useRefreshPlanOnReturn(): void {
  const queryClient = useQueryClient();
  const { data: user } = useCurrentUser();
  const enabled = Boolean(user) && !user?.needsProfileCompletion;
  useEffect(() => {
    if (!enabled) return undefined;
    // Sequential, so that the last response wins.
    let lastRefresh = Promise.resolve();
    return subscribeToReturn(() => void (lastRefresh = lastRefresh.then(() => refreshSubscription(queryClient))));
  }, [enabled, queryClient]);
}

/** @returns the unsubscribe function */
function subscribeToReturn(callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const handleReturn = () => {
    if (document.visibilityState !== 'visible') return;
    clearTimeout(timer);
    timer = setTimeout(callback, RETURN_DEBOUNCE);
  };
  const handlePageShow = (event: PageTransitionEvent) => event.persisted && handleReturn();
  document.addEventListener('visibilitychange', handleReturn);
  window.addEventListener('focus', handleReturn);
  window.addEventListener('pageshow', handlePageShow);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', handleReturn);
    window.removeEventListener('focus', handleReturn);
    window.removeEventListener('pageshow', handlePageShow);
  };
}

async function refreshSubscription(queryClient: QueryClient): Promise<void> {
  const previousPlan = getCachedPlan(queryClient);
  const isRefreshed = portalVisit.isRecent() && (await refreshFromProvider(queryClient));
  if (!isRefreshed)
    await queryClient.refetchQueries({ queryKey: subscriptionKey, type: 'active' }, { cancelRefetch: false });
  if (getCachedPlan(queryClient) === previousPlan) return;
  for (const queryKey of [currentUserKey, usageKey]) void queryClient.invalidateQueries({ queryKey });
}

/** @returns whether the provider responded; if not, our own data is used */
async function refreshFromProvider(queryClient: QueryClient): Promise<boolean> {
  const response = await api.POST('/api/subscription-status/refresh').catch(() => null);
  if (response?.data) queryClient.setQueriesData({ queryKey: subscriptionKey }, response.data);
  return Boolean(response?.data);
}

function getCachedPlan(queryClient: QueryClient): string | undefined {
  const [entry] = queryClient.getQueriesData<SubscriptionStatus>({ queryKey: subscriptionKey });
  return entry?.[1]?.plan;
}
