import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { toId } from '../../shared/api/use-zone';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useFormat } from '../../shared/hooks/use-format';
import { useNow } from '../../shared/hooks/use-now';
import { useEmailToast } from '../../shared/site/email-delivery';
import { toast } from '../../shared/toast/toast-store';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { SHOWN, useChangeInvitation, useInvitations, type Invitation } from './api/use-invitations';

/** The invitations of a zone that nobody has accepted yet; nothing while there are none. */
export function PendingInvitations() {
  const { t } = useTranslation('invitations');
  const { t: common } = useTranslation();
  const zoneId = toId(useParams().zoneId);
  const format = useFormat();
  const id = useId();
  const [revoked, setRevoked] = useState<Invitation | null>(null);
  const { data, error, refetch } = useInvitations(zoneId);
  const { change, busy } = useChanging(zoneId);
  if (error && !data) {
    const retry = <Button onClick={() => void refetch()}>{common('actions.retry')}</Button>;
    return (
      <Alert severity="warning" action={retry} sx={{ mb: 6 }}>
        {t('pending.failed')}
      </Alert>
    );
  }
  if (!data || data.items.length === 0) return null;
  const { items: invitations, total } = data;
  return (
    <Card component="section" aria-labelledby={id} sx={{ mb: 6 }}>
      <Typography id={id} variant="h3" component="h2" sx={{ px: 4, py: 3 }}>
        {t('pending.title', { formatted: format.number(total) })}
      </Typography>
      <Box component="ul" tabIndex={0} sx={{ m: 0, p: 0, maxHeight: 320, overflowY: 'auto', listStyle: 'none' }}>
        {invitations.map((invitation) => (
          <Row
            key={invitation.id}
            invitation={invitation}
            busy={busy}
            onResend={() => change(invitation, 'resend')}
            onRevoke={() => setRevoked(invitation)}
          />
        ))}
      </Box>
      {total > invitations.length && (
        <Typography color="textSecondary" sx={{ px: 4, py: 3 }}>
          {t('pending.more', { formatted: format.number(SHOWN) })}
        </Typography>
      )}
      <ConfirmDialog
        open={revoked !== null}
        title={t('pending.revokeTitle', { email: revoked?.email ?? '' })}
        confirmLabel={t('pending.revoke')}
        onConfirm={() => {
          if (revoked) change(revoked, 'revoke');
          setRevoked(null);
        }}
        onClose={() => setRevoked(null)}
      >
        {t('pending.revokeText')}
      </ConfirmDialog>
    </Card>
  );
}

interface RowProps {
  invitation: Invitation;
  busy: boolean;
  onResend: () => void;
  onRevoke: () => void;
}

function Row({ invitation, busy, onResend, onRevoke }: RowProps) {
  const { t } = useTranslation('invitations');
  const format = useFormat();
  const now = useNow();
  const { email, isExpired, sentAt, keptAt, undeliverableAt, expiresAt, invitedBy } = invitation;
  const ended = undeliverableAt ? t('pending.undeliverable') : isExpired ? t('pending.expired') : null;
  const lines = [
    ended ?? t('pending.expires', { when: format.relative(expiresAt, now) }),
    ...(ended === null && sentAt === null ? [t(keptAt ? 'pending.kept' : 'pending.waiting')] : []),
    ...(invitedBy ? [t('pending.by', { name: invitedBy })] : []),
  ];
  return (
    <Box
      component="li"
      sx={{
        ...{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3, px: 4, py: 2 },
        ...{ borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Box sx={{ flex: '1 1 220px', minWidth: 0 }}>
        <Typography sx={{ overflowWrap: 'anywhere' }}>{email}</Typography>
        <Typography color={ended ? 'error' : 'textSecondary'}>{lines.join(' · ')}</Typography>
      </Box>
      <Button disabled={busy} aria-label={t('pending.resendTo', { email })} onClick={onResend}>
        {t('pending.resend')}
      </Button>
      <Button disabled={busy} aria-label={t('pending.revokeOf', { email })} onClick={onRevoke}>
        {t('pending.revoke')}
      </Button>
    </Box>
  );
}

function useChanging(zoneId: number) {
  const { t } = useTranslation('invitations');
  const emailToast = useEmailToast();
  const errorText = useErrorText();
  const { mutate, isPending } = useChangeInvitation(zoneId);
  const change = ({ id }: Invitation, kind: 'resend' | 'revoke') =>
    mutate(
      { invitationId: id, change: kind },
      {
        onSuccess: () => (kind === 'resend' ? emailToast(t('pending.resent')) : toast.success(t('pending.revoked'))),
        onError: (error) =>
          toast.error(t(kind === 'resend' ? 'pending.resendFailed' : 'pending.revokeFailed'), errorText(error)),
      },
    );
  return { change, busy: isPending };
}
