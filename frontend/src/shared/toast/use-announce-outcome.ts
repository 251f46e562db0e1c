import { useCallback } from 'react';
import { useErrorText } from '../hooks/use-error-text';
import { toast } from './toast-store';

/**
 * Returns a function that says what came of a change. Unlike the callbacks of `mutate`, it also does so when the component
 * has disappeared: with the row that was removed, or because the person went to another screen.
 */
export function useAnnounceOutcome() {
  const errorText = useErrorText();
  return useCallback(
    async <T>(
      change: Promise<T>,
      { onSuccess, failureTitle }: { onSuccess: (result: T) => void; failureTitle: string },
    ): Promise<void> => {
      let result: T;
      try {
        result = await change;
      } catch (error) {
        toast.error(failureTitle, errorText(error));
        return;
      }
      onSuccess(result);
    },
    [errorText],
  );
}
