import ReplayRounded from '@mui/icons-material/ReplayRounded';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import { useListContext } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { $api } from '../../../shared/api/client';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { useCloseRecord, useReturnFocus } from '../../ui/list/record-address';
import { SidePanel } from '../../ui/side-panel';
import {
  isBeingProcessed,
  PROCESSING_POLL_INTERVAL,
  toLogsResource,
  toSenderPath,
  type LoggedWebhook,
  type Sender,
} from '../senders';
import { Entitlements } from './entitlements';
import { RawBody } from './raw-body';
import { WebhookStatusBadge } from './webhook-status-badge';
import { useReplayWebhook } from './use-webhook-mutations';
import { WebhookDetails } from './webhook-details';

/** Side panel with the delivery named in the address: details, granted access, body and replay. Must be inside the list. */
export function WebhookDrawer({ sender }: { sender: Sender }) {
  const { t } = useTranslation('integrations');
  const { id } = useParams();
  const close = useCloseRecord(toLogsResource(sender));
  useReturnFocus(id);
  const webhook = useWebhook(sender, id);
  return (
    <SidePanel
      open={id !== undefined}
      title={id === undefined ? '' : t('detail.title', { id })}
      badge={webhook && <WebhookStatusBadge status={webhook.status} />}
      onClose={close}
    >
      {id !== undefined && <WebhookDrawerContent sender={sender} id={Number(id)} webhook={webhook} />}
    </SidePanel>
  );
}

/** The delivery with this id, from the list around it if that shows it. */
function useWebhook(sender: Sender, id: string | undefined): LoggedWebhook | undefined {
  const { data: rows } = useListContext<LoggedWebhook>();
  const listed = rows?.find((row) => String(row.id) === id);
  const { data } = $api.useQuery(
    'get',
    toSenderPath(sender, '/webhook-logs'),
    { params: { query: { id: Number(id) } } },
    {
      enabled: id !== undefined && rows !== undefined && !listed,
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data?.some(isBeingProcessed) ? PROCESSING_POLL_INTERVAL : false),
    },
  );
  return id === undefined ? undefined : (listed ?? data?.[0]);
}

interface ContentProps {
  sender: Sender;
  id: number;
  /** Undefined while it is loading, or if it doesn't exist. */
  webhook?: LoggedWebhook;
}

function WebhookDrawerContent({ sender, id, webhook }: ContentProps) {
  const { t } = useTranslation('integrations');
  const requestOptions = { params: { path: { id } } };
  const detail = $api.useQuery('get', toSenderPath(sender, '/webhook-logs/{id}'), requestOptions, { staleTime: 0 });
  return (
    <>
      {webhook && <WebhookOverview sender={sender} webhook={webhook} isBodyDeleted={detail.data?.body === null} />}
      {detail.isPending && <RowsSkeleton rows={4} />}
      {detail.error && <ErrorState title={t('detail.couldNotLoad')} error={detail.error} onRetry={detail.refetch} />}
      {detail.data && (
        <>
          <Entitlements key={webhook?.processedAt} sender={sender} entitlements={detail.data.entitlements} />
          <RawBody body={detail.data.body} isMasked={detail.data.masked} />
        </>
      )}
    </>
  );
}

interface OverviewProps {
  sender: Sender;
  webhook: LoggedWebhook;
  isBodyDeleted: boolean;
}

function WebhookOverview({ sender, webhook, isBodyDeleted }: OverviewProps) {
  const { t } = useTranslation('integrations');
  const replayWebhook = useReplayWebhook(sender);
  const { id, status, errorMessage } = webhook;
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
    </>
  );
}
