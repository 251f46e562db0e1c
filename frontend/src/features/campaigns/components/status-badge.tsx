import { useTranslation } from 'react-i18next';
import { Badge, type BadgeTone } from '../../../shared/ui/badge';
import type { Status } from '../api/use-campaigns';

const tones: Record<Status, BadgeTone> = {
  draft: 'neutral',
  scheduled: 'accent',
  sending: 'accent',
  paused: 'warning',
  sent: 'success',
  cancelled: 'neutral',
  failed: 'danger',
};

/** Where a campaign stands. */
export function StatusBadge({ status }: { status: Status }) {
  const { t } = useTranslation('campaigns');
  return <Badge tone={tones[status]}>{t(`status.${status}`)}</Badge>;
}
