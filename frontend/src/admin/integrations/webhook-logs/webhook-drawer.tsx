import ReplayRounded from '@mui/icons-material/ReplayRounded';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import { useListContext } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { SidePanel } from '../../ui/side-panel';
import { toSenderPath, type LoggedWebhook, type Sender } from '../senders';
import { Entitlements } from './entitlements';
import { RawBody } from './raw-body';
import { WebhookStatusBadge } from './webhook-status-badge';
import { useReplayWebhook } from './use-webhook-mutations';
import { WebhookDetails } from './webhook-details';

interface Props {
  sender: Sender;
  opened: LoggedWebhook | null;
  onClose: () => void;
}

/** Side panel with one delivery: details, granted access, body and replay. Must be inside the list. */
export function WebhookDrawer({ sender, opened, onClose }: Props) {
  const { t } = useTranslation('integrations');
  const { data } = useListContext<LoggedWebhook>();
  // The current version, if it is still in the list.
  const webhook = opened && (data?.find(({ id }) => id === opened.id) ?? opened);
  return (
    <SidePanel
      open={webhook !== null}
      title={webhook ? t('detail.title', { id: webhook.id }) : ''}
      badge={webhook && <WebhookStatusBadge status={webhook.status} />}
      onClose={onClose}
    >
      {webhook && <WebhookDrawerContent sender={sender} webhook={webhook} />}
    </SidePanel>
  );
}

function WebhookDrawerContent({ sender, webhook }: { sender: Sender; webhook: LoggedWebhook }) {
  const { t } = useTranslation('integrations');
  const replayWebhook = useReplayWebhook(sender);
  const { id, status, errorMessage, processedAt } = webhook;
  const requestOptions = { params: { path: { id } } };
  const detail = $api.useQuery('get', toSenderPath(sender, '/webhook-logs/{id}'), requestOptions, { staleTime: 0 });
  const isBodyDeleted = detail.data?.body === null;
  return (
    <>
      {/* Not disabled while pending: a button that loses the focus would swallow the dialog's keys. */}
      <Button
        startIcon={replayWebhook.isPending ? <CircularProgress size={16} color="inherit" /> : <ReplayRounded />}
        aria-busy={replayWebhook.isPending}
        disabled={isBodyDeleted}
        onClick={() => replayWebhook.isPending || replayWebhook.mutate({ params: { path: { id } } })}
        sx={{ justifySelf: 'start' }}
      >
        {t('detail.replay')}
      </Button>
      {errorMessage && (
        <Alert severity={status === 'failed' ? 'error' : status === 'pending' ? 'warning' : 'info'}>
          {errorMessage}
        </Alert>
      )}
      <WebhookDetails sender={sender} webhook={webhook} />
      {detail.isPending && <RowsSkeleton rows={4} />}
      {detail.error && <ErrorState title={t('detail.couldNotLoad')} error={detail.error} onRetry={detail.refetch} />}
      {detail.data && (
        <>
          <Entitlements key={processedAt} sender={sender} entitlements={detail.data.entitlements} />
          <RawBody body={detail.data.body} isMasked={detail.data.masked} />
        </>
      )}
    </>
  );
}
