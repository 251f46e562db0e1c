import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { useInstallation } from '../../../shared/installation/use-installation';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { InstallationForm } from './installation-form';
import { EmailSettings } from './email/email-settings';

/** The installation's settings, for super admins. */
export function Installation() {
  const { t } = useTranslation('installation');
  const { data, error, refetch } = useInstallation();
  if (data) {
    return (
      <Box sx={{ display: 'grid', gap: 4 }}>
        <InstallationForm installation={data} />
        <EmailSettings mail={data.mail} />
      </Box>
    );
  }
  if (error) return <ErrorState title={t('failed')} error={error} onRetry={refetch} />;
  return <RowsSkeleton rows={6} />;
}
