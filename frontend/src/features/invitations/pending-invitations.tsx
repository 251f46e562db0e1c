import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { parseId } from '../../shared/api/use-zone';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useFormat } from '../../shared/hooks/use-format';
import { useNow } from '../../shared/hooks/use-now';
import { useEmailToast } from '../../shared/site/email-delivery';
import { toast } from '../../shared/toast/toast-store';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { INVITATION_LIMIT, useChangeInvitation, useInvitations, type Invitation } from './api/use-invitations';

/** The open invitations of a zone; empty if there are none. */
export function PendingInvitations() {
  const { t } = useTranslation('invitations');
  const { t: tCommon } = useTranslation();
  const zoneId = parseId(useParams().zoneId);
  const format = useFormat();
  const id = useId();
  const [invitationToRevoke, setInvitationToRevoke] = useState<Invitation | null>(null);
  const { data, error, refetch } = useInvitations(zoneId);
  const { changeInvitation, busy } = useInvitationActions(zoneId);
  if (error && !data) {
    const retry = <Button onClick={() => void refetch()}>{tCommon('actions.retry')}</Button>;
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
          <InvitationRow
            key={invitation.id}
            invitation={invitation}
            busy={busy}
            onResend={() => changeInvitation(invitation, 'resend')}
            onRevoke={() => setInvitationToRevoke(invitation)}
          />
        ))}
      </Box>
      {total > invitations.length && (
        <Typography color="textSecondary" sx={{ px: 4, py: 3 }}>
          {t('pending.more', { formatted: format.number(INVITATION_LIMIT) })}
        </Typography>
      )}
      <ConfirmDialog
        open={invitationToRevoke !== null}
        title={t('pending.revokeTitle', { email: invitationToRevoke?.email ?? '' })}
        confirmLabel={t('pending.revoke')}
        onConfirm={() => {
          if (invitationToRevoke) changeInvitation(invitationToRevoke, 'revoke');
          setInvitationToRevoke(null);
        }}
        onClose={() => setInvitationToRevoke(null)}
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

function InvitationRow({ invitation, busy, onResend, onRevoke }: RowProps) {
  const { t } = useTranslation('invitations');
  const format = useFormat();
  const now = useNow();
  const { email, isExpired, sentAt, keptAt, undeliverableAt, expiresAt, invitedBy } = invitation;
  const endedReason = undeliverableAt ? t('pending.undeliverable') : isExpired ? t('pending.expired') : null;
  const lines = [
    endedReason ?? t('pending.expires', { when: format.relative(expiresAt, now) }),
    ...(endedReason === null && sentAt === null ? [t(keptAt ? 'pending.onHold' : 'pending.waiting')] : []),
    ...(invitedBy ? [t('pending.by', { name: invitedBy })] : []),
  ];
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 3,
        px: 4,
        py: 2,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ flex: '1 1 220px', minWidth: 0 }}>
        <Typography sx={{ overflowWrap: 'anywhere' }}>{email}</Typography>
        <Typography color={endedReason ? 'error' : 'textSecondary'}>{lines.join(' · ')}</Typography>
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

function useInvitationActions(zoneId: number) {
  const { t } = useTranslation('invitations');
  const showEmailToast = useEmailToast();
  const errorText = useErrorText();
  const { mutate, isPending } = useChangeInvitation(zoneId);
  const changeInvitation = ({ id }: Invitation, action: 'resend' | 'revoke') =>
    mutate(
      { invitationId: id, change: action },
      {
        onSuccess: () =>
          action === 'resend' ? showEmailToast(t('pending.resent')) : toast.success(t('pending.revoked')),
        onError: (error) =>
          toast.error(t(action === 'resend' ? 'pending.resendFailed' : 'pending.revokeFailed'), errorText(error)),
      },
    );
  return { changeInvitation, busy: isPending };
}
