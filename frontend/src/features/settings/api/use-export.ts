import { useMutation } from '@tanstack/react-query';
import { api } from '../../../shared/api/client';
import { saveFile } from '../save-file';

/** Fetches all that is held of the person and saves it as a file. A broken answer is a failure, never half a file. */
export function useExport() {
  return useMutation({
    mutationFn: async () => {
      const { data, response } = await api.GET('/api/user/export', { parseAs: 'blob' });
      const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
      saveFile(data as Blob, name ?? 'export.json');
    },
    gcTime: 0,
  });
}
