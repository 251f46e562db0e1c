import { useMutation } from '@tanstack/react-query';
import { $api, api, type Schema } from '../../../shared/api/client';
import { useTouched } from '../../../shared/api/touch';
import { inZone } from '../../../shared/api/use-zone';
import { useTimeZone } from '../../../shared/hooks/use-time-zone';

/** A temporary link with what came of it. */
export type LinkItem = Schema<'LinkAnalyticsDto'>;
export type LinkFigures = Schema<'LinkFiguresDto'>;
export type NewLink = Schema<'CreateTemporaryLinkDto'>;
export type LinkChange = Schema<'UpdateTemporaryLinkDto'>;

const withFigures = '/api/zones/{id}/temporary-links/analytics';

/** The temporary links of a zone and their figures, the newest first. */
export function useLinks(zoneId: number) {
  const query = { timeZone: useTimeZone() };
  return $api.useQuery('get', withFigures, { params: { path: inZone(zoneId), query } });
}

/** What came of the public link of a zone; asked for once it is looked at. */
export function usePublicFigures(zoneId: number, enabled: boolean) {
  const query = { timeZone: useTimeZone() };
  return $api.useQuery(
    'get',
    '/api/zones/{id}/public-link/analytics',
    { params: { path: inZone(zoneId), query } },
    { enabled },
  );
}

export function useCreateLink(zoneId: number) {
  const touched = useTouched();
  return useMutation({
    mutationFn: async (body: NewLink) => {
      const { data } = await api.POST('/api/zones/{id}/temporary-links', { params: { path: inZone(zoneId) }, body });
      return data!;
    },
    onSuccess: () => touched('POST /api/zones/{id}/temporary-links'),
  });
}

/** Changes, pauses or resumes a link. */
export function useChangeLink() {
  const touched = useTouched();
  return useMutation({
    mutationFn: ({ id, ...body }: LinkChange & { id: number }) =>
      api.PATCH('/api/temporary-links/{id}', { params: { path: { id } }, body }),
    onSuccess: () => touched('PATCH /api/temporary-links/{id}'),
  });
}

export function useDeleteLink() {
  const touched = useTouched();
  return useMutation({
    mutationFn: (id: number) => api.DELETE('/api/temporary-links/{id}', { params: { path: { id } } }),
    onSuccess: () => touched('DELETE /api/temporary-links/{id}'),
  });
}

/** Gives a public zone another link. */
export function useRenewPublicLink(zoneId: number) {
  const touched = useTouched();
  return useMutation({
    mutationFn: () => api.POST('/api/zones/{id}/public-link/regenerate', { params: { path: inZone(zoneId) } }),
    onSuccess: () => touched('POST /api/zones/{id}/public-link/regenerate'),
  });
}
