import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../shared/api/client';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { toast } from '../../shared/toast/toast-store';
import { suggestionsKey, type Suggestion } from './suggestion';

/** How a suggestion stands once the vote is counted. */
export const afterVote = (suggestion: Suggestion, voted: boolean): Suggestion =>
  suggestion.userVoted === voted
    ? suggestion
    : { ...suggestion, userVoted: voted, voteCount: suggestion.voteCount + (voted ? 1 : -1) };

/** Gives a vote or takes it back. It shows at once, and goes back when the server does not take it. */
export function useVote() {
  const { t } = useTranslation('suggestions');
  const errorText = useErrorText();
  const queries = useQueryClient();
  const change = (id: number, next: (suggestion: Suggestion) => Suggestion) =>
    queries.setQueriesData<Suggestion[]>({ queryKey: suggestionsKey }, (list) =>
      list?.map((one) => (one.id === id ? next(one) : one)),
    );
  return useMutation({
    mutationFn: async ({ id, userVoted }: Suggestion) => {
      const init = { params: { path: { id } } };
      if (userVoted) await api.DELETE('/api/feature-suggestions/{id}/vote', init);
      else return (await api.POST('/api/feature-suggestions/{id}/vote', init)).data;
      return undefined;
    },
    onMutate: async ({ id, userVoted }) => {
      await queries.cancelQueries({ queryKey: suggestionsKey });
      change(id, (one) => afterVote(one, !userVoted));
    },
    onSuccess: (now) => now && change(now.id, () => now),
    onError: (error, before) => {
      change(before.id, (one) => afterVote(one, before.userVoted));
      toast.error(t('vote.failed'), errorText(error));
    },
  });
}
