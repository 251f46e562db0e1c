import type { Schema } from '../../../shared/api/client';
import { plans as smallestFirst } from '../users/user';

export interface BarChartData {
  readonly labels: readonly string[];
  readonly series: readonly {
    readonly name: string;
    readonly values: readonly number[];
    show(value: number): string;
  }[];
}

interface ChartTexts {
  plan(id: string): string;
  readonly people: string;
  readonly started: string;
  readonly ended: string;
  number(value: number): string;
  money(amount: number, currency: string): string;
}

const getPlanRank = (plan: string) => smallestFirst.findIndex((id) => id === plan);

/**
 * Converts billing figures to bars, by plan and by month. Amounts stay in the currency's minor unit until formatted.
 */
export function toBillingCharts(
  { plans: unorderedPlans, revenue, months }: Schema<'BillingFiguresDto'>,
  texts: ChartTexts,
) {
  const plans = unorderedPlans.toSorted((a, b) => getPlanRank(a.plan) - getPlanRank(b.plan));
  const labels = months.map(({ month }) => month);
  const currencies = [...new Set(revenue.map(({ currency }) => currency))];
  const getAmountPaid = (month: string, currency: string) =>
    revenue.find((row) => row.month === month && row.currency === currency)?.amount ?? 0;
  const toCountSeries = (name: string, values: number[]) => ({ name, values, show: texts.number });
  return {
    plans: {
      labels: plans.map(({ plan }) => texts.plan(plan)),
      series: [
        toCountSeries(
          texts.people,
          plans.map(({ people }) => people),
        ),
      ],
    },
    revenue: {
      labels,
      series: currencies.map((currency) => ({
        name: currency,
        values: labels.map((month) => getAmountPaid(month, currency)),
        show: (value: number) => texts.money(value, currency),
      })),
    },
    churn: {
      labels,
      series: [
        toCountSeries(
          texts.started,
          months.map(({ started }) => started),
        ),
        toCountSeries(
          texts.ended,
          months.map(({ ended }) => ended),
        ),
      ],
    },
  } satisfies Record<string, BarChartData>;
}
