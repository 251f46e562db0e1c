import { useMutation } from '@tanstack/react-query';
import { api } from '../../../shared/api/client';
import { saveResponse } from '../../../shared/files/save-file';

/**
 * Downloads all data held about the user as a file. A truncated response is an error, so an incomplete file is never
 * saved.
 */
export function useDataExport() {
  return useMutation({
    mutationFn: async () => {
      const { data, response } = await api.GET('/api/user/export', { parseAs: 'blob' });
      saveResponse(data as Blob, response, 'export.json');
    },
    gcTime: 0,
  });
}
