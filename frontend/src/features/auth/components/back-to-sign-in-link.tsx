import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { StandaloneLink } from '../../../shared/ui/standalone-link';

/** Link back to the sign-in page, at the bottom of a card. */
export function BackToSignInLink() {
  const { t } = useTranslation('auth');
  return (
    <Typography component="div" sx={{ mt: 6 }}>
      <StandaloneLink to="/auth">{t('backToLogin')}</StandaloneLink>
    </Typography>
  );
}
