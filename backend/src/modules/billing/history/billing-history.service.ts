import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { PaidInvoiceData } from '../stripe-mapping.js';
import type { PaidInvoiceSchema } from './billing-history.entity.js';

type Tables = typeof PaidInvoiceSchema;

/** The plan that the last change of somebody led to. */
const LAST_PLAN_SQL = 'select plan_after as plan from subscription_changes where user_id = ? order by id desc limit 1';

/** What the figures of billing are made of: how subscriptions changed, and what was paid. */
@Injectable()
export class BillingHistoryService {
  constructor(private readonly clock: Clock) {}

  /** Notes, in the caller's transaction, that somebody subscribes to another plan than before. */
  async recordPlanChange(em: EntityManager, userId: number, before: string, after: string): Promise<void> {
    if (before === after) return;
    await em.execute(
      `insert into subscription_changes (user_id, plan_before, plan_after, changed_at)
       select ?, ?, ?, ? where coalesce((${LAST_PLAN_SQL}), 'free') <> ?`,
      [userId, before, after, this.clock.now(), userId, after],
    );
  }

  /** Notes, in the caller's transaction, that somebody subscribes to nothing any more; nothing when that is known. */
  async recordSubscriptionEnd(em: EntityManager, userId: number): Promise<void> {
    await em.execute(
      `insert into subscription_changes (user_id, plan_before, plan_after, changed_at)
       select ?, plan, 'free', ? from (${LAST_PLAN_SQL}) as last where plan <> 'free'`,
      [userId, this.clock.now(), userId],
    );
  }

  /** Notes what was paid, in the caller's transaction; the same invoice again changes nothing. */
  async recordPayments(em: EntityManager, userId: number, invoices: readonly PaidInvoiceData[]): Promise<void> {
    if (invoices.length === 0) return;
    const rows = invoices.map(({ id, amount, currency, paidAt }) => ({ id, amount, currency, paid_at: paidAt }));
    await query<Tables>(em)
      .insertInto('paid_invoices')
      .values(rows.map((row) => ({ ...row, user_id: userId })))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }
}
