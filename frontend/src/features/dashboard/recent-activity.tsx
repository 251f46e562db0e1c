import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { $api } from '../../shared/api/client';
import { useFormat } from '../../shared/hooks/use-format';
import { useNow } from '../../shared/hooks/use-now';
import { ErrorState } from '../../shared/ui/error-state';
import { RowsSkeleton } from '../../shared/ui/skeletons';
import { DashboardCard } from './panel';

/** Latest activity in the user's zones, newest first. */
export function RecentActivity() {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const now = useNow();
  const { data: items, error, refetch } = $api.useQuery('get', '/api/dashboard/activity');
  return (
    <DashboardCard title={t('activity.title')}>
      {error && <ErrorState title={t('errors.activity')} error={error} onRetry={refetch} />}
      {!items && !error && (
        <Box sx={{ px: 4, py: 2 }}>
          <RowsSkeleton rows={3} />
        </Box>
      )}
      {items?.length === 0 && (
        <Typography color="textSecondary" sx={{ px: 4, py: 8, textAlign: 'center' }}>
          {t('activity.empty')}
        </Typography>
      )}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {items?.map((item) => (
          <Box
            component="li"
            key={item.id}
            sx={{ px: 4, py: 3, overflowWrap: 'anywhere', '& + &': { borderTop: 1, borderColor: 'divider' } }}
          >
            <Typography>{item.message}</Typography>
            <Typography
              variant="caption"
              color="textSecondary"
              component="time"
              dateTime={item.createdAt}
              title={format.dateTime(item.createdAt)}
            >
              {format.relative(item.createdAt, now)}
            </Typography>
          </Box>
        ))}
      </Box>
    </DashboardCard>
  );
}
