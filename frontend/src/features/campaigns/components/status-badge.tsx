import { useTranslation } from 'react-i18next';
import { Badge, type BadgeTone } from '../../../shared/ui/badge';
import type { CampaignSummary } from '../api/use-campaigns';
import { displayStatusOf, type DisplayStatus } from './display-status';

const toneByStatus: Record<DisplayStatus, BadgeTone> = {
  draft: 'neutral',
  scheduled: 'accent',
  sending: 'accent',
  paused: 'warning',
  sent: 'success',
  partlyDelivered: 'neutral',
  notDelivered: 'danger',
  onHold: 'warning',
  cancelled: 'neutral',
  failed: 'danger',
};

interface Props {
  campaign: CampaignSummary;
  /** Shortens long labels for lists; the full label is in the tooltip. */
  compact?: boolean;
}

export function StatusBadge({ campaign, compact = false }: Props) {
  const { t } = useTranslation('campaigns');
  const displayStatus = displayStatusOf(campaign);
  const label = t(`status.${displayStatus}`);
  if (!compact || displayStatus !== 'onHold') return <Badge tone={toneByStatus[displayStatus]}>{label}</Badge>;
  return (
    <span title={label}>
      <Badge tone={toneByStatus.onHold}>{t('status.onHoldShort')}</Badge>
    </span>
  );
}
