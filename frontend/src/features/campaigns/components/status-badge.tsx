import { useTranslation } from 'react-i18next';
import { Badge, type BadgeTone } from '../../../shared/ui/badge';
import type { CampaignSummary } from '../api/use-campaigns';
import { standingOf, type Standing } from './standing';

const tones: Record<Standing, BadgeTone> = {
  draft: 'neutral',
  scheduled: 'accent',
  sending: 'accent',
  paused: 'warning',
  sent: 'success',
  partlyDelivered: 'neutral',
  notDelivered: 'danger',
  kept: 'warning',
  cancelled: 'neutral',
  failed: 'danger',
};

/** Where a campaign stands. */
export function StatusBadge({ campaign }: { campaign: CampaignSummary }) {
  const { t } = useTranslation('campaigns');
  const standing = standingOf(campaign);
  return <Badge tone={tones[standing]}>{t(`status.${standing}`)}</Badge>;
}
