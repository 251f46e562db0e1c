import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFactors } from '../../../shared/factors/use-factors';

/** Reminds admins without a second factor to add one; `STAFF_MFA` makes it mandatory. */
export function SecondFactorReminder() {
  const { t } = useTranslation('admin');
  const { data: factors } = useFactors();
  if (!factors || factors.authenticator || factors.passkeys.length > 0) return null;
  return (
    <Alert
      role="note"
      severity="warning"
      sx={{ alignItems: 'center' }}
      action={
        <Button component={Link} to="/settings#passkeys" color="inherit" size="small">
          {t('factorReminder.open')}
        </Button>
      }
    >
      {t('factorReminder.text')}
    </Alert>
  );
}
