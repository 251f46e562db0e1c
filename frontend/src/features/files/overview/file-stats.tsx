import Card from '@mui/material/Card';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { StatCards } from '../../../shared/ui/stat-cards';

/** Number of zones and files, and their storage in bytes, trash included. */
export function FileStats() {
  const { t } = useTranslation('filesOverview');
  const format = useFormat();
  const { data, error, refetch } = $api.useQuery('get', '/api/dashboard/stats');
  if (error && !data) {
    return (
      <Card>
        <ErrorState title={t('figuresFailed')} error={error} onRetry={refetch} />
      </Card>
    );
  }
  return (
    <StatCards
      label={t('figures.label')}
      stats={[
        { name: t('figures.totalZones'), value: data && format.number(data.totalZones) },
        { name: t('figures.totalFiles'), value: data && format.number(data.totalFiles) },
        { name: t('figures.totalStorage'), value: data && format.size(data.totalStorage) },
      ]}
    />
  );
}
