import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFactors } from '../../../shared/factors/use-factors';

/** Reminds an admin whose account has no second factor yet; STAFF_MFA demands one. */
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
