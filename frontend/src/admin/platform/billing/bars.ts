import type { Schema } from '../../../shared/api/client';
import { plans as smallestFirst } from '../users/user';

export interface Bars {
  readonly labels: readonly string[];
  readonly series: readonly {
    readonly name: string;
    readonly values: readonly number[];
    show(value: number): string;
  }[];
}

interface Words {
  plan(id: string): string;
  readonly people: string;
  readonly started: string;
  readonly ended: string;
  number(value: number): string;
  money(amount: number, currency: string): string;
}

const rank = (plan: string) => smallestFirst.findIndex((one) => one === plan);

/** The figures of billing as bars: by plan, and by month. Amounts stay in the smallest unit until they are written. */
export function bars({ plans: unordered, revenue, months }: Schema<'BillingFiguresDto'>, words: Words) {
  const plans = unordered.toSorted((a, b) => rank(a.plan) - rank(b.plan));
  const labels = months.map(({ month }) => month);
  const currencies = [...new Set(revenue.map(({ currency }) => currency))];
  const paid = (month: string, currency: string) =>
    revenue.find((row) => row.month === month && row.currency === currency)?.amount ?? 0;
  const count = (name: string, values: number[]) => ({ name, values, show: words.number });
  return {
    plans: {
      labels: plans.map(({ plan }) => words.plan(plan)),
      series: [
        count(
          words.people,
          plans.map(({ people }) => people),
        ),
      ],
    },
    revenue: {
      labels,
      series: currencies.map((currency) => ({
        name: currency,
        values: labels.map((month) => paid(month, currency)),
        show: (value: number) => words.money(value, currency),
      })),
    },
    churn: {
      labels,
      series: [
        count(
          words.started,
          months.map(({ started }) => started),
        ),
        count(
          words.ended,
          months.map(({ ended }) => ended),
        ),
      ],
    },
  } satisfies Record<string, Bars>;
}
