import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../platform/database/query.js';
import type { UserSchema } from '../auth/entities/user.entity.js';
import { metrics, type Metric, type PlanLimits } from './plan-catalogue.js';
import type { WarningLevel } from './plan.policy.js';
import type { UsageSchema, UsageWarningSchema } from './usage.entity.js';

type Tables = typeof UsageSchema | typeof UsageWarningSchema | typeof UserSchema;

/** Identifies a row: `period` is '' or, for emails, the month ("2026-11", UTC). */
export interface UsageKey {
  readonly ownerId: number;
  readonly metric: Metric;
  readonly period: string;
}

export interface UsageChange extends UsageKey {
  readonly column: 'used' | 'reserved';
  readonly amount: number;
}

/** Usage including reservations, and the limit (null: unlimited). */
export interface UsageState {
  readonly used: number;
  readonly allowed: number | null;
}

export interface DueWarning {
  readonly ownerId: number;
  readonly metric: Metric;
  readonly level: WarningLevel;
}

/** The condition on a usage row that `amount` fits into the limit. */
const fitsLimitSql = (amount: number | RawBuilder<unknown>) =>
  sql<boolean>`(allowed is null or used + reserved + ${amount} <= allowed)`;

/**
 * Owners' usage and the limits that apply to it, and the warnings sent about them. Each change is one conditional
 * update, so that concurrent requests can't exceed a limit. The row stays locked until the commit, so changes come last
 * in a transaction.
 */
@Injectable()
export class UsageRepository {
  constructor(private readonly em: EntityManager) {}

  /** @returns false if the row is missing or the amount doesn't fit into the limit */
  async tryAdd(em: EntityManager, { ownerId, metric, period, column, amount }: UsageChange): Promise<boolean> {
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

  /**
   * Adds an amount that preceding statements determine, in one round trip. This shortens the lock on a row that many
   * transactions update.
   * @param statements common table expressions, the last of which is `counted` and returns one row with `amount`
   * @returns that row, and whether the amount was added
   */
  async tryAddCounted<Counted>(
    em: EntityManager,
    { ownerId, metric }: Omit<UsageKey, 'period'>,
    statements: RawBuilder<unknown>,
  ): Promise<Counted & { amount: number; isAdded: boolean }> {
    const { rows } = await sql<Counted & { amount: number; isAdded: boolean }>`
      with ${statements}, taken as (
        update usage set used = used + counted.amount from counted
        where owner_id = ${ownerId} and metric = ${metric} and period = '' and counted.amount > 0
          and ${fitsLimitSql(sql`counted.amount`)}
        returning true
      )
      select counted.*, exists (select from taken) as "isAdded" from counted
    `.execute(query<Tables>(em));
    return rows[0]!;
  }

  /**
   * Adds as much of `amount` as the limit allows to an existing row.
   * @returns how much was added, from 0 to `amount`
   */
  async addUpTo(em: EntityManager, ownerId: number, metric: Metric, amount: number): Promise<number> {
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

  async subtract(em: EntityManager, { ownerId, metric, period }: UsageKey, amount: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('usage')
      .set({ used: sql<number>`used - ${amount}` })
      .where('owner_id', '=', ownerId)
      .where('metric', '=', metric)
      .where('period', '=', period)
      .execute();
  }

  /** Ends a reservation: releases `reserved` and adds `actual` to the usage. */
  async commitReservation(
    em: EntityManager,
    { ownerId, metric, period }: UsageKey,
    { reserved, actual }: { reserved: number; actual: number },
  ): Promise<void> {
    await query<Tables>(em)
      .updateTable('usage')
      .set({ used: sql<number>`used + ${actual}`, reserved: sql<number>`reserved - ${reserved}` })
      .where('owner_id', '=', ownerId)
      .where('metric', '=', metric)
      .where('period', '=', period)
      .execute();
  }

  async findUsage(em: EntityManager, { ownerId, metric, period }: UsageKey): Promise<UsageState | null> {
    const row = await query<Tables>(em)
      .selectFrom('usage')
      .select((row) => [sql<number>`used + reserved`.as('used'), row.ref('allowed').as('allowed')])
      .where('owner_id', '=', ownerId)
      .where('metric', '=', metric)
      .where('period', '=', period)
      .executeTakeFirst();
    if (!row) return null;
    return { used: Number(row.used), allowed: row.allowed === null ? null : Number(row.allowed) };
  }

  /** Returns the owner's usage of all metrics; emails are those of the month ("2026-11", UTC). */
  async listUsage(ownerId: number, month: string): Promise<Map<Metric, number>> {
    const rows = await query<Tables>(this.em)
      .selectFrom('usage')
      .select(['metric', sql<string>`used + reserved`.as('used')])
      .where('owner_id', '=', ownerId)
      .where('period', 'in', ['', month])
      .execute();
    return new Map(rows.map(({ metric, used }) => [metric as Metric, Number(used)]));
  }

  /** Creates the row of a metric, unless it exists. */
  async insertUsage(em: EntityManager, { ownerId, metric, period }: UsageKey, allowed: number | null): Promise<void> {
    await query<Tables>(em)
      .insertInto('usage')
      .values({ owner_id: ownerId, metric, period, allowed })
      .onConflict((conflict) => conflict.columns(['owner_id', 'metric', 'period']).doNothing())
      .execute();
  }

  /**
   * Writes the limits of a plan to the rows of every metric and creates missing ones, in the common lock order (by
   * metric).
   * @param month the month for which the email limit applies ("2026-11", UTC)
   */
  async writeLimits(em: EntityManager, ownerId: number, limits: PlanLimits, month: string): Promise<void> {
    const rows = [...metrics].sort().map((metric) => ({
      owner_id: ownerId,
      metric,
      period: metric === 'mails' ? month : '',
      allowed: limits[metric],
    }));
    await query<Tables>(em)
      .insertInto('usage')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['owner_id', 'metric', 'period'])
          .doUpdateSet((row) => ({ allowed: row.ref('excluded.allowed') })),
      )
      .execute();
  }

