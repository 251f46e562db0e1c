import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded';
import ShieldRounded from '@mui/icons-material/ShieldRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../../shared/api/client';
import type { CurrentUser } from '../../../../shared/api/current-user';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { useEmailToast } from '../../../../shared/site/email-delivery';
import { toast } from '../../../../shared/toast/toast-store';
import { Badge } from '../../../../shared/ui/badge';
import { ChangeEmailButton } from './change-email-button';

/** The email address and role of an account. */
export function AccountDetails({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('settings');
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gap: 5,
        m: 0,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 2fr) minmax(0, 1fr)' },
      }}
    >
      <AccountDetail name={t('profile.email')} help={t('profile.emailHelp')}>
        <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
          {user.email}
        </Box>
        {user.emailVerified ? (
          <Badge tone="success" icon={<CheckCircleRounded />}>
            {t('profile.verified')}
          </Badge>
        ) : (
          <UnverifiedEmail />
        )}
        <ChangeEmailButton user={user} />
      </AccountDetail>
      <AccountDetail name={t('profile.role')}>
        {t(`profile.roles.${user.role}`)}
        {user.isSuperAdmin && <Badge icon={<ShieldRounded />}>{t('profile.superAdmin')}</Badge>}
      </AccountDetail>
    </Box>
  );
}

function AccountDetail({ name, help, children }: { name: string; help?: string; children: ReactNode }) {
  return (
    <div>
      <Typography component="dt" variant="subtitle2">
        {name}
      </Typography>
      <Box component="dd" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, m: 0, mt: 1 }}>
        {children}
      </Box>
      {help && (
        <Typography component="dd" variant="body2" color="textSecondary" sx={{ m: 0, mt: 1 }}>
          {help}
        </Typography>
      )}
    </div>
  );
}

function UnverifiedEmail() {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const emailToast = useEmailToast();
  const sendVerification = useMutation({
    mutationFn: async () => (await api.POST('/api/user/verification-mail')).data,
    onSuccess: (response) => emailToast(t('profile.verifySent'), response?.message),
    onError: (error) => toast.error(t('profile.verifyFailed'), errorText(error)),
  });
  return (
    <>
      <Badge tone="warning">{t('profile.unverified')}</Badge>
      <Button loading={sendVerification.isPending} loadingPosition="start" onClick={() => sendVerification.mutate()}>
        {t('profile.verify')}
      </Button>
    </>
  );
}
