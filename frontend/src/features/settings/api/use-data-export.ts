import { useMutation } from '@tanstack/react-query';
import { api } from '../../../shared/api/client';
import { saveResponse } from '../../../shared/files/save-file';

/** Fetches all that is held of the person and saves it as a file. A broken answer is a failure, never half a file. */
export function useDataExport() {
  return useMutation({
    mutationFn: async () => {
      const { data, response } = await api.GET('/api/user/export', { parseAs: 'blob' });
      saveResponse(data as Blob, response, 'export.json');
    },
    gcTime: 0,
  });
}
