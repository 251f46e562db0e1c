import DownloadRounded from '@mui/icons-material/DownloadRounded';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../shared/api/client';
import { useErrorText } from '../../shared/hooks/use-error-text';
import type { paths } from '../../shared/api/schema';
import { saveResponse } from '../../shared/files/save-file';
import { toast } from '../../shared/toast/toast-store';

export interface ListExport {
  /** The endpoint that exports the filtered list. */
  readonly path: Extract<keyof paths, `/api/admin/${string}/export`>;
  readonly label: string;
}

/** Downloads a list as a file. The server may demand reauthentication first, so it is fetched instead of linked. */
export function ListExportButton({ path, label, exportQuery }: ListExport & { exportQuery: Record<string, string> }) {
  const errorText = useErrorText();
  const exportMutation = useMutation({
    mutationFn: async () => {
      // The endpoints differ only in their filters, which come from the list's fields.
      const { data, response } = await api.GET(path as '/api/admin/users/export', {
        params: { query: exportQuery },
        parseAs: 'blob',
      });
      saveResponse(data as unknown as Blob, response, 'export.csv');
    },
    onError: (error) => toast.error(label, errorText(error)),
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
      {label}
    </Button>
  );
}
