import DownloadRounded from '@mui/icons-material/DownloadRounded';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { saveResponse } from '../../../shared/files/save-file';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import type { ResourceEndpoints } from '../../resources';
import { useTypedFilters } from './search-text';

/**
 * Downloads the filtered list as a file that the server streams. The server may demand reauthentication first, so it is
 * fetched instead of linked.
 */
export function ExportButton({ path }: { path: NonNullable<ResourceEndpoints['export']> }) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const filters = useTypedFilters();
  const exportMutation = useMutation({
    mutationFn: async () => {
      // The endpoints differ only in their filters, which come from the list's inputs.
      const { data, response } = await api.GET(path as '/api/admin/users/export', {
        params: { query: filters },
        parseAs: 'blob',
      });
      saveResponse(data as unknown as Blob, response, 'export.csv');
    },
    onError: (error) => toast.error(t('list.export'), errorText(error)),
    gcTime: 0,
  });
  return (
    <Button
      startIcon={<DownloadRounded />}
      loading={exportMutation.isPending}
      loadingPosition="start"
      onClick={() => exportMutation.mutate()}
      sx={{ ml: { sm: 'auto' } }}
    >
      {t('list.export')}
    </Button>
  );
}
