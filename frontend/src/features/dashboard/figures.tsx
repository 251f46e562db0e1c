import Card from '@mui/material/Card';
import { useTranslation } from 'react-i18next';
import { $api } from '../../shared/api/client';
import { useFormat } from '../../shared/hooks/use-format';
import { ErrorState } from '../../shared/ui/error-state';
import { StatCards } from '../../shared/ui/stat-cards';

const names = ['totalZones', 'totalFiles', 'totalMembers', 'totalDownloads'] as const;

/** The four figures of everything that the person owns. */
export function Figures() {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const { data, error, refetch } = $api.useQuery('get', '/api/dashboard/stats');
  if (error) {
    return (
      <Card>
        <ErrorState title={t('errors.figures')} error={error} onRetry={refetch} />
      </Card>
    );
  }
  const figures = names.map((name) => ({ name: t(`figures.${name}`), value: data && format.number(data[name]) }));
  return <StatCards label={t('figures.label')} figures={figures} />;
}