  /**
   * Records that an owner is notified that a limit is reached.
   * @param notIfNoticedAfter no notice if the last one was later than this
   * @returns false if they have been notified since
   */
  async recordLimitNotice(
    em: EntityManager,
    { ownerId, metric, period }: UsageKey,
    { now, notIfNoticedAfter }: { now: Date; notIfNoticedAfter: Date },
  ): Promise<boolean> {
    const updated = await query<Tables>(em)
      .updateTable('usage')
      .set({ told_at: now })
      .where('owner_id', '=', ownerId)
      .where('metric', '=', metric)
      .where('period', '=', period)
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

  /** Returns owners with any usage row, by ascending id. */
  listOwners(afterId: number, limit: number): Promise<{ id: number }[]> {
    return query<Tables>(this.em.fork())
      .selectFrom('users')
      .select('id')
      .where('id', '>', afterId)
      .where('erased_at', 'is', null)
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('usage').select('metric').whereRef('usage.owner_id', '=', 'users.id')),
      )
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /** Returns super admins who have a limit, now or in the given month ("2026-11", UTC). */
  async findLimitedSuperAdmins(month: string): Promise<number[]> {
    const rows = await query<Tables>(this.em.fork())
      .selectFrom('usage as l')
      .innerJoin('users as u', 'u.id', 'l.owner_id')
      .select('u.id')
      .distinct()
      .where('u.is_super_admin', '=', true)
      .where('u.erased_at', 'is', null)
      .where('l.allowed', 'is not', null)
      .where(({ or, eb }) => or([eb('l.period', '=', ''), eb('l.period', '=', month)]))
      .execute();
    return rows.map(({ id }) => id);
  }

  /**
   * Returns warnings about limits that have not been recorded in this month, in order of owner and metric. Excludes
   * zones and invitations.
   * @param month "2026-11", UTC
   * @param last the last warning of the previous batch
   */
  async findDueWarnings(month: string, last: DueWarning | null, limit: number): Promise<DueWarning[]> {
    const { rows } = await sql<DueWarning>`
      select u.owner_id as "ownerId", u.metric, level.level
      from usage u
      join users o on o.id = u.owner_id and o.deactivated_at is null and o.erased_at is null
      cross join lateral (select case when u.used + u.reserved >= u.allowed then 100 else 80 end as level) level
      where u.metric in ('people', 'bytes', 'mails') and u.period in ('', ${month}) and u.allowed > 0
        and (u.used + u.reserved) * 100 >= u.allowed * 80
        and (u.owner_id, u.metric::text) > (${last?.ownerId ?? 0}::bigint, ${last?.metric ?? ''}::text)
        and not exists (select from usage_warnings w where w.owner_id = u.owner_id and w.metric = u.metric
          and w.month = ${month} and w.level >= level.level)
      order by u.owner_id, u.metric::text
      limit ${limit}`.execute(query<Tables>(this.em.fork()));
    return rows;
  }

  /** @returns false if another worker has recorded the warning */
  async insertWarning(
    em: EntityManager,
    { ownerId, metric, level }: DueWarning,
    { month, now }: { month: string; now: Date },
  ): Promise<boolean> {
    const inserted = await query<Tables>(em)
      .insertInto('usage_warnings')
      .values({ owner_id: ownerId, metric, month, level, warned_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('owner_id')
      .executeTakeFirst();
    return inserted !== undefined;
  }
}
