import { useMutation } from '@tanstack/react-query';
import { $api, api, type Schema } from '../../../shared/api/client';
import { useInvalidate } from '../../../shared/api/invalidate';

export type Template = Schema<'TemplateDto'>;

const path = '/api/email-templates';

/** Loads the built-in templates and the user's own, once they are displayed. */
export const useTemplates = (enabled: boolean) => $api.useQuery('get', path, {}, { enabled });

export function useSaveTemplate() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: (body: Schema<'TemplateFormDto'>) => api.POST(path, { body }),
    onSuccess: () => invalidate('POST /api/email-templates'),
  });
}

export function useDeleteTemplate() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: (id: number) => api.DELETE('/api/email-templates/{id}', { params: { path: { id } } }),
    onSuccess: () => invalidate('DELETE /api/email-templates/{id}'),
  });
}
