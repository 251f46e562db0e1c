import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { leaving } from '../../../shared/api/use-sign-out';
import { keptWords } from '../../../shared/forms/kept-words';
import { toast } from '../../../shared/toast/toast-store';

/** Deletes the account of the signed-in person and leaves for the first page, where it is said that it is done. */
export function useDeleteAccount() {
  const { t } = useTranslation('settings');
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.DELETE('/api/user', { body: {} }),
    onSuccess: () => {
      toast.afterReload({ tone: 'success', title: t('deletion.done'), message: t('deletion.doneText') });
      keptWords.forgetAll();
      queries.clear();
      leaving.goHome();
    },
  });
}
