import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { hasCode } from '../../../shared/api/api-error';
import { toId, useZone } from '../../../shared/api/use-zone';
import { nameOf } from '../../../shared/format/person';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { useNow } from '../../../shared/hooks/use-now';
import { toast } from '../../../shared/toast/toast-store';
import { Badge } from '../../../shared/ui/badge';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { UserAvatar } from '../../../shared/ui/user-avatar';
import { useDecideRequest, useJoinRequests, type Decision, type JoinRequest } from '../api/use-join-requests';

/** Who waits to be let into a zone; nothing while nobody waits. */
export function JoinRequests() {
  const zoneId = toId(useParams().zoneId);
  const { t } = useTranslation('zones');
  const { t: common } = useTranslation();
  const format = useFormat();
  const id = useId();
  const [declined, setDeclined] = useState<JoinRequest | null>(null);
  const { data: zone } = useZone(zoneId);
  const { data: requests, error, refetch } = useJoinRequests(zoneId);
  const { decide, busy } = useDeciding(zoneId);
  if (error && !requests) {
    const retry = <Button onClick={() => void refetch()}>{common('actions.retry')}</Button>;
    return (
      <Alert severity="warning" action={retry} sx={{ mb: 6 }}>
        {t('requests.failed')}
      </Alert>
    );
  }
  if (!requests || requests.length === 0) return null;
  return (
    <Card component="section" aria-labelledby={id} sx={{ mb: 6 }}>
      <Typography id={id} variant="h3" component="h2" sx={{ px: 4, py: 3 }}>
        {t('requests.title', { formatted: format.number(requests.length) })}
      </Typography>
      <Box component="ul" tabIndex={0} sx={{ m: 0, p: 0, maxHeight: 320, overflowY: 'auto', listStyle: 'none' }}>
        {requests.map((request) => (
          <Request
            key={request.id}
            request={request}
            busy={busy}
            onApprove={() => decide(request, 'approve')}
            onDecline={() => setDeclined(request)}
          />
        ))}
      </Box>
      <DeclineDialog
        key={declined?.id}
        request={declined}
        mayBlock={zone?.can.manageMembers ?? false}
        onConfirm={(decision) => {
          if (declined) decide(declined, decision);
          setDeclined(null);
        }}
        onClose={() => setDeclined(null)}
      />
    </Card>
  );
}

interface DeclineProps {
  request: JoinRequest | null;
  mayBlock: boolean;
  onConfirm: (decision: 'decline' | 'block') => void;
  onClose: () => void;
}

function DeclineDialog({ request, mayBlock, onConfirm, onClose }: DeclineProps) {
  const { t } = useTranslation('zones');
  const [blocks, setBlocks] = useState(false);
  return (
    <ConfirmDialog
      open={request !== null}
      title={t('requests.declineTitle', { name: request ? nameOf(request) : '' })}
      confirmLabel={t('requests.decline')}
      onConfirm={() => onConfirm(blocks ? 'block' : 'decline')}
      onClose={onClose}
    >
      {t('requests.declineText')}
      {mayBlock && (
        <FormControlLabel
          sx={{ mt: 3, alignItems: 'flex-start' }}
          control={<Checkbox checked={blocks} onChange={(_, checked) => setBlocks(checked)} sx={{ mt: -2 }} />}
          label={t('requests.alsoBlock')}
        />
      )}
    </ConfirmDialog>
  );
}

const done = { approve: 'requests.approved', decline: 'requests.declined', block: 'requests.blocked' } as const;
const failed = {
  approve: 'requests.approveFailed',
  decline: 'requests.declineFailed',
  block: 'requests.blockFailed',
} as const;

interface RequestProps {
  request: JoinRequest;
  busy: boolean;
  onApprove: () => void;
  onDecline: () => void;
}

function Request({ request, busy, onApprove, onDecline }: RequestProps) {
  const { t } = useTranslation('zones');
  const format = useFormat();
  const now = useNow();
  const name = nameOf(request);
  const lines = [...(name === request.email ? [] : [request.email]), format.relative(request.createdAt, now)];
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 3,
        px: 4,
        py: 3,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <UserAvatar person={request} />
      <Box sx={{ flex: '1 1 200px', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography variant="subtitle2">{name}</Typography>
        <Typography variant="body2" color="textSecondary">
          {lines.join(' · ')}
        </Typography>
      </Box>
      {!request.hasConsented && <Badge>{t('requests.noEmails')}</Badge>}
      <Box sx={{ display: 'flex', gap: 2 }}>
        <Button disabled={busy} aria-label={t('requests.declineName', { name })} onClick={onDecline}>
          {t('requests.decline')}
        </Button>
        <Button disabled={busy} aria-label={t('requests.approveName', { name })} onClick={onApprove}>
          {t('requests.approve')}
        </Button>
      </Box>
    </Box>
  );
}

function useDeciding(zoneId: number) {
  const { t } = useTranslation('zones');
  const errorText = useErrorText();
  const { mutate, isPending } = useDecideRequest(zoneId);
  const decide = (request: JoinRequest, decision: Decision) =>
    mutate(
      { request, decision },
      {
        onSuccess: () => toast.success(t(done[decision], { name: nameOf(request) })),
        onError: (error) => {
          const limit = hasCode(error, 'PLAN_LIMIT');
          toast.error(limit ? t('form.planLimit') : t(failed[decision]), errorText(error));
        },
      },
    );
  return { decide, busy: isPending };
}
