import { useMutation, useQueryClient } from '@tanstack/react-query';
import { usageKey } from '../../shared/api/query-client';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { toast } from '../../shared/toast/toast-store';
import type { ResourceName } from '../resources';

interface AdminMutationOptions<V, R> {
  /** The list that shows it. */
  resource: ResourceName;
  call: (variables: V) => Promise<R>;
  /** Said once it is done. */
  successMessage: (result: R, variables: V) => string;
  /** Said when it failed, above the server's sentence. */
  errorTitle: string;
  /** Shows a refusal in its own place; where it answers true, no toast comes. */
  handleError?: (error: Error) => boolean;
}

/** A change that an administrator makes by a button: the toast tells of it, and the lists are asked for again. */
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
        // Figures, single rows and the kinds of entries that the lists filter by.
        queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/api/admin/') }),
      ]),
  });
}
