import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { toast } from '../toast/toast-store';
import { formDraftStorage } from '../forms/form-draft-storage';
import { useErrorText } from '../hooks/use-error-text';
import { api } from './client';

/** Leaves for the home page with a full navigation; an object so that tests can replace it. */
export const signOutRedirect = {
  /** While true, the page says nothing about the ended session, since the user ended it on purpose. */
  isInProgress: false,
  goHome: () => {
    signOutRedirect.isInProgress = true;
    location.assign('/');
  },
};

/** Signs the user out. Even if that fails, clears the cache and reloads the home page. */
export function useSignOut() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.POST('/api/logout'),
    onError: (error) => toast.showAfterReload({ tone: 'error', title: t('signOut.failed'), message: errorText(error) }),
    onSettled: () => {
      formDraftStorage.clearAll();
      queryClient.clear();
      signOutRedirect.goHome();
    },
  });
}
