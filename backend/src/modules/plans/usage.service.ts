import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { AppError } from '../../platform/errors/app-error.js';
import { query } from '../../platform/database/query.js';
import type { Metric } from './plan-catalogue.js';
import { PlanService } from './plan.service.js';
import { limitMessages, planErrors } from './plans.errors.js';
import { UsageSchema } from './usage.entity.js';

type Tables = typeof UsageSchema;

/**
 * Owners' usage and the limits of their plans. Each change is one conditional update, so that concurrent requests can't
 * exceed a limit. Call it last in a transaction, after the flush, because the row stays locked until the commit.
 */
@Injectable()
export class UsageService {
  constructor(private readonly plans: PlanService) {}

  /**
   * Adds `amount` to the usage if the plan allows it.
   * @param period '' or, for emails, the month ("2026-11", UTC)
   * @throws PLAN_LIMIT with limit, used and allowed
   */
  async addUsage(em: EntityManager, ownerId: number, metric: Metric, amount: number, period = ''): Promise<void> {
    await this.addOrThrow(em, { ownerId, metric, period, column: 'used', amount });
  }

  /**
   * Like `addUsage`, for an amount that preceding statements determine, in one round trip. This shortens the lock on a
   * row that many transactions update.
   * @param statements common table expressions, the last of which is `counted` and returns one row with `amount`
   * @returns that row
   * @throws PLAN_LIMIT
   */
  async addCountedUsage<Counted = object>(
    em: EntityManager,
    { ownerId, metric }: Omit<UsageRow, 'period'>,
    statements: RawBuilder<unknown>,
  ): Promise<Counted> {
    const { rows } = await sql<Counted & { amount: number; isTaken: boolean }>`
      with ${statements}, taken as (
        update usage set used = used + counted.amount from counted
        where owner_id = ${ownerId} and metric = ${metric} and period = '' and counted.amount > 0
          and ${fitsLimitSql(sql`counted.amount`)}
        returning true
      )
      select counted.*, exists (select from taken) as "isTaken" from counted
    `.execute(query<Tables>(em));
    const counted = rows[0]!;
    if (!counted.isTaken) await this.addUsage(em, ownerId, metric, Number(counted.amount));
    return counted;
  }

  /**
   * Adds as much of `amount` as the plan allows, for lists that may fit in part.
   * @returns how much was added, from 0 to `amount`
   */
  async addUsageUpTo(em: EntityManager, ownerId: number, metric: Metric, amount: number): Promise<number> {
    if (amount <= 0) return 0;
    await this.createUsageRow(em, { ownerId, metric, period: '' });
    const { rows } = await sql<{ granted: string }>`
      with room as (
        select greatest(0, least(${amount}::bigint, allowed - used - reserved)) as granted
        from usage where owner_id = ${ownerId} and metric = ${metric} and period = '' for update
      )
      update usage set used = used + granted from room
      where owner_id = ${ownerId} and metric = ${metric} and period = ''
      returning granted
    `.execute(query<Tables>(em));
    return Number(rows[0]!.granted);
  }

  /**
   * Returns the usage including reservations, and the limit (null: unlimited). Only reads, so it may be called at any
   * point of a transaction: a row created here would be locked before everything else.
   */
  async getUsage(em: EntityManager, ownerId: number, metric: Metric): Promise<UsageState> {
    const row = await query<Tables>(em)
      .selectFrom('usage')
      .select((row) => [sql<number>`used + reserved`.as('used'), row.ref('allowed').as('allowed')])
      .where('owner_id', '=', ownerId)
      .where('metric', '=', metric)
      .where('period', '=', '')
      .executeTakeFirst();
    const { used, allowed } = row ?? {
      used: 0,
      allowed: (await this.plans.getOwnerPlanIn(em, ownerId)).limits[metric],
    };
    return { used: Number(used), allowed: allowed === null ? null : Number(allowed) };
  }

  /** Subtracts `amount` from the usage. */
  async releaseUsage(em: EntityManager, ownerId: number, metric: Metric, amount: number, period = ''): Promise<void> {
    await query<Tables>(em)
      .updateTable('usage')
      .set({ used: sql<number>`used - ${amount}` })
      .where('owner_id', '=', ownerId)
      .where('metric', '=', metric)
      .where('period', '=', period)
      .execute();
  }

  /**
   * Reserves `amount` for something whose final size is unknown (an upload in progress).
   * @throws PLAN_LIMIT
   */
  async reserveUsage(em: EntityManager, ownerId: number, metric: Metric, amount: number): Promise<void> {
    await this.addOrThrow(em, { ownerId, metric, period: '', column: 'reserved', amount });
  }

