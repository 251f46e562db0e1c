import type { CampaignSummary, CampaignStatus } from '../api/use-campaigns';

/** Where a campaign stands, as it is said to people: "sent" only of what mail servers have taken. */
export type DisplayStatus = CampaignStatus | 'partlyDelivered' | 'notDelivered' | 'kept';

/** All of them, in the order in which they can be chosen. */
export const displayStatuses: readonly DisplayStatus[] = [
  ...(['draft', 'scheduled', 'sending', 'paused', 'sent', 'partlyDelivered', 'notDelivered', 'kept'] as const),
  ...(['cancelled', 'failed'] as const),
];

type StatusSource = Pick<CampaignSummary, 'status' | 'recipientCount' | 'deliveredCount' | 'keptCount' | 'failedCount'>;

export function displayStatusOf({
  status,
  recipientCount,
  deliveredCount,
  keptCount,
  failedCount,
}: StatusSource): DisplayStatus {
  // One that never began has failed as such.
  if ((status !== 'sent' && status !== 'failed') || recipientCount === 0) return status;
  if (deliveredCount === 0) return keptCount > 0 ? 'kept' : 'notDelivered';
  return failedCount + keptCount > 0 ? 'partlyDelivered' : status;
}
