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
import { useTouched } from '../../../shared/api/touch';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import { SectionCard } from '../../../shared/ui/section-card';

type Invitation = Schema<'OwnInvitationDto'>;

/** Zones that the person is invited to, each with one button; nothing while there is none. */
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

function useAccept({ id }: Invitation) {
  const { t } = useTranslation('sharedZones');
  const errorText = useErrorText();
  const touched = useTouched();
  const navigate = useNavigate();
  const refresh = () => void touched('POST /api/user/invitations/{id}/accept');
  return useMutation({
    mutationFn: async (emailConsent: boolean) => {
      const path = '/api/user/invitations/{id}/accept';
      return (await api.POST(path, { params: { path: { id } }, body: { emailConsent } })).data!;
    },
    onSuccess: ({ zoneId }) => {
      refresh();
      void navigate(`/zones/${zoneId}`);
    },
    onError: (error) => {
      refresh();
      toast.error(t('home.acceptFailed'), errorText(error));
    },
  });
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { t } = useTranslation('sharedZones');
  const { zoneName, inviterName, requiresEmailOptin, consentText } = invitation;
  const [consent, setConsent] = useState(false);
  const accept = useAccept(invitation);
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
            control={<Checkbox checked={consent} onChange={(_event, checked) => setConsent(checked)} />}
            label={consentText}
          />
        )}
      </Box>
      <Button
        aria-label={t('home.acceptOf', { name: zoneName })}
        disabled={accept.isPending}
        onClick={() => accept.mutate(requiresEmailOptin || consent)}
      >
        {t('home.accept')}
      </Button>
    </Box>
  );
}
