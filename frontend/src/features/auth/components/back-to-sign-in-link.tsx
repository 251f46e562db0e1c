import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';

/** Link back to the sign-in page, at the bottom of a card. */
export function BackToSignInLink() {
  const { t } = useTranslation('auth');
  return (
    <Typography sx={{ mt: 6 }}>
      <Link component={RouterLink} to="/auth">
        {t('backToLogin')}
      </Link>
    </Typography>
  );
}
