import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { $api, api, type Schema } from '../api/client';

export type Start = Schema<'StartDto'>;
/** What the list shows, in no order. */
export type StartGoal = Exclude<keyof Start, 'closed'>;
type StartStep = Schema<'StartStepDto'>['step'];

const key = ['get', '/api/dashboard/start'];

/** What is done of the list for new owners. It is asked anew at each visit until it is gone for good. */
export function useStart() {
  return $api.useQuery('get', '/api/dashboard/start', undefined, {
    staleTime: ({ state }) => (state.data?.closed ? Infinity : 0),
  });
}

/**
 * Tells that somebody has done what the list for new owners waits for. A step that could not be told stays open there, and
 * is told when it is done again.
 */
export function useStartStep(): (step: StartStep) => void {
  const queries = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: async (step: StartStep) => (await api.POST('/api/dashboard/start', { body: { step } })).data!,
    onSuccess: (start) => queries.setQueryData(key, start),
  });
  return useCallback(
    (step) => {
      const known = queries.getQueryData<Start>(key);
      if (!known?.closed && !known?.[step]) mutate(step);
    },
    [queries, mutate],
  );
}
