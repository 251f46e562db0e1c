import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { $api } from '../../shared/api/client';
import { useFormat } from '../../shared/hooks/use-format';
import { ErrorState } from '../../shared/ui/error-state';

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
  return (
    <Box
      component="dl"
      aria-label={t('figures.label')}
      aria-busy={!data}
      sx={{
        display: 'grid',
        gap: 4,
        m: 0,
        gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', md: 'repeat(4, minmax(0, 1fr))' },
      }}
    >
      {names.map((name) => (
        <Card key={name} component="div" sx={{ p: 4 }}>
          <Typography component="dt" variant="body2" color="textSecondary">
            {t(`figures.${name}`)}
          </Typography>
          <Typography component="dd" variant="h1" sx={{ m: 0, mt: 1, fontVariantNumeric: 'tabular-nums' }}>
            {data ? format.number(data[name]) : <Skeleton width="2em" />}
          </Typography>
        </Card>
      ))}
    </Box>
  );
}
