import CloseRounded from '@mui/icons-material/CloseRounded';
import ReplayRounded from '@mui/icons-material/ReplayRounded';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { toSenderPath, type LoggedWebhook, type Sender } from '../senders';
import { Entitlements } from './entitlements';
import { RawBody } from './raw-body';
import { WebhookStatusBadge } from './webhook-status-badge';
import { useReplayWebhook } from './use-webhook-mutations';
import { WebhookDetails } from './webhook-details';

interface Props {
  sender: Sender;
  webhook: LoggedWebhook | null;
  onClose: () => void;
}

/** Side panel with one delivery: details, granted access, body and replay. */
export function WebhookDrawer({ sender, webhook, onClose }: Props) {
  const titleId = useId();
  return (
    <Drawer
      anchor="right"
      open={webhook !== null}
      onClose={onClose}
      slotProps={{
        paper: { role: 'dialog', 'aria-modal': true, 'aria-labelledby': titleId, sx: { width: 'min(600px, 100vw)' } },
      }}
    >
      {webhook && <WebhookDrawerContent titleId={titleId} sender={sender} webhook={webhook} onClose={onClose} />}
    </Drawer>
  );
}

interface WebhookDrawerContentProps extends Props {
  titleId: string;
  webhook: LoggedWebhook;
}

function WebhookDrawerContent({ titleId, sender, webhook, onClose }: WebhookDrawerContentProps) {
  const { t } = useTranslation('integrations');
  const { t: tCommon } = useTranslation();
  const replayWebhook = useReplayWebhook(sender);
  const { id, status, errorMessage, processedAt } = webhook;
  const requestOptions = { params: { path: { id } } };
  const detail = $api.useQuery('get', toSenderPath(sender, '/webhook-logs/{id}'), requestOptions, { staleTime: 0 });
  const isBodyDeleted = detail.data?.body === null;
  return (
    <Box sx={{ display: 'grid', gap: 5, alignContent: 'start', p: { xs: 4, sm: 6 }, minWidth: 0 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
        <Typography id={titleId} variant="h2" sx={{ flex: 'none' }}>
          {t('detail.title', { id })}
        </Typography>
        <WebhookStatusBadge status={status} />
        <Box sx={{ flex: 1 }} />
        {/* Not disabled while pending: a button that loses the focus would swallow the dialog's keys. */}
        <Button
          startIcon={replayWebhook.isPending ? <CircularProgress size={16} color="inherit" /> : <ReplayRounded />}
          aria-busy={replayWebhook.isPending}
          disabled={isBodyDeleted}
          onClick={() => replayWebhook.isPending || replayWebhook.mutate({ params: { path: { id } } })}
          sx={{ order: { xs: 1, sm: 0 }, width: { xs: '100%', sm: 'auto' } }}
        >
          {t('detail.replay')}
        </Button>
        <IconButton aria-label={tCommon('actions.close')} edge="end" onClick={onClose} autoFocus>
          <CloseRounded />
        </IconButton>
      </Box>
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
    </Box>
  );
}
