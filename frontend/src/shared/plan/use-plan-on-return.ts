import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../api/client';
import { currentUserKey, useCurrentUser } from '../api/current-user';
import { usageKey } from '../api/query-client';
import { portalVisit } from './portal-visit';
import { subscriptionKey, type SubscriptionStatus } from './use-subscription';

/** A browser tells of one return in several events, which come within so many milliseconds. */
const ONE_RETURN = 100;

/**
 * Asks for the subscription again when one comes back to the page: it is changed in another tab, at the payment
 * provider. After a visit there the provider is asked, because its own message may still be on the way.
 */
export function usePlanOnReturn(): void {
  const queries = useQueryClient();
  const { data: user } = useCurrentUser();
  const enabled = Boolean(user) && !user?.needsProfileCompletion;
  useEffect(() => {
    if (!enabled) return undefined;
    // One after the other, so that the last answer is the one that stays.
    let asked = Promise.resolve();
    return onReturn(() => void (asked = asked.then(() => askAgain(queries))));
  }, [enabled, queries]);
}

/** @returns what ends it */
function onReturn(back: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const check = () => {
    if (document.visibilityState !== 'visible') return;
    clearTimeout(timer);
    timer = setTimeout(back, ONE_RETURN);
  };
  const shown = (event: PageTransitionEvent) => event.persisted && check();
  document.addEventListener('visibilitychange', check);
  window.addEventListener('focus', check);
  window.addEventListener('pageshow', shown);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', check);
    window.removeEventListener('focus', check);
    window.removeEventListener('pageshow', shown);
  };
}

async function askAgain(queries: QueryClient): Promise<void> {
  const before = planIn(queries);
  const isRead = portalVisit.isRecent() && (await readAnew(queries));
  if (!isRead) await queries.refetchQueries({ queryKey: subscriptionKey, type: 'active' }, { cancelRefetch: false });
  if (planIn(queries) === before) return;
  for (const queryKey of [currentUserKey, usageKey]) void queries.invalidateQueries({ queryKey });
}

/** @returns whether the provider answered; when it does not, what we know must do */
async function readAnew(queries: QueryClient): Promise<boolean> {
  const answer = await api.POST('/api/subscription-status/refresh').catch(() => null);
  if (answer?.data) queries.setQueriesData({ queryKey: subscriptionKey }, answer.data);
  return Boolean(answer?.data);
}

function planIn(queries: QueryClient): string | undefined {
  const [entry] = queries.getQueriesData<SubscriptionStatus>({ queryKey: subscriptionKey });
  return entry?.[1]?.plan;
}
