import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { hasNoOwnZones } from '../account/home-preference';
import { useCurrentUser, type CurrentUser } from '../api/current-user';
import { toast } from '../toast/toast-store';

/** Whether emails of this installation reach people, as it is known of the signed-in person; until then they do. */
export function useEmailDelivery(): CurrentUser['emailDelivery'] {
  return useCurrentUser().data?.emailDelivery ?? 'working';
}

/** What is said of an email that was ordered: that it goes out, or that it is kept where no mail server is set. */
export function useEmailSentText(): (sentText: string) => string {
  const { t } = useTranslation();
  const isDeliveryOff = useEmailDelivery() === 'none';
  return (sentText) => (isDeliveryOff ? t('email.kept') : sentText);
}

/** Tells that an email goes out, or that it is kept where no mail server is set. */
export function useEmailToast(): (title: string, message?: string) => void {
  const { t } = useTranslation();
  const isDeliveryOff = useEmailDelivery() === 'none';
  return (title, message) =>
    isDeliveryOff
      ? toast.show({ title: t('email.kept'), message: t('email.keptText') })
      : toast.success(title, message);
}

/** Stays above every page of those who write to others until a mail server has accepted an email. */
export function EmailDeliveryBanner({ user }: { user: CurrentUser }) {
  const { t } = useTranslation();
  const { emailDelivery, isSuperAdmin } = user;
  if (emailDelivery === 'working' || (!isSuperAdmin && hasNoOwnZones(user))) return null;
  return (
    <Alert
      severity="warning"
      role="note"
      sx={{
        ...{ mb: 6, alignItems: 'center', flexWrap: { xs: 'wrap', sm: 'nowrap' } },
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
