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
import { latePart } from '../../../shared/ui/late-part';
import { FactorReminder } from './factor-reminder';
import { IntegrationNotices } from './integration-notices';

// The charts are large, and only this tab draws them.
const DaysChart = latePart(
  () => import('./days-chart').then((m) => m.DaysChart),
  ({ height }) => <Skeleton variant="rounded" height={height} />,
);
const chartHeight = 220;

type Stats = Schema<'AdminStatsDto'>;

/** What the installation holds, and how its last thirty days were. */
export function Overview() {
  return (
    <Box sx={{ display: 'grid', gap: 6, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <FactorReminder />
      <IntegrationNotices />
      <State />
    </Box>
  );
}

function State() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const query = { timeZone: useTimeZone() };
  const { data: stats, error, refetch } = $api.useQuery('get', '/api/admin/stats', { params: { query } });
  if (error && !stats) return <ErrorState title={t('overview.failed')} error={error} onRetry={refetch} />;
  return (
    <>
      <Box sx={{ display: 'grid', gap: 2 }}>
        <Figures stats={stats} />
        <Typography variant="body2" color="textSecondary">
          {stats ? t('overview.asOf', { when: format.dateTime(stats.asOf) }) : ' '}
        </Typography>
      </Box>
      <Days />
    </>
  );
}

function useFigures(stats: Stats | undefined) {
  const { t } = useTranslation('admin');
  const { number, size } = useFormat();
  const note = (text: (stats: Stats) => string) => stats && text(stats);
  return [
    {
      name: t('overview.users'),
      value: stats && number(stats.totalUsers),
      note: note((s) => t('overview.newUsers', { count: s.newUsersThisMonth, formatted: number(s.newUsersThisMonth) })),
    },
    {
      name: t('overview.zones'),
      value: stats && number(stats.totalZones),
      note: note((s) => t('overview.split', { open: number(s.publicZones), shut: number(s.privateZones) })),
    },
    {
      name: t('overview.files'),
      value: stats && number(stats.totalFiles),
      note: note((s) => t('overview.storage', { size: size(s.totalStorage) })),
    },
    {
      name: t('overview.campaigns'),
      value: stats && number(stats.totalCampaigns),
      note: note((s) =>
        t('overview.mails', { count: s.emailsSentThisMonth, formatted: number(s.emailsSentThisMonth) }),
      ),
    },
  ];
}

function Figures({ stats }: { stats: Stats | undefined }) {
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
      {useFigures(stats).map(({ name, value, note }) => (
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

function Days() {
  const { t } = useTranslation('admin');
  const init = { params: { query: { days: 30, timeZone: useTimeZone() } } };
  const { data: days, error, refetch } = $api.useQuery('get', '/api/admin/stats/days', init);
  if (error && !days) return <ErrorState title={t('overview.daysFailed')} error={error} onRetry={refetch} />;
  const charts = [
    { title: t('charts.people'), series: ['newUsers', 'joins', 'leaves'] },
    { title: t('charts.use'), series: ['views', 'downloads'] },
    { title: t('charts.mails'), series: ['mails'] },
    { title: t('charts.storage'), series: ['storage'] },
  ] as const;
  const waiting = <Skeleton variant="rounded" height={chartHeight} />;
  return (
    <Box
      sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } }}
    >
      {charts.map(({ title, series }) => (
        <SectionCard key={title} title={title} text={t('overview.lastDays')}>
          {days ? <DaysChart title={title} days={days} series={series} height={chartHeight} /> : waiting}
        </SectionCard>
      ))}
    </Box>
  );
}
