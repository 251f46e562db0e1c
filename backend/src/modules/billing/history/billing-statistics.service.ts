import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import type { BillingFiguresDto, PlanCountDto, RevenueDto, SubscriptionMonthDto } from './billing-figures.dto.js';

/** Months in the statistics, including the current one. */
const MONTHS = 12;

/** Plans, revenue and churn of the last twelve months (UTC), each by one query of our own tables. */
@Injectable()
export class BillingStatisticsService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Returns accounts per plan, monthly revenue, and started and ended subscriptions per month (UTC), oldest first. */
  async getStatistics(): Promise<BillingFiguresDto> {
    const now = this.clock.now();
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + 1, 1));
    return {
      plans: await this.countUsersByPlan(),
      revenue: await this.sumRevenueByMonth(first),
      months: await this.countChangesByMonth(first, now),
    };
  }

  private async countUsersByPlan(): Promise<PlanCountDto[]> {
    const { rows } = await sql<PlanCountDto>`
      select plan, count(*)::int as people from users where erased_at is null group by plan order by plan`.execute(
      this.em.getKysely(),
    );
    return rows;
  }

  private async sumRevenueByMonth(first: Date): Promise<RevenueDto[]> {
    const { rows } = await sql<RevenueDto>`
      select to_char(paid_at at time zone 'UTC', 'YYYY-MM') as month, currency, sum(amount)::float8 as amount
      from paid_invoices where paid_at >= ${first} group by 1, 2 order by 1, 2`.execute(this.em.getKysely());
    return rows;
  }

  private async countChangesByMonth(first: Date, now: Date): Promise<SubscriptionMonthDto[]> {
    const { rows } = await sql<SubscriptionMonthDto>`
      with changes as (
        select to_char(changed_at at time zone 'UTC', 'YYYY-MM') as month,
          count(*) filter (where plan_before = 'free' and plan_after <> 'free')::int as started,
          count(*) filter (where plan_before <> 'free' and plan_after = 'free')::int as ended
        from subscription_changes group by 1
      )
      select to_char(c.month, 'YYYY-MM') as month, coalesce(m.started, 0) as started, coalesce(m.ended, 0) as ended,
        (select coalesce(sum(b.started - b.ended), 0)::int from changes b where b.month < to_char(c.month, 'YYYY-MM'))
          as "atStart"
      from generate_series(${first} at time zone 'UTC', ${now} at time zone 'UTC', interval '1 month') c(month)
      left join changes m on m.month = to_char(c.month, 'YYYY-MM')
      order by 1`.execute(this.em.getKysely());
    return rows;
  }
}
