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
import { parseId, useZone } from '../../../shared/api/use-zone';
import { displayNameOf } from '../../../shared/format/person';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { useNow } from '../../../shared/hooks/use-now';
import { toast } from '../../../shared/toast/toast-store';
import { Badge } from '../../../shared/ui/badge';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { UserAvatar } from '../../../shared/ui/user-avatar';
import { useDecideJoinRequest, useJoinRequests, type Decision, type JoinRequest } from '../api/use-join-requests';

/** Pending join requests of a zone; empty if there are none. */
export function JoinRequests() {
  const zoneId = parseId(useParams().zoneId);
  const { t } = useTranslation('zones');
  const { t: common } = useTranslation();
  const format = useFormat();
  const id = useId();
  const [requestToDecline, setRequestToDecline] = useState<JoinRequest | null>(null);
  const { data: zone } = useZone(zoneId);
  const { data: requests, error, refetch } = useJoinRequests(zoneId);
  const { decide, isBusy } = useDecideWithToast(zoneId);
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
          <JoinRequestRow
            key={request.id}
            request={request}
            isBusy={isBusy}
            onApprove={() => decide(request, 'approve')}
            onDecline={() => setRequestToDecline(request)}
          />
        ))}
      </Box>
      <DeclineDialog
        key={requestToDecline?.id}
        request={requestToDecline}
        canBlock={zone?.can.manageMembers ?? false}
        onConfirm={(decision) => {
          if (requestToDecline) decide(requestToDecline, decision);
          setRequestToDecline(null);
        }}
        onClose={() => setRequestToDecline(null)}
      />
    </Card>
  );
}

interface DeclineDialogProps {
  request: JoinRequest | null;
  canBlock: boolean;
  onConfirm: (decision: 'decline' | 'block') => void;
  onClose: () => void;
}

function DeclineDialog({ request, canBlock, onConfirm, onClose }: DeclineDialogProps) {
  const { t } = useTranslation('zones');
  const [alsoBlock, setAlsoBlock] = useState(false);
  return (
    <ConfirmDialog
      open={request !== null}
      title={t('requests.declineTitle', { name: request ? displayNameOf(request) : '' })}
      confirmLabel={t('requests.decline')}
      onConfirm={() => onConfirm(alsoBlock ? 'block' : 'decline')}
      onClose={onClose}
    >
      {t('requests.declineText')}
      {canBlock && (
        <FormControlLabel
          sx={{ mt: 3, alignItems: 'flex-start' }}
          control={<Checkbox checked={alsoBlock} onChange={(_, checked) => setAlsoBlock(checked)} sx={{ mt: -2 }} />}
          label={t('requests.alsoBlock')}
        />
      )}
    </ConfirmDialog>
  );
}

const successKeys = { approve: 'requests.approved', decline: 'requests.declined', block: 'requests.blocked' } as const;
const errorKeys = {
  approve: 'requests.approveFailed',
  decline: 'requests.declineFailed',
  block: 'requests.blockFailed',
} as const;

interface JoinRequestRowProps {
  request: JoinRequest;
  isBusy: boolean;
  onApprove: () => void;
  onDecline: () => void;
}

function JoinRequestRow({ request, isBusy, onApprove, onDecline }: JoinRequestRowProps) {
  const { t } = useTranslation('zones');
  const format = useFormat();
  const now = useNow();
  const name = displayNameOf(request);
  const details = [...(name === request.email ? [] : [request.email]), format.relative(request.createdAt, now)];
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
          {details.join(' · ')}
        </Typography>
      </Box>
      {!request.hasConsented && <Badge>{t('requests.noEmails')}</Badge>}
      <Box sx={{ display: 'flex', gap: 2 }}>
        <Button disabled={isBusy} aria-label={t('requests.declineName', { name })} onClick={onDecline}>
          {t('requests.decline')}
        </Button>
        <Button disabled={isBusy} aria-label={t('requests.approveName', { name })} onClick={onApprove}>
          {t('requests.approve')}
        </Button>
      </Box>
    </Box>
  );
}

function useDecideWithToast(zoneId: number) {
  const { t } = useTranslation('zones');
  const errorText = useErrorText();
  const { mutate, isPending } = useDecideJoinRequest(zoneId);
  const decide = (request: JoinRequest, decision: Decision) =>
    mutate(
      { request, decision },
      {
        onSuccess: () => toast.success(t(successKeys[decision], { name: displayNameOf(request) })),
        onError: (error) => {
          const isPlanLimit = hasCode(error, 'PLAN_LIMIT');
          toast.error(isPlanLimit ? t('form.planLimit') : t(errorKeys[decision]), errorText(error));
        },
      },
    );
  return { decide, isBusy: isPending };
}
