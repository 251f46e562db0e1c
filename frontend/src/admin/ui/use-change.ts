import { useMutation, useQueryClient } from '@tanstack/react-query';
import { usageKey } from '../../shared/api/query-client';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { toast } from '../../shared/toast/toast-store';
import type { ResourceName } from '../resources';

interface Change<V, R> {
  /** The list that shows it. */
  resource: ResourceName;
  call: (variables: V) => Promise<R>;
  /** Said once it is done. */
  done: (result: R, variables: V) => string;
  /** Said when it failed, above the server's sentence. */
  failed: string;
  /** Shows a refusal in its own place; where it answers true, no toast comes. */
  showRefusal?: (error: Error) => boolean;
}

/** A change that an administrator makes by a button: the toast tells of it, and the lists are asked for again. */
export function useChange<V, R>({ resource, call, done, failed, showRefusal }: Change<V, R>) {
  const queries = useQueryClient();
  const errorText = useErrorText();
  return useMutation({
    mutationFn: call,
    onSuccess: (result, variables) => toast.success(done(result, variables)),
    onError: (error) => {
      if (!showRefusal?.(error)) toast.error(failed, errorText(error));
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: [resource] }),
        // Administrators have a plan as well.
        queries.invalidateQueries({ queryKey: usageKey }),
        // Figures, single rows and the kinds of entries that the lists filter by.
        queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/api/admin/') }),
      ]),
  });
}
