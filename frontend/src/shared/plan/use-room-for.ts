import { useEffect, useState } from 'react';
import { $api } from '../api/client';
import { limitReached } from './limit-reached';
import type { Metric } from './usage';

/**
 * Whether a form may open that adds something to what the signed-in owner has. When the plan has no room for it, the dialog
 * about that comes before anything is filled in, and in the place of the form.
 * @param wanted whether the form is asked for
 * @param turnAway takes the wish back
 */
export function useRoomFor(metric: Metric, wanted: boolean, turnAway: () => void): boolean {
  const options = { enabled: wanted, staleTime: 0 };
  const { data, error, isFetching } = $api.useQuery('get', '/api/user/usage', {}, options);
  const known = data?.find((one) => one.metric === metric);
  const isFull = known !== undefined && known.allowed !== null && known.used >= known.allowed;
  // What is known already may be older than the room that was made; and when nothing can be known, the server decides.
  const isOpen = wanted && !isFull && (Boolean(data) || Boolean(error) || !isFetching);
  const isRefused = wanted && isFull && !isFetching;
  // Once open it stays: what it adds may be the last that there was room for.
  const [opened, setOpened] = useState(false);
  if (isOpen && !opened) setOpened(true);
  if (!wanted && opened) setOpened(false);
  useEffect(() => {
    if (!isRefused || opened) return;
    limitReached.show({ limit: metric, message: '', used: known!.used, allowed: known!.allowed! });
    turnAway();
  });
  return wanted && opened;
}
