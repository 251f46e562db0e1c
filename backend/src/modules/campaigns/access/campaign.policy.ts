import { campaignErrors } from '../campaigns.errors.js';
import type { CampaignAbilitiesDto as CampaignAbilities } from '../dto/campaign.dto.js';
import type { Campaign, CampaignKind, CampaignStatus } from '../entities/campaign.entity.js';

export interface CampaignPolicyInput {
  readonly kind: CampaignKind;
  readonly status: CampaignStatus;
  readonly failedCount: number;
  readonly keptCount: number;
  /** 0 until sending starts. */
  readonly recipientCount: number;
  /** If the zone is deleted, only the report remains available. */
  readonly isZoneDeleted?: boolean;
}

/** Whether a person may read the report of a campaign in a deleted zone: only the former owner who sent it. */
export const canReadReportOfDeletedZone = (campaign: { readonly sentById: number }, userId: number): boolean =>
  campaign.sentById === userId;

/**
 * Computes what the zone's owner may do with a campaign in its current state. The caller has checked that the viewer is
 * the owner; no one else may do anything.
 */
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
  // A scheduled campaign that could not start: nothing was sent.
  const hasFailed = kind === 'campaign' && status === 'failed' && recipientCount === 0;
  const wasRejected = status === 'failed' && recipientCount > 0;
  const hasEnded = status === 'sent' || status === 'cancelled' || wasRejected;
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

const DRAFT_ABILITIES: readonly (keyof CampaignAbilities)[] = ['edit', 'send', 'schedule', 'delete'];

/**
 * Checks that the owner may do something with a campaign in its current state.
 * @param campaign null if it no longer exists
 * @throws CAMPAIGN_NOT_FOUND; CAMPAIGN_NOT_DRAFT if that requires a draft; NOTHING_FAILED, CAMPAIGN_STATE
 */
export function assertAbility<T extends CampaignPolicyInput>(
  campaign: T | null,
  ability: keyof CampaignAbilities,
): asserts campaign is T {
  if (!campaign) throw campaignErrors.CAMPAIGN_NOT_FOUND();
  if (campaignAbilities(campaign)[ability]) return;
  if (DRAFT_ABILITIES.includes(ability)) throw campaignErrors.CAMPAIGN_NOT_DRAFT();
  const hasNothingToRetry = ability === 'retryFailed' && campaign.failedCount + campaign.keptCount === 0;
  throw hasNothingToRetry ? campaignErrors.NOTHING_FAILED() : campaignErrors.CAMPAIGN_STATE();
}

/**
 * Rejects changes to a draft that was modified since it was loaded. Otherwise two tabs could overwrite each other, or
 * an email could be sent that nobody has seen.
 * @param seen the draft's `updatedAt` as the client knows it; undefined skips the check
 * @throws CAMPAIGN_CHANGED
 */
export function assertUnchanged({ updatedAt }: Pick<Campaign, 'updatedAt'>, seen: string | undefined): void {
  if (seen !== undefined && new Date(seen).getTime() !== updatedAt.getTime()) throw campaignErrors.CAMPAIGN_CHANGED();
}
