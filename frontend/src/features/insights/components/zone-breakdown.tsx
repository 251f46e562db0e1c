import BarChartRounded from '@mui/icons-material/BarChartRounded';
import DownloadRounded from '@mui/icons-material/DownloadRounded';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { $api } from '../../../shared/api/client';
import { useTimeZone } from '../../../shared/hooks/use-time-zone';
import { EmptyState } from '../../../shared/ui/empty-state';
import { ErrorState } from '../../../shared/ui/error-state';
import { SectionCard } from '../../../shared/ui/section-card';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import type { Range } from '../range';
import { ZoneFiguresTable } from './zone-figures-table';

/** Activity by zone. */
export function ZoneBreakdown({ range }: { range: Range }) {
  const { t } = useTranslation('insights');
  const query = { range, timeZone: useTimeZone() };
  const {
    data: zones,
    error,
    refetch,
  } = $api.useQuery('get', '/api/analytics/zones', {
    params: { query },
  });
  if (zones?.length === 0) return <NoZones />;
  return (
    <SectionCard
      title={t('zones.title')}
      text={t('zones.text')}
      action={
        <Button
          component="a"
          href={`/api/analytics/zones.csv?${new URLSearchParams(query)}`}
          download
          startIcon={<DownloadRounded />}
        >
          {t('zones.export')}
        </Button>
      }
    >
      {error && !zones && <ErrorState title={t('zones.failed')} error={error} onRetry={refetch} />}
      {!zones && !error && <RowsSkeleton />}
      {zones && <ZoneFiguresTable zones={zones} />}
    </SectionCard>
  );
}

function NoZones() {
  const { t } = useTranslation('insights');
  return (
    <Card>
      <EmptyState
        icon={<BarChartRounded />}
        title={t('zones.empty')}
        text={t('zones.emptyText')}
        action={
          <Button component={Link} to="/zones" variant="contained" color="primary">
            {t('zones.toZones')}
          </Button>
        }
      />
    </Card>
  );
}
