import { useTranslation } from 'react-i18next';
import { Badge, type BadgeTone } from '../../../shared/ui/badge';
import type { WebhookStatus } from '../senders';

const statusTones: Record<WebhookStatus, BadgeTone> = { pending: 'warning', completed: 'success', failed: 'danger' };

export function WebhookStatusBadge({ status }: { status: WebhookStatus }) {
  const { t } = useTranslation('integrations');
  return <Badge tone={statusTones[status]}>{t(`logs.states.${status}`)}</Badge>;
}
