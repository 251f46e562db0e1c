import type { CampaignSummary, Status } from '../api/use-campaigns';

/** Where a campaign stands, as it is said to people: "sent" only of what mail servers have taken. */
export type Standing = Status | 'partlyDelivered' | 'notDelivered' | 'kept';

/** All of them, in the order in which they can be chosen. */
export const standings: readonly Standing[] = [
  ...(['draft', 'scheduled', 'sending', 'paused', 'sent', 'partlyDelivered', 'notDelivered', 'kept'] as const),
  ...(['cancelled', 'failed'] as const),
];

type Judged = Pick<CampaignSummary, 'status' | 'recipientCount' | 'deliveredCount' | 'keptCount' | 'failedCount'>;

export function standingOf({ status, recipientCount, deliveredCount, keptCount, failedCount }: Judged): Standing {
  // One that never began has failed as such.
  if ((status !== 'sent' && status !== 'failed') || recipientCount === 0) return status;
  if (deliveredCount === 0) return keptCount > 0 ? 'kept' : 'notDelivered';
  return failedCount + keptCount > 0 ? 'partlyDelivered' : status;
}
