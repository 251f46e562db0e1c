import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { signOutRedirect } from '../../../shared/api/use-sign-out';
import { formDraftStorage } from '../../../shared/forms/form-draft-storage';
import { toast } from '../../../shared/toast/toast-store';

/** Deletes the account of the signed-in user and leaves for the start page, which confirms the deletion. */
export function useDeleteAccount() {
  const { t } = useTranslation('settings');
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.DELETE('/api/user', { body: {} }),
    onSuccess: () => {
      toast.showAfterReload({ tone: 'success', title: t('deletion.done'), message: t('deletion.doneText') });
      formDraftStorage.clearAll();
      queryClient.clear();
      signOutRedirect.goHome();
    },
  });
}
