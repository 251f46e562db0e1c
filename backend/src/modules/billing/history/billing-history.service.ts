import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { PaidInvoiceData } from '../stripe-mapping.js';
import type { PaidInvoiceSchema } from './billing-history.entity.js';

type Tables = typeof PaidInvoiceSchema;

/** The plan after the user's last change. */
const LAST_PLAN_SQL = 'select plan_after as plan from subscription_changes where user_id = ? order by id desc limit 1';

/** Records what the billing statistics are computed from: changes of subscriptions and payments. */
@Injectable()
export class BillingHistoryService {
  constructor(private readonly clock: Clock) {}

  /** Records, in the caller's transaction, that a user subscribes to a different plan. */
  async recordPlanChange(em: EntityManager, userId: number, before: string, after: string): Promise<void> {
    if (before === after) return;
    await em.execute(
      `insert into subscription_changes (user_id, plan_before, plan_after, changed_at)
       select ?, ?, ?, ? where coalesce((${LAST_PLAN_SQL}), 'free') <> ?`,
      [userId, before, after, this.clock.now(), userId, after],
    );
  }

  /**
   * Records, in the caller's transaction, that a user's subscription has ended. Does nothing if that is already
   * recorded.
   */
  async recordSubscriptionEnd(em: EntityManager, userId: number): Promise<void> {
    await em.execute(
      `insert into subscription_changes (user_id, plan_before, plan_after, changed_at)
       select ?, plan, 'free', ? from (${LAST_PLAN_SQL}) as last where plan <> 'free'`,
      [userId, this.clock.now(), userId],
    );
  }

  /** Records payments, in the caller's transaction. Repeated invoices are ignored. */
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
