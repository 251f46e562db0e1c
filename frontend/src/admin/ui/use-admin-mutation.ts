import { useMutation, useQueryClient } from '@tanstack/react-query';
import { usageKey } from '../../shared/api/query-client';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { toast } from '../../shared/toast/toast-store';
import type { ResourceName } from '../resources';

export interface AdminMutationOptions<V, R> {
  /** The list to refetch. */
  resource: ResourceName;
  call: (variables: V) => Promise<R>;
  /** Shown on success. */
  successMessage: (result: R, variables: V) => string;
  /** Shown on failure, above the server's message. */
  errorTitle: string;
  /** Handles an error itself; if it returns true, no toast is shown. */
  handleError?: (error: Error) => boolean;
}

/** A mutation of the administration: shows a toast and refetches the lists. */
export function useAdminMutation<V, R>({
  resource,
  call,
  successMessage,
  errorTitle,
  handleError,
}: AdminMutationOptions<V, R>) {
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  return useMutation({
    mutationFn: call,
    onSuccess: (result, variables) => toast.success(successMessage(result, variables)),
    onError: (error) => {
      if (!handleError?.(error)) toast.error(errorTitle, errorText(error));
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: [resource] }),
        // Administrators have a plan as well.
        queryClient.invalidateQueries({ queryKey: usageKey }),
        // Figures, single rows, and the types in the lists' filters.
        queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/api/admin/') }),
      ]),
  });
}
