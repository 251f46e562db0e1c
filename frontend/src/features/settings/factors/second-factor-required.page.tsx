import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useTitle } from '../../../shared/hooks/use-title';
import { FactorsSection } from './factors-section';
import { PasskeysSection } from './passkeys-section';

/**
 * Asks an administrator to set up a second factor, without which the server rejects all other requests. Any one factor
 * is enough.
 */
export function SecondFactorRequiredPage() {
  const { t } = useTranslation('settings');
  useTitle(t('factors.neededTitle'));
  return (
    <Box sx={{ width: '100%', maxWidth: 720, mx: 'auto', py: { xs: 4, sm: 8 }, display: 'grid', gap: 6 }}>
      <Box>
        <Typography variant="h1" sx={{ mb: 1 }}>
          {t('factors.neededTitle')}
        </Typography>
        <Typography color="textSecondary">{t('factors.neededText')}</Typography>
      </Box>
      <PasskeysSection />
      <FactorsSection />
    </Box>
  );
}
