import type { CampaignSummary, CampaignStatus } from '../api/use-campaigns';

/** The status shown to users: "sent" only if mail servers accepted the emails. */
export type DisplayStatus = CampaignStatus | 'partlyDelivered' | 'notDelivered' | 'onHold';

/** All statuses, in the order of the filter. */
export const displayStatuses: readonly DisplayStatus[] = [
  ...(['draft', 'scheduled', 'sending', 'paused', 'sent', 'partlyDelivered', 'notDelivered', 'onHold'] as const),
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
  // A campaign that never started keeps its own status.
  if ((status !== 'sent' && status !== 'failed') || recipientCount === 0) return status;
  if (deliveredCount === 0) return keptCount > 0 ? 'onHold' : 'notDelivered';
  return failedCount + keptCount > 0 ? 'partlyDelivered' : status;
}
