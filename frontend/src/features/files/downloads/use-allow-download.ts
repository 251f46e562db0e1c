import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { touch } from '../../../shared/api/touch';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import type { StoredFile } from '../entries';

/** Turns the permission of members to download a file on and off. */
export function useAllowDownload() {
  const { t } = useTranslation('files');
  const queries = useQueryClient();
  const errorText = useErrorText();
  const { mutate } = useMutation({
    mutationFn: ({ id, allowDownload }: Pick<StoredFile, 'id' | 'allowDownload'>) =>
      api.PATCH('/api/files/{id}', { params: { path: { id } }, body: { allowDownload } }),
    onSuccess: (_, { allowDownload }) => {
      toast.success(t(allowDownload ? 'downloading.allowed' : 'downloading.refused'));
      return touch(queries, 'PATCH /api/files/{id}');
    },
    onError: (error) => toast.error(t('downloading.changeFailed'), errorText(error)),
  });
  return useCallback(({ id, allowDownload }: StoredFile) => mutate({ id, allowDownload: !allowDownload }), [mutate]);
}
