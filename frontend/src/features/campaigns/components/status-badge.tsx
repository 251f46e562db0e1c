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

interface Props {
  campaign: CampaignSummary;
  /** In a list, where long words have no room; they stand in its title then. */
  short?: boolean;
}

/** Where a campaign stands. */
export function StatusBadge({ campaign, short = false }: Props) {
  const { t } = useTranslation('campaigns');
  const standing = standingOf(campaign);
  const words = t(`status.${standing}`);
  if (!short || standing !== 'kept') return <Badge tone={tones[standing]}>{words}</Badge>;
  return (
    <span title={words}>
      <Badge tone={tones.kept}>{t('status.keptShort')}</Badge>
    </span>
  );
}
