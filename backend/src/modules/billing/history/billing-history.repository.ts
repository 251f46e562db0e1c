import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { PaidInvoiceData } from '../stripe-mapping.js';
import type { RevenueDto, SubscriptionMonthDto } from './billing-figures.dto.js';
import type { PaidInvoiceSchema, SubscriptionChangeSchema } from './billing-history.entity.js';

type Tables = typeof PaidInvoiceSchema | typeof SubscriptionChangeSchema;

/** Selects the plan after the user's last change. */
const lastPlanSql = (userId: number): RawBuilder<unknown> =>
  sql`select plan_after as plan from subscription_changes where user_id = ${userId} order by id desc limit 1`;

/** Changes of subscriptions and payments, from which the billing statistics are computed. */
@Injectable()
export class BillingHistoryRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Records that a user subscribes to a different plan. */
  async insertPlanChange(em: EntityManager, userId: number, before: string, after: string): Promise<void> {
    if (before === after) return;
    await sql`
      insert into subscription_changes (user_id, plan_before, plan_after, changed_at)
      select ${userId}::bigint, ${before}, ${after}, ${this.clock.now()}::timestamptz
      where coalesce((${lastPlanSql(userId)}), 'free') <> ${after}`.execute(query<Tables>(em));
  }

  /** Records that a user's subscription has ended. Does nothing if that is already recorded. */
  async insertSubscriptionEnd(em: EntityManager, userId: number): Promise<void> {
    await sql`
      insert into subscription_changes (user_id, plan_before, plan_after, changed_at)
      select ${userId}::bigint, plan, 'free', ${this.clock.now()}::timestamptz
      from (${lastPlanSql(userId)}) as last where plan <> 'free'`.execute(query<Tables>(em));
  }

  /** Repeated invoices are ignored. */
  async insertPayments(em: EntityManager, userId: number, invoices: readonly PaidInvoiceData[]): Promise<void> {
    if (invoices.length === 0) return;
    const rows = invoices.map(({ id, amount, currency, paidAt }) => ({ id, amount, currency, paid_at: paidAt }));
    await query<Tables>(em)
      .insertInto('paid_invoices')
      .values(rows.map((row) => ({ ...row, user_id: userId })))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }

  /** Returns the payments of each month (UTC) and currency. */
  async sumRevenueByMonth(first: Date): Promise<RevenueDto[]> {
    const { rows } = await sql<RevenueDto>`
      select to_char(paid_at at time zone 'UTC', 'YYYY-MM') as month, currency, sum(amount)::float8 as amount
      from paid_invoices where paid_at >= ${first} group by 1, 2 order by 1, 2`.execute(query<Tables>(this.em));
    return rows;
  }

  /** Returns started and ended subscriptions of each month (UTC), also of months without any. */
  async countChangesByMonth(first: Date, now: Date): Promise<SubscriptionMonthDto[]> {
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
      order by 1`.execute(query<Tables>(this.em));
    return rows;
  }
}