  /** Ends a reservation: releases `reserved` and adds `actual` (0 if nothing came of it) to the usage. */
  async commitReservation(
    em: EntityManager,
    ownerId: number,
    metric: Metric,
    reserved: number,
    actual: number,
  ): Promise<void> {
    await query<Tables>(em)
      .updateTable('usage')
      .set({ used: sql<number>`used + ${actual}`, reserved: sql<number>`reserved - ${reserved}` })
      .where('owner_id', '=', ownerId)
      .where('metric', '=', metric)
      .where('period', '=', '')
      .execute();
  }

  /** Creates the email row of a month with the plan's limit; an existing one stays unchanged. */
  openMonthlyQuota(em: EntityManager, ownerId: number, period: string): Promise<void> {
    return this.createUsageRow(em, { ownerId, metric: 'mails', period });
  }

  /**
   * Records that an owner is now notified that a limit is reached.
   * @param notIfNoticedAfter no notice if the last one was later than this
   * @returns false if they have been notified since
   */
  async recordLimitNotice(
    em: EntityManager,
    ownerId: number,
    metric: Metric,
    now: Date,
    notIfNoticedAfter: Date,
  ): Promise<boolean> {
    const updated = await query<Tables>(em)
      .updateTable('usage')
      .set({ told_at: now })
      .where('owner_id', '=', ownerId)
      .where('metric', '=', metric)
      .where('period', '=', '')
      .where((where) => where.or([where('told_at', 'is', null), where('told_at', '<=', notIfNoticedAfter)]))
      .executeTakeFirst();
    return updated.numUpdatedRows > 0n;
  }

  /**
   * Sets the usage of a metric to the result of a query, under the lock of the row. Transactions that change what is
   * counted lock the row last and hold it until the commit.
   * @param countQuery returns one row with `amount`
   * @returns whether the usage was wrong; false for an owner without usage of this metric
   */
  async repairUsage(
    em: EntityManager,
    ownerId: number,
    metric: Metric,
    countQuery: RawBuilder<unknown>,
  ): Promise<boolean> {
    const row = sql`owner_id = ${ownerId} and metric = ${metric} and period = ''`;
    await sql`select from usage where ${row} for no key update`.execute(query<Tables>(em));
    const { numAffectedRows } = await sql`
      update usage set used = counted.amount from (${countQuery}) counted where ${row} and used <> counted.amount`.execute(
      query<Tables>(em),
    );
    return numAffectedRows === 1n;
  }

  private async addOrThrow(em: EntityManager, change: UsageChange): Promise<void> {
    if (change.amount <= 0) return;
    if (await this.tryAdd(em, change)) return;
    await this.createUsageRow(em, change);
    if (await this.tryAdd(em, change)) return;
    const { used, allowed } = await query<Tables>(em)
      .selectFrom('usage')
      .select((row) => [sql<number>`used + reserved`.as('used'), row.ref('allowed').as('allowed')])
      .where('owner_id', '=', change.ownerId)
      .where('metric', '=', change.metric)
      .where('period', '=', change.period)
      .executeTakeFirstOrThrow();
    const details = { planLimit: true as const, limit: change.metric, used: Number(used), allowed: Number(allowed) };
    throw new AppError(planErrors.PLAN_LIMIT.status, 'PLAN_LIMIT', limitMessages[change.metric], details);
  }

  private async tryAdd(em: EntityManager, { ownerId, metric, period, column, amount }: UsageChange): Promise<boolean> {
    const result = await query<Tables>(em)
      .updateTable('usage')
      .set({ [column]: sql<number>`${sql.ref(column)} + ${amount}` })
      .where('owner_id', '=', ownerId)
      .where('metric', '=', metric)
      .where('period', '=', period)
      .where(fitsLimitSql(amount))
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** Creates the row of a metric with the limit of the owner's plan, unless it exists. */
  private async createUsageRow(em: EntityManager, { ownerId, metric, period }: UsageRow): Promise<void> {
    const { limits } = await this.plans.getOwnerPlanWithLock(em, ownerId);
    const allowed = limits[metric];
    await query<Tables>(em)
      .insertInto('usage')
      .values({ owner_id: ownerId, metric, period, allowed })
      .onConflict((conflict) => conflict.columns(['owner_id', 'metric', 'period']).doNothing())
      .execute();
  }
}

/** SQL condition on a usage row: `amount` fits into the limit. */
const fitsLimitSql = (amount: number | RawBuilder<unknown>) =>
  sql<boolean>`(allowed is null or used + reserved + ${amount} <= allowed)`;

export interface UsageState {
  readonly used: number;
  readonly allowed: number | null;
}

interface UsageRow {
  ownerId: number;
  metric: Metric;
  period: string;
}

interface UsageChange extends UsageRow {
  column: 'used' | 'reserved';
  amount: number;
}
