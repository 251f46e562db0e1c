import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { api, type Schema } from '../../../shared/api/client';
import { useInvalidate } from '../../../shared/api/invalidate';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import { SectionCard } from '../../../shared/ui/section-card';

type Invitation = Schema<'OwnInvitationDto'>;

/** Zones that the user is invited to, each with a button; empty if there are none. */
export function Invitations({ invitations }: { invitations: readonly Invitation[] }) {
  const { t } = useTranslation('sharedZones');
  if (invitations.length === 0) return null;
  return (
    <SectionCard title={t('home.invitations')}>
      <Box component="ul" sx={{ display: 'grid', gap: 4, m: 0, p: 0, listStyle: 'none' }}>
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </Box>
    </SectionCard>
  );
}

function useAcceptInvitation({ id }: Invitation) {
  const { t } = useTranslation('sharedZones');
  const errorText = useErrorText();
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const invalidateInvitations = () => void invalidate('POST /api/user/invitations/{id}/accept');
  return useMutation({
    mutationFn: async (emailConsent: boolean) => {
      const path = '/api/user/invitations/{id}/accept';
      return (await api.POST(path, { params: { path: { id } }, body: { emailConsent } })).data!;
    },
    onSuccess: ({ zoneId }) => {
      invalidateInvitations();
      void navigate(`/zones/${zoneId}`);
    },
    onError: (error) => {
      invalidateInvitations();
      toast.error(t('home.acceptFailed'), errorText(error));
    },
  });
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { t } = useTranslation('sharedZones');
  const { zoneName, inviterName, requiresEmailOptin, consentText } = invitation;
  const [hasConsented, setHasConsented] = useState(false);
  const accept = useAcceptInvitation(invitation);
  return (
    <Box component="li" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
      <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
        <Typography variant="subtitle2" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {zoneName}
        </Typography>
        {inviterName && (
          <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {t('home.invitedBy', { name: inviterName })}
          </Typography>
        )}
        {requiresEmailOptin ? (
          <Typography variant="body2" color="textSecondary">
            {t('home.consent')} {consentText}
          </Typography>
        ) : (
          <FormControlLabel
            control={<Checkbox checked={hasConsented} onChange={(_event, checked) => setHasConsented(checked)} />}
            label={consentText}
          />
        )}
      </Box>
      <Button
        aria-label={t('home.acceptOf', { name: zoneName })}
        disabled={accept.isPending}
        onClick={() => accept.mutate(requiresEmailOptin || hasConsented)}
      >
        {t('home.accept')}
      </Button>
    </Box>
  );
}
