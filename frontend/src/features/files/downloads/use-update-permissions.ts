import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, type Schema } from '../../../shared/api/client';
import { invalidate } from '../../../shared/api/invalidate';
import { toast } from '../../../shared/toast/toast-store';
import type { StoredFile } from '../entries';

/** Updates what members can do with a file. */
export function useUpdatePermissions(file: StoredFile) {
  const { t } = useTranslation('files');
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Schema<'UpdateFileDto'>) =>
      api.PATCH('/api/files/{id}', { params: { path: { id: file.id } }, body }),
    onSuccess: (_, { allowDownload }) => {
      toast.success(t(allowDownload ? 'downloading.allowed' : 'downloading.disallowed'));
      return invalidate(queryClient, 'PATCH /api/files/{id}');
    },
  });
}
