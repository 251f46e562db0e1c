import ReplayRounded from '@mui/icons-material/ReplayRounded';
import Button from '@mui/material/Button';
import { useListContext } from 'react-admin';
import { useTranslation } from 'react-i18next';
import type { LoggedWebhook, Sender } from '../senders';
import { useReplayWebhooks } from './use-webhook-mutations';

/** Replays the selected deliveries. */
export function ReplaySelectionButton({ sender }: { sender: Sender }) {
  const { t } = useTranslation('integrations');
  const { selectedIds, onUnselectItems } = useListContext<LoggedWebhook>();
  const replayWebhooks = useReplayWebhooks(sender, onUnselectItems);
  return (
    <Button
      variant="contained"
      startIcon={<ReplayRounded />}
      aria-busy={replayWebhooks.isPending}
      onClick={() => replayWebhooks.isPending || replayWebhooks.mutate({ body: { ids: selectedIds.map(Number) } })}
    >
      {t('selection.replay')}
    </Button>
  );
}
