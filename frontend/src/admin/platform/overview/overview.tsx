import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { useTimeZone } from '../../../shared/hooks/use-time-zone';
import { ErrorState } from '../../../shared/ui/error-state';
import { SectionCard } from '../../../shared/ui/section-card';
import { lazyComponent } from '../../../shared/ui/lazy-component';
import type { SeriesName } from './daily-chart';
import { SecondFactorReminder } from './second-factor-reminder';
import { IntegrationAlerts } from './integration-alerts';

// The chart library is large and used only in this tab.
const DailyChart = lazyComponent(
  () => import('./daily-chart').then((m) => m.DailyChart),
  ({ height }) => <Skeleton variant="rounded" height={height} />,
);
const CHART_HEIGHT = 220;

type Stats = Schema<'AdminStatsDto'>;

/** Totals of the installation and its last thirty days. */
export function Overview() {
  return (
    <Box sx={{ display: 'grid', gap: 6, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <SecondFactorReminder />
      <IntegrationAlerts />
      <OverviewStats />
    </Box>
  );
}

function OverviewStats() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const query = { timeZone: useTimeZone() };
  const { data: stats, error, refetch } = $api.useQuery('get', '/api/admin/stats', { params: { query } });
  if (error && !stats) return <ErrorState title={t('overview.failed')} error={error} onRetry={refetch} />;
  return (
    <>
      <Box sx={{ display: 'grid', gap: 2 }}>
        <StatCardList stats={stats} />
        <Typography variant="body2" color="textSecondary">
          {stats ? t('overview.asOf', { when: format.dateTime(stats.asOf) }) : ' '}
        </Typography>
      </Box>
      <DailyCharts />
    </>
  );
}

function useStatCards(stats: Stats | undefined) {
  const { t } = useTranslation('admin');
  const { number, size } = useFormat();
  const noteFrom = (text: (stats: Stats) => string) => stats && text(stats);
  return [
    {
      name: t('overview.users'),
      value: stats && number(stats.totalUsers),
      note: noteFrom((s) =>
        t('overview.newUsers', { count: s.newUsersThisMonth, formatted: number(s.newUsersThisMonth) }),
      ),
    },
    {
      name: t('overview.zones'),
      value: stats && number(stats.totalZones),
      note: noteFrom((s) => t('overview.split', { open: number(s.publicZones), shut: number(s.privateZones) })),
    },
    {
      name: t('overview.files'),
      value: stats && number(stats.totalFiles),
      note: noteFrom((s) => t('overview.storage', { size: size(s.totalStorage) })),
    },
    {
      name: t('overview.campaigns'),
      value: stats && number(stats.totalCampaigns),
      note: noteFrom((s) =>
        t('overview.mails', { count: s.emailsSentThisMonth, formatted: number(s.emailsSentThisMonth) }),
      ),
    },
  ];
}

function StatCardList({ stats }: { stats: Stats | undefined }) {
  const { t } = useTranslation('admin');
  return (
    <Box
      component="dl"
      aria-label={t('overview.label')}
      aria-busy={!stats}
      sx={{
        display: 'grid',
        gap: 4,
        m: 0,
        gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', md: 'repeat(4, minmax(0, 1fr))' },
      }}
    >
      {useStatCards(stats).map(({ name, value, note }) => (
        <Card key={name} component="div" sx={{ p: 4 }}>
          <Typography component="dt" variant="body2" color="textSecondary">
            {name}
          </Typography>
          <Box component="dd" sx={{ m: 0, mt: 1 }}>
            <Typography
              component="span"
              sx={{ display: 'block', typography: { xs: 'h2', sm: 'h1' }, fontVariantNumeric: 'tabular-nums' }}
            >
              {value ?? <Skeleton width="2em" />}
            </Typography>
            <Typography component="span" variant="body2" color="textSecondary">
              {note ?? <Skeleton width="60%" />}
            </Typography>
          </Box>
        </Card>
      ))}
    </Box>
  );
}

function isChartEmpty(days: readonly Schema<'AdminDayDto'>[], series: readonly SeriesName[]): boolean {
  return days.every((day) => series.every((name) => !day[name]));
}

function DailyCharts() {
  const { t } = useTranslation('admin');
  const requestOptions = { params: { query: { days: 30, timeZone: useTimeZone() } } };
  const { data: days, error, refetch } = $api.useQuery('get', '/api/admin/stats/days', requestOptions);
  if (error && !days) return <ErrorState title={t('overview.daysFailed')} error={error} onRetry={refetch} />;
  const charts = [
    { title: t('charts.people'), series: ['newUsers', 'joins', 'leaves'] },
    { title: t('charts.use'), series: ['views', 'downloads'] },
    { title: t('charts.mails'), series: ['mails'] },
    { title: t('charts.storage'), series: ['storage'] },
  ] as const;
  return (
    <Box
      sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } }}
    >
      {charts.map(({ title, series }) => (
        <SectionCard key={title} title={title} text={t('overview.lastDays')}>
          {!days && <Skeleton variant="rounded" height={CHART_HEIGHT} />}
          {days && isChartEmpty(days, series) && (
            <Box sx={{ display: 'grid', placeItems: 'center', minHeight: CHART_HEIGHT, color: 'text.secondary' }}>
              {t('overview.noneInDays')}
            </Box>
          )}
          {days && !isChartEmpty(days, series) && (
            <DailyChart title={title} days={days} series={series} height={CHART_HEIGHT} />
          )}
        </SectionCard>
      ))}
    </Box>
  );
}
