import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { toast } from '../toast/toast-store';
import { formDraftStorage } from '../forms/form-draft-storage';
import { useErrorText } from '../hooks/use-error-text';
import { api } from './client';

/** Leaves the page for the first one with a full navigation; replaced in tests, where there is none. */
export const signOutRedirect = {
  /** What is shown until the first page comes needs no word about the session that was ended on purpose. */
  isInProgress: false,
  goHome: () => {
    signOutRedirect.isInProgress = true;
    location.assign('/');
  },
};

/** Ends the session. Whether that works or not, everything cached is dropped and the first page is loaded anew. */
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
