import type { CampaignKind, CampaignStatus } from './entities/campaign.entity.js';

/** What the owner of the zone may do with a campaign as it stands. Nobody else may do anything. */
export interface CampaignAbilities {
  edit: boolean;
  send: boolean;
  schedule: boolean;
  unschedule: boolean;
  pause: boolean;
  resume: boolean;
  /** Stop it for good; recipients who have not got it are given back to the quota. */
  cancel: boolean;
  /** Send again to those whose mail failed. */
  retryFailed: boolean;
  delete: boolean;
  /** See opens, clicks and failures. */
  seeReport: boolean;
}

export interface JudgedCampaign {
  readonly kind: CampaignKind;
  readonly status: CampaignStatus;
  readonly failedCount: number;
}

/** Judges by state alone; that the viewer owns the zone has been checked. */
export function campaignAbilities({ kind, status, failedCount }: JudgedCampaign): CampaignAbilities {
  const isDraft = kind === 'campaign' && status === 'draft';
  const hasEnded = status === 'sent' || status === 'cancelled';
  return {
    edit: isDraft,
    send: isDraft,
    schedule: isDraft,
    unschedule: status === 'scheduled',
    pause: status === 'sending',
    resume: status === 'paused',
    cancel: status === 'sending' || status === 'paused',
    retryFailed: hasEnded && failedCount > 0,
    delete: isDraft || (kind === 'campaign' && status === 'failed'),
    seeReport: status !== 'draft' && status !== 'scheduled' && status !== 'failed',
  };
}
