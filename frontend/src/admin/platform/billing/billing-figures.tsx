import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { SectionCard } from '../../../shared/ui/section-card';
import { AsTable } from '../../ui/as-table';
import { latePart } from '../../../shared/ui/late-part';
import { bars, type Bars } from './bars';

// The charts are large, and only a few pages draw them.
const BarsChart = latePart(
  () => import('./bars-chart').then((m) => m.BarsChart),
  ({ height }) => <Skeleton variant="rounded" height={height} />,
);
const height = 220;

type Figures = Schema<'BillingFiguresDto'>;

/** People by plan, and by month what was paid and which subscriptions began and ended. */
export function BillingFigures() {
  const { t } = useTranslation('admin');
  const { data: figures, error, refetch } = $api.useQuery('get', '/api/admin/billing/figures');
  if (error && !figures) return <ErrorState title={t('billing.figures.failed')} error={error} onRetry={refetch} />;
  return (
    <Box
      sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(3, minmax(0, 1fr))' } }}
    >
      {figures ? (
        <Charts figures={figures} />
      ) : (
        [1, 2, 3].map((at) => <Skeleton key={at} variant="rounded" height={320} />)
      )}
    </Box>
  );
}

function Charts({ figures }: { figures: Figures }) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const format = useFormat();
  const { plans, revenue, churn } = bars(figures, {
    plan: (id) => common(`plans.${id as 'free'}`),
    people: t('billing.figures.people'),
    started: t('billing.figures.started'),
    ended: t('billing.figures.ended'),
    number: format.number,
    money: format.money,
  });
  const month = t('billing.figures.month');
  const now = figures.months.at(-1);
  const rate = now && now.atStart > 0 ? format.percent((now.ended / now.atStart) * 100) : null;
  return (
    <>
      <Chart
        title={t('billing.figures.plans')}
        text={t('billing.figures.plansText')}
        first={t('users.plan')}
        bars={plans}
      />
      <Chart
        title={t('billing.figures.revenue')}
        text={t('billing.figures.revenueText')}
        first={month}
        bars={revenue}
      />
      <Chart
        title={t('billing.figures.churn')}
        text={rate ? t('billing.figures.rate', { rate }) : t('billing.figures.churnText')}
        first={month}
        bars={churn}
      />
    </>
  );
}

interface ChartProps {
  title: string;
  text: string;
  /** What stands at the left of a row of the table. */
  first: string;
  bars: Bars;
}

function Chart({ title, text, first, bars }: ChartProps) {
  const { t } = useTranslation('admin');
  const isEmpty = bars.series.every(({ values }) => values.every((value) => value === 0));
  return (
    <SectionCard title={title} text={text}>
      {isEmpty ? (
        <Typography color="textSecondary" sx={{ py: 10, textAlign: 'center' }}>
          {t('billing.figures.empty')}
        </Typography>
      ) : (
        <>
          <BarsChart title={title} bars={bars} height={height} />
          <AsTable
            label={title}
            columns={[first, ...bars.series.map(({ name }) => name)]}
            rows={bars.labels.map((label, at) => [label, ...bars.series.map(({ values, show }) => show(values[at]!))])}
          />
        </>
      )}
    </SectionCard>
  );
}
