import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../shared/api/client';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { toast } from '../../shared/toast/toast-store';
import { similarKey, suggestionsKey, type Suggestion } from './suggestion';

/** Returns the suggestion with the vote applied. */
export const applyVote = (suggestion: Suggestion, voted: boolean): Suggestion =>
  suggestion.userVoted === voted
    ? suggestion
    : { ...suggestion, userVoted: voted, voteCount: suggestion.voteCount + (voted ? 1 : -1) };

const listKeys = [suggestionsKey, similarKey];

/** Adds or removes the user's vote, optimistically with rollback. */
export function useVote() {
  const { t } = useTranslation('suggestions');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const updateSuggestion = async (id: number, next: (suggestion: Suggestion) => Suggestion) => {
    // A response in flight may contain the previous state.
    await Promise.all(listKeys.map((queryKey) => queryClient.cancelQueries({ queryKey })));
    for (const queryKey of listKeys) {
      queryClient.setQueriesData<Suggestion[]>({ queryKey }, (list) =>
        list?.map((suggestion) => (suggestion.id === id ? next(suggestion) : suggestion)),
      );
    }
  };
  /** A list that was cancelled before its first response would never load. */
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
    onMutate: ({ id, userVoted }) => updateSuggestion(id, (suggestion) => applyVote(suggestion, !userVoted)),
    onSuccess: (now, { id, userVoted }) =>
      updateSuggestion(id, (suggestion) => now ?? applyVote(suggestion, !userVoted)),
    onError: async (error, before) => {
      toast.error(t('vote.failed'), errorText(error));
      await updateSuggestion(before.id, (suggestion) => applyVote(suggestion, before.userVoted));
    },
    onSettled: refetchMissingLists,
  });
}
