import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { InstallationForm } from './installation-form';
import { Mail } from './mail/mail';

/** What super admins set of the installation. */
export function Installation() {
  const { t } = useTranslation('admin');
  const { data, error, refetch } = $api.useQuery('get', '/api/admin/installation', {}, { staleTime: 0 });
  if (data) {
    return (
      <Box sx={{ display: 'grid', gap: 4 }}>
        <InstallationForm installation={data} />
        <Mail mail={data.mail} />
      </Box>
    );
  }
  if (error) return <ErrorState title={t('installation.failed')} error={error} onRetry={refetch} />;
  return <RowsSkeleton rows={6} />;
}
