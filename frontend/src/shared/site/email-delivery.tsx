import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { hasNoOwnZones } from '../account/home-preference';
import { useCurrentUser, type CurrentUser } from '../api/current-user';
import { toast } from '../toast/toast-store';

/** Whether this installation's emails are delivered, as reported for the signed-in user; `working` until known. */
export function useEmailDelivery(): CurrentUser['emailDelivery'] {
  return useCurrentUser().data?.emailDelivery ?? 'working';
}

/** Text shown after an email was requested: that it was sent, or that it is held back because no mail server is set. */
export function useEmailSentText(): (sentText: string) => string {
  const { t } = useTranslation();
  const isDeliveryOff = useEmailDelivery() === 'none';
  return (sentText) => (isDeliveryOff ? t('email.kept') : sentText);
}

/** Shows a toast that an email was sent, or that it is held back because no mail server is set. */
export function useEmailToast(): (title: string, message?: string) => void {
  const { t } = useTranslation();
  const isDeliveryOff = useEmailDelivery() === 'none';
  return (title, message) =>
    isDeliveryOff
      ? toast.show({ title: t('email.kept'), message: t('email.keptText') })
      : toast.success(title, message);
}

/** Shown on every page of users who send emails, until a mail server has accepted one. */
export function EmailDeliveryBanner({ user }: { user: CurrentUser }) {
  const { t } = useTranslation();
  const { emailDelivery, isSuperAdmin } = user;
  if (emailDelivery === 'working' || (!isSuperAdmin && hasNoOwnZones(user))) return null;
  return (
    <Alert
      severity="warning"
      role="note"
      sx={{
        mb: 6,
        alignItems: 'center',
        flexWrap: { xs: 'wrap', sm: 'nowrap' },
        '& .MuiAlert-message': { flex: 1, minWidth: { xs: '75%', sm: 0 } },
        '& .MuiAlert-action': { p: 0, mr: 0, ml: { xs: 8, sm: 'auto' }, py: { xs: 2, sm: 0 } },
      }}
      action={
        isSuperAdmin && (
          <Button size="small" component={Link} to="/admin/installation">
            {t(emailDelivery === 'none' ? 'email.setUp' : 'email.settings')}
          </Button>
        )
      }
    >
      {t(`email.${emailDelivery}.${isSuperAdmin ? 'operator' : 'creator'}`)}
    </Alert>
  );
}
