import { useMutation } from '@tanstack/react-query';
import { $api, api, type Schema } from '../../../shared/api/client';
import { useInvalidate } from '../../../shared/api/invalidate';
import { zonePathParams } from '../../../shared/api/use-zone';
import { useTimeZone } from '../../../shared/hooks/use-time-zone';

/** A temporary link with its analytics. */
export type LinkItem = Schema<'LinkAnalyticsDto'>;
export type LinkFigures = Schema<'LinkFiguresDto'>;
export type NewLink = Schema<'CreateTemporaryLinkDto'>;
export type LinkChange = Schema<'UpdateTemporaryLinkDto'>;

const linkAnalyticsPath = '/api/zones/{id}/temporary-links/analytics';

/** Loads the temporary links of a zone with their analytics, newest first. */
export function useLinks(zoneId: number) {
  const query = { timeZone: useTimeZone() };
  return $api.useQuery('get', linkAnalyticsPath, { params: { path: zonePathParams(zoneId), query } });
}

/** Loads the analytics of a zone's public link, once they are displayed. */
export function usePublicLinkAnalytics(zoneId: number, enabled: boolean) {
  const query = { timeZone: useTimeZone() };
  return $api.useQuery(
    'get',
    '/api/zones/{id}/public-link/analytics',
    { params: { path: zonePathParams(zoneId), query } },
    { enabled },
  );
}

/**
 * Loads how many of those who joined by a link opened, read and downloaded files.
 * @param linkId null for the public link
 */
export function useLinkFunnel(zoneId: number, linkId: number | null) {
  const query = linkId === null ? {} : { linkId };
  return $api.useQuery(
    'get',
    '/api/zones/{id}/link-funnel',
    { params: { path: zonePathParams(zoneId), query } },
    { staleTime: 0 },
  );
}

export function useCreateLink(zoneId: number) {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: async (body: NewLink) => {
      const { data } = await api.POST('/api/zones/{id}/temporary-links', {
        params: { path: zonePathParams(zoneId) },
        body,
      });
      return data!;
    },
    onSuccess: () => invalidate('POST /api/zones/{id}/temporary-links'),
  });
}

/** Changes, pauses or resumes a link. */
export function useUpdateLink() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: ({ id, ...body }: LinkChange & { id: number }) =>
      api.PATCH('/api/temporary-links/{id}', { params: { path: { id } }, body }),
    onSuccess: () => invalidate('PATCH /api/temporary-links/{id}'),
  });
}

export function useDeleteLink() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: (id: number) => api.DELETE('/api/temporary-links/{id}', { params: { path: { id } } }),
    onSuccess: () => invalidate('DELETE /api/temporary-links/{id}'),
  });
}

/** Replaces the link of a public zone. */
export function useRenewPublicLink(zoneId: number) {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: () => api.POST('/api/zones/{id}/public-link/regenerate', { params: { path: zonePathParams(zoneId) } }),
    onSuccess: () => invalidate('POST /api/zones/{id}/public-link/regenerate'),
  });
}
