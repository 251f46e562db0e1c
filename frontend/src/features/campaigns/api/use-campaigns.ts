import { useMutation, useQueryClient } from '@tanstack/react-query';
import { $api, api, type Schema } from '../../../shared/api/client';
import { invalidate, useInvalidate } from '../../../shared/api/invalidate';
import type { MutationRoute } from '../../../shared/api/invalidation-map';
import { zonePathParams } from '../../../shared/api/use-zone';

export type Campaign = Schema<'CampaignDto'>;
export type CampaignSummary = Schema<'CampaignSummaryDto'>;
export type CampaignProgress = Schema<'SendingProgressDto'>;
export type Quota = Schema<'EmailQuotaDto'>;
export type SendPreview = Schema<'SendPreviewDto'>;
export type CampaignStatus = CampaignSummary['status'];
export type Audience = CampaignSummary['targetAudience'];

export const audiences: readonly Audience[] = ['all', 'recent', 'older'];

/** Milliseconds between polls of a campaign being sent. */
const REPORT_POLL_INTERVAL = 2000;

const campaignPath = '/api/campaigns/{id}';
const pathParams = (id: number) => ({ params: { path: { id } } });

/** Loads all campaigns of the user's zones, newest first. */
export const useCampaigns = () => $api.useQuery('get', '/api/campaigns');

export const useZoneCampaigns = (zoneId: number) =>
  $api.useQuery('get', '/api/zones/{id}/campaigns', { params: { path: zonePathParams(zoneId) } });

/** Loads one campaign with its content; refetched whenever it is opened. */
export const useCampaign = (id: number, enabled: boolean) =>
  $api.useQuery('get', campaignPath, pathParams(id), { enabled, staleTime: 0 });

export const useEmailQuota = () => $api.useQuery('get', '/api/user/email-quota');

/** Loads how many people a campaign would reach. */
export const useSendPreview = (zoneId: number | null, targetAudience: Audience) =>
  $api.useQuery(
    'get',
    '/api/zones/{id}/send-preview',
    { params: { path: zonePathParams(zoneId ?? 0), query: { targetAudience } } },
    { enabled: zoneId !== null },
  );

/** Loads a campaign's report; polls every two seconds while it is being sent. */
export const useCampaignReport = (id: number) =>
  $api.useQuery('get', '/api/campaigns/{id}/report', pathParams(id), {
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'sending' ? REPORT_POLL_INTERVAL : false),
  });

/** Caches the campaign that the server returned. */
function useCacheCampaign(mutation: MutationRoute) {
  const queryClient = useQueryClient();
  return (campaign: Campaign) => {
    queryClient.setQueryData(['get', campaignPath, pathParams(campaign.id)], campaign);
    void invalidate(queryClient, mutation);
  };
}

/** Returns a function that fetches the current campaign, bypassing the cache. */
export function useFetchCampaign() {
  const queryClient = useQueryClient();
  return async (id: number): Promise<Campaign> => {
    const campaign = (await api.GET(campaignPath, pathParams(id))).data!;
    queryClient.setQueryData(['get', campaignPath, pathParams(id)], campaign);
    return campaign;
  };
}

export function useCreateCampaign() {
  const onSuccess = useCacheCampaign('POST /api/campaigns');
  return useMutation({
    mutationFn: async (body: Schema<'CreateCampaignDto'>) => (await api.POST('/api/campaigns', { body })).data!,
    onSuccess,
  });
}

export function useUpdateCampaign() {
  const onSuccess = useCacheCampaign('PUT /api/campaigns/{id}');
  return useMutation({
    mutationFn: async ({ id, ...body }: Schema<'UpdateCampaignDto'> & { id: number }) =>
      (await api.PUT(campaignPath, { ...pathParams(id), body })).data!,
    onSuccess,
  });
}

export function useDeleteCampaign() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: (id: number) => api.DELETE(campaignPath, pathParams(id)),
    onSuccess: () => void invalidate('DELETE /api/campaigns/{id}'),
  });
}

const campaignActions = {
  send: (id: number, updatedAt?: string) =>
    api.POST('/api/campaigns/{id}/send', { ...pathParams(id), body: { updatedAt } }),
  unschedule: (id: number) => api.POST('/api/campaigns/{id}/unschedule', pathParams(id)),
  pause: (id: number) => api.POST('/api/campaigns/{id}/pause', pathParams(id)),
  resume: (id: number) => api.POST('/api/campaigns/{id}/resume', pathParams(id)),
  cancel: (id: number) => api.POST('/api/campaigns/{id}/cancel', pathParams(id)),
  retryFailed: (id: number) => api.POST('/api/campaigns/{id}/retry-failed', pathParams(id)),
};
export type CampaignAction = keyof typeof campaignActions;

/**
 * Changes a campaign's state: sends, pauses, resumes or cancels it, and so on. Sending passes the `updatedAt` of the
 * draft that the user confirmed.
 */
export function useCampaignAction() {
  // All actions affect the same lists and figures.
  const onSuccess = useCacheCampaign('POST /api/campaigns/{id}/send');
  return useMutation({
    mutationFn: async ({ id, step, updatedAt }: { id: number; step: CampaignAction; updatedAt?: string }) =>
      (await campaignActions[step](id, updatedAt)).data!,
    onSuccess,
  });
}

/** Schedules a draft; `scheduledAt` is local time in the chosen time zone. */
export function useScheduleCampaign() {
  const onSuccess = useCacheCampaign('POST /api/campaigns/{id}/schedule');
  return useMutation({
    mutationFn: async ({ id, ...body }: Schema<'ScheduleDto'> & { id: number }) =>
      (await api.POST('/api/campaigns/{id}/schedule', { ...pathParams(id), body })).data!,
    onSuccess,
  });
}

/** Sends the email to its author. */
export function useSendTestEmail() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: async (id: number) => (await api.POST('/api/campaigns/{id}/test', pathParams(id))).data!,
    onSuccess: () => void invalidate('POST /api/campaigns/{id}/test'),
  });
}
