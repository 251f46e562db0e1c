import { useMutation, useQueryClient } from '@tanstack/react-query';
import { $api, api, type Schema } from '../../../shared/api/client';
import { touch, useTouched } from '../../../shared/api/touch';
import type { Change } from '../../../shared/api/touches';
import { inZone } from '../../../shared/api/use-zone';

export type Campaign = Schema<'CampaignDto'>;
export type CampaignSummary = Schema<'CampaignSummaryDto'>;
export type CampaignProgress = Schema<'SendingProgressDto'>;
export type Quota = Schema<'EmailQuotaDto'>;
export type SendPreview = Schema<'SendPreviewDto'>;
export type Status = CampaignSummary['status'];
export type Audience = CampaignSummary['targetAudience'];

export const audiences: readonly Audience[] = ['all', 'recent', 'older'];

/** How often a sending is looked at, in milliseconds. */
const LIVE_EVERY = 2000;

const onePath = '/api/campaigns/{id}';
const at = (id: number) => ({ params: { path: { id } } });

/** All campaigns of the person's zones, the newest first. */
export const useCampaigns = () => $api.useQuery('get', '/api/campaigns');

export const useZoneCampaigns = (zoneId: number) =>
  $api.useQuery('get', '/api/zones/{id}/campaigns', { params: { path: inZone(zoneId) } });

/** One campaign with what it says; asked for anew whenever it is opened. */
export const useCampaign = (id: number, enabled: boolean) =>
  $api.useQuery('get', onePath, at(id), { enabled, staleTime: 0 });

export const useQuota = () => $api.useQuery('get', '/api/user/email-quota');

/** How many a campaign would reach. */
export const useSendPreview = (zoneId: number | null, targetAudience: Audience) =>
  $api.useQuery(
    'get',
    '/api/zones/{id}/send-preview',
    { params: { path: inZone(zoneId ?? 0), query: { targetAudience } } },
    { enabled: zoneId !== null },
  );

/** What came of a campaign; while it is being sent it is asked for again every two seconds. */
export const useReport = (id: number) =>
  $api.useQuery('get', '/api/campaigns/{id}/report', at(id), {
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'sending' ? LIVE_EVERY : false),
  });

/** Keeps what the server says of a campaign now. */
function useKeep(change: Change) {
  const queries = useQueryClient();
  return (campaign: Campaign) => {
    queries.setQueryData(['get', onePath, at(campaign.id)], campaign);
    void touch(queries, change);
  };
}

/** Asks for a campaign as it is now, whatever is known of it. */
export function useFreshCampaign() {
  const queries = useQueryClient();
  return async (id: number): Promise<Campaign> => {
    const campaign = (await api.GET(onePath, at(id))).data!;
    queries.setQueryData(['get', onePath, at(id)], campaign);
    return campaign;
  };
}

/** Makes a draft. */
export function useCreateCampaign() {
  const onSuccess = useKeep('POST /api/campaigns');
  return useMutation({
    mutationFn: async (body: Schema<'CreateCampaignDto'>) => (await api.POST('/api/campaigns', { body })).data!,
    onSuccess,
  });
}

/** Changes a draft. */
export function useUpdateCampaign() {
  const onSuccess = useKeep('PUT /api/campaigns/{id}');
  return useMutation({
    mutationFn: async ({ id, ...body }: Schema<'UpdateCampaignDto'> & { id: number }) =>
      (await api.PUT(onePath, { ...at(id), body })).data!,
    onSuccess,
  });
}

export function useDeleteCampaign() {
  const touched = useTouched();
  return useMutation({
    mutationFn: (id: number) => api.DELETE(onePath, at(id)),
    onSuccess: () => void touched('DELETE /api/campaigns/{id}'),
  });
}

const steps = {
  send: (id: number, updatedAt?: string) => api.POST('/api/campaigns/{id}/send', { ...at(id), body: { updatedAt } }),
  unschedule: (id: number) => api.POST('/api/campaigns/{id}/unschedule', at(id)),
  pause: (id: number) => api.POST('/api/campaigns/{id}/pause', at(id)),
  resume: (id: number) => api.POST('/api/campaigns/{id}/resume', at(id)),
  cancel: (id: number) => api.POST('/api/campaigns/{id}/cancel', at(id)),
  retryFailed: (id: number) => api.POST('/api/campaigns/{id}/retry-failed', at(id)),
};
export type Step = keyof typeof steps;

/** Moves a campaign on: sends (the draft that was looked at, by `updatedAt`), pauses, resumes, cancels it and so on. */
export function useCampaignStep() {
  // Each of them moves the same lists and figures.
  const onSuccess = useKeep('POST /api/campaigns/{id}/send');
  return useMutation({
    mutationFn: async ({ id, step, updatedAt }: { id: number; step: Step; updatedAt?: string }) =>
      (await steps[step](id, updatedAt)).data!,
    onSuccess,
  });
}

/** Has a draft sent at a time; `scheduledAt` is what a clock in the time zone shows. */
export function useScheduleCampaign() {
  const onSuccess = useKeep('POST /api/campaigns/{id}/schedule');
  return useMutation({
    mutationFn: async ({ id, ...body }: Schema<'ScheduleDto'> & { id: number }) =>
      (await api.POST('/api/campaigns/{id}/schedule', { ...at(id), body })).data!,
    onSuccess,
  });
}

/** Sends the mail to its author. */
export function useTestMail() {
  const touched = useTouched();
  return useMutation({
    mutationFn: async (id: number) => (await api.POST('/api/campaigns/{id}/test', at(id))).data!,
    onSuccess: () => void touched('POST /api/campaigns/{id}/test'),
  });
}
