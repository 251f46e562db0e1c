import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { SectionCard } from '../../../shared/ui/section-card';
import { ChartDataTable } from '../../ui/chart-data-table';
import { lazyComponent } from '../../../shared/ui/lazy-component';
import { toBillingCharts, type BarChartData } from './billing-chart-data';

// The chart library is large and used on few pages.
const BarsChart = lazyComponent(
  () => import('./bars-chart').then((m) => m.BarsChart),
  ({ height }) => <Skeleton variant="rounded" height={height} />,
);
const CHART_HEIGHT = 220;

type BillingStats = Schema<'BillingFiguresDto'>;

/** Users by plan; revenue, new and ended subscriptions by month. */
export function BillingCharts() {
  const { t } = useTranslation('admin');
  const { data: stats, error, refetch } = $api.useQuery('get', '/api/admin/billing/figures');
  if (error && !stats) return <ErrorState title={t('billing.figures.failed')} error={error} onRetry={refetch} />;
  return (
    <Box
      sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(3, minmax(0, 1fr))' } }}
    >
      {stats ? (
        <ChartCards stats={stats} />
      ) : (
        [1, 2, 3].map((index) => <Skeleton key={index} variant="rounded" height={320} />)
      )}
    </Box>
  );
}

function ChartCards({ stats }: { stats: BillingStats }) {
  const { t } = useTranslation('admin');
  const { t: tCommon } = useTranslation();
  const format = useFormat();
  const { plans, revenue, churn } = toBillingCharts(stats, {
    plan: (id) => tCommon(`plans.${id as 'free'}`),
    people: t('billing.figures.people'),
    started: t('billing.figures.started'),
    ended: t('billing.figures.ended'),
    number: format.number,
    money: format.money,
  });
  const monthLabel = t('billing.figures.month');
  const currentMonth = stats.months.at(-1);
  const churnRate =
    currentMonth && currentMonth.atStart > 0 ? format.percent((currentMonth.ended / currentMonth.atStart) * 100) : null;
  return (
    <>
      <ChartCard
        title={t('billing.figures.plans')}
        text={t('billing.figures.plansText')}
        rowHeader={t('users.plan')}
        data={plans}
      />
      <ChartCard
        title={t('billing.figures.revenue')}
        text={t('billing.figures.revenueText')}
        rowHeader={monthLabel}
        data={revenue}
      />
      <ChartCard
        title={t('billing.figures.churn')}
        text={churnRate ? t('billing.figures.rate', { rate: churnRate }) : t('billing.figures.churnText')}
        rowHeader={monthLabel}
        data={churn}
      />
    </>
  );
}

interface ChartCardProps {
  title: string;
  text: string;
  /** Row header of the table. */
  rowHeader: string;
  data: BarChartData;
}

function ChartCard({ title, text, rowHeader, data }: ChartCardProps) {
  const { t } = useTranslation('admin');
  const isEmpty = data.series.every(({ values }) => values.every((value) => value === 0));
  return (
    <SectionCard title={title} text={text}>
      {isEmpty ? (
        <Typography color="textSecondary" sx={{ py: 10, textAlign: 'center' }}>
          {t('billing.figures.empty')}
        </Typography>
      ) : (
        <>
          <BarsChart title={title} data={data} height={CHART_HEIGHT} />
          <ChartDataTable
            label={title}
            columns={[rowHeader, ...data.series.map(({ name }) => name)]}
            rows={data.labels.map((label, index) => [
              label,
              ...data.series.map(({ values, show }) => show(values[index]!)),
            ])}
          />
        </>
      )}
    </SectionCard>
  );
}
