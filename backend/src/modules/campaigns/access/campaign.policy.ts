import type { CampaignAbilitiesDto as CampaignAbilities } from '../dto/campaign.dto.js';
import type { CampaignKind, CampaignStatus } from '../entities/campaign.entity.js';

export interface CampaignPolicyInput {
  readonly kind: CampaignKind;
  readonly status: CampaignStatus;
  readonly failedCount: number;
  readonly keptCount: number;
  /** 0 until sending begins. */
  readonly recipientCount: number;
  /** Then nothing is left but the report. */
  readonly isZoneDeleted?: boolean;
}

/** Whether somebody reads the report of a campaign whose zone is gone: whoever sent it, as the zone's owner. */
export const canReadReportOfDeletedZone = (campaign: { readonly sentById: number }, userId: number): boolean =>
  campaign.sentById === userId;

/** What the owner of the zone may do with a campaign as it stands; nobody else may do anything, which has been checked. */
export function campaignAbilities(campaign: CampaignPolicyInput): CampaignAbilities {
  const abilities = abilitiesForStatus(campaign);
  if (!campaign.isZoneDeleted) return abilities;
  const none = Object.fromEntries(Object.keys(abilities).map((ability) => [ability, false]));
  return { ...abilities, ...none, seeReport: abilities.seeReport };
}

function abilitiesForStatus({
  kind,
  status,
  failedCount,
  keptCount,
  recipientCount,
}: CampaignPolicyInput): CampaignAbilities {
  const isDraft = kind === 'campaign' && status === 'draft';
  // Scheduled, and never begun: nothing was sent of it.
  const hasFailed = kind === 'campaign' && status === 'failed' && recipientCount === 0;
  const wasRefused = status === 'failed' && recipientCount > 0;
  const hasEnded = status === 'sent' || status === 'cancelled' || wasRefused;
  return {
    edit: isDraft || hasFailed,
    send: isDraft || hasFailed,
    schedule: isDraft || hasFailed,
    unschedule: status === 'scheduled',
    pause: status === 'sending',
    resume: status === 'paused',
    cancel: status === 'sending' || status === 'paused',
    retryFailed: hasEnded && failedCount + keptCount > 0,
    delete: isDraft || hasFailed,
    seeReport: status !== 'draft' && status !== 'scheduled' && !(status === 'failed' && recipientCount === 0),
  };
}
