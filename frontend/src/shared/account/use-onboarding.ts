import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { $api, api, type Schema } from '../api/client';

export type OnboardingStatus = Schema<'StartDto'>;
/** In no particular order. */
export type OnboardingGoal = Exclude<keyof OnboardingStatus, 'closed'>;
type OnboardingStep = Schema<'StartStepDto'>['step'];

const ONBOARDING_KEY = ['get', '/api/dashboard/start'];

/**
 * Returns the progress of the checklist for new owners. Fetched on each visit until the checklist is closed for good.
 */
export function useOnboardingStatus() {
  return $api.useQuery('get', '/api/dashboard/start', undefined, {
    staleTime: ({ state }) => (state.data?.closed ? Infinity : 0),
  });
}

/**
 * Reports a completed step of the checklist for new owners. If reporting fails, the step stays open until it is done
 * again.
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
