import { useMutation, useQueryClient } from '@tanstack/react-query';
import { $api, api, type Schema } from '../../../shared/api/client';

export type Template = Schema<'TemplateDto'>;

const path = '/api/email-templates';

/** The built-in templates and the person's own; asked for once they are looked at. */
export const useTemplates = (enabled: boolean) => $api.useQuery('get', path, {}, { enabled });

function useRefresh() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['get', path] });
}

export function useSaveTemplate() {
  const onSuccess = useRefresh();
  return useMutation({ mutationFn: (body: Schema<'TemplateFormDto'>) => api.POST(path, { body }), onSuccess });
}

export function useDeleteTemplate() {
  const onSuccess = useRefresh();
  return useMutation({
    mutationFn: (id: number) => api.DELETE('/api/email-templates/{id}', { params: { path: { id } } }),
    onSuccess,
  });
}
