import { useTranslation } from 'react-i18next';
import { Badge, type BadgeTone } from '../../../shared/ui/badge';
import type { WebhookState } from '../senders';

const tones: Record<WebhookState, BadgeTone> = { pending: 'warning', completed: 'success', failed: 'danger' };

/** How the processing of a delivery stands. */
export function StateBadge({ state }: { state: WebhookState }) {
  const { t } = useTranslation('integrations');
  return <Badge tone={tones[state]}>{t(`logs.states.${state}`)}</Badge>;
}
