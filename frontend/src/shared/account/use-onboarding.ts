import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { $api, api, type Schema } from '../api/client';

export type OnboardingStatus = Schema<'StartDto'>;
/** What the list shows, in no order. */
export type OnboardingGoal = Exclude<keyof OnboardingStatus, 'closed'>;
type OnboardingStep = Schema<'StartStepDto'>['step'];

const ONBOARDING_KEY = ['get', '/api/dashboard/start'];

/** What is done of the list for new owners. It is asked anew at each visit until it is gone for good. */
export function useOnboardingStatus() {
  return $api.useQuery('get', '/api/dashboard/start', undefined, {
    staleTime: ({ state }) => (state.data?.closed ? Infinity : 0),
  });
}

/**
 * Tells that somebody has done what the list for new owners waits for. A step that could not be told stays open there, and
 * is told when it is done again.
 */
export function useCompleteOnboardingStep(): (step: OnboardingStep) => void {
  const queryClient = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: async (step: OnboardingStep) => (await api.POST('/api/dashboard/start', { body: { step } })).data!,
    onSuccess: (newStatus) => queryClient.setQueryData(ONBOARDING_KEY, newStatus),
  });
  return useCallback(
    (step) => {
      const status = queryClient.getQueryData<OnboardingStatus>(ONBOARDING_KEY);
      if (!status?.closed && !status?.[step]) mutate(step);
    },
    [queryClient, mutate],
  );
}
