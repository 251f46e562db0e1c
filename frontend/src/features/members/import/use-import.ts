import { useMutation } from '@tanstack/react-query';
import { api, type Schema } from '../../../shared/api/client';
import { useInvalidate } from '../../../shared/api/invalidate';
import { zonePathParams } from '../../../shared/api/use-zone';

export type ImportResult = Schema<'ImportResultDto'>;

export interface ImportRequest {
  file: File;
  mode: 'invite' | 'add';
  consentConfirmed: boolean;
  /** Whether added people are notified by email. */
  tell: boolean;
  dryRun: boolean;
}

/** Uploads a file of people to import; with `dryRun` nothing is changed, and the response predicts the result. */
export function useImport(zoneId: number) {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: async ({ file, ...fields }: ImportRequest): Promise<ImportResult> => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
      form.append('file', file, file.name);
      const { data } = await api.POST('/api/zones/{id}/members/import', {
        params: { path: zonePathParams(zoneId) },
        body: { file: file.name },
        bodySerializer: () => form,
      });
      return data!;
    },
    onSuccess: ({ dryRun }) => (dryRun ? undefined : invalidate('POST /api/zones/{id}/members/import')),
  });
}
