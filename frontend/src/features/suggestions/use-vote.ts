import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../shared/api/client';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { toast } from '../../shared/toast/toast-store';
import { similarKey, suggestionsKey, type Suggestion } from './suggestion';

/** How a suggestion stands once the vote is counted. */
export const applyVote = (suggestion: Suggestion, voted: boolean): Suggestion =>
  suggestion.userVoted === voted
    ? suggestion
    : { ...suggestion, userVoted: voted, voteCount: suggestion.voteCount + (voted ? 1 : -1) };

const listKeys = [suggestionsKey, similarKey];

/** Gives a vote or takes it back. It shows at once, and goes back when the server does not take it. */
export function useVote() {
  const { t } = useTranslation('suggestions');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const updateSuggestion = async (id: number, next: (suggestion: Suggestion) => Suggestion) => {
    // An answer that is on its way may tell how things stood before.
    await Promise.all(listKeys.map((queryKey) => queryClient.cancelQueries({ queryKey })));
    for (const queryKey of listKeys) {
      queryClient.setQueriesData<Suggestion[]>({ queryKey }, (list) =>
        list?.map((one) => (one.id === id ? next(one) : one)),
      );
    }
  };
  /** A list that was cancelled before its first answer would never be shown. */
  const refetchMissingLists = () => {
    for (const queryKey of listKeys) {
      void queryClient.refetchQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
    }
  };
  return useMutation({
    mutationFn: async ({ id, userVoted }: Suggestion) => {
      const init = { params: { path: { id } } };
      if (userVoted) await api.DELETE('/api/feature-suggestions/{id}/vote', init);
      else return (await api.POST('/api/feature-suggestions/{id}/vote', init)).data;
      return undefined;
    },
    onMutate: ({ id, userVoted }) => updateSuggestion(id, (one) => applyVote(one, !userVoted)),
    onSuccess: (now, { id, userVoted }) => updateSuggestion(id, (one) => now ?? applyVote(one, !userVoted)),
    onError: async (error, before) => {
      toast.error(t('vote.failed'), errorText(error));
      await updateSuggestion(before.id, (one) => applyVote(one, before.userVoted));
    },
    onSettled: refetchMissingLists,
  });
}
