import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import type { UserSchema } from '../auth/entities/user.entity.js';
import type { DefaultPlanSchema } from './default/default-plan.entity.js';
import type { OwnerPlanSchema } from './owner-plan.entity.js';
import { limitNames, type PlanLimits } from './plan-catalogue.js';

type Tables = typeof UserSchema | typeof OwnerPlanSchema | typeof DefaultPlanSchema;

/** What decides an owner's plan. */
export interface PlanSources {
  readonly isSuperAdmin: boolean;
  readonly subscribedPlan: string;
  /** Null for no grant. */
  readonly grantedPlan: string | null;
  readonly defaultPlan: string;
  /** Limits agreed with the owner; they apply to the enterprise plan. */
  readonly agreedLimits: PlanLimits;
}

interface OwnerPlanChange {
  readonly subscribedPlan?: string;
  readonly grantedPlan?: string | null;
  readonly agreedLimits?: PlanLimits;
}

const DEFAULT_PLAN_LOCK = 'default-plan';

/** The plans that owners pay for and are granted, the plan shown in `users.plan`, and the default plan. */
@Injectable()
export class PlanRepository {
  constructor(private readonly clock: Clock) {}

  async findPlanSources(em: EntityManager, ownerId: number): Promise<PlanSources | null> {
    const row = await query<Tables>(em)
      .selectFrom('users')
      .leftJoin('owner_plans', 'owner_plans.owner_id', 'users.id')
      .select(['users.is_super_admin as isSuperAdmin', 'users.plan', 'owner_plans.owner_id as ownerId'])
      .select('owner_plans.granted_plan as grantedPlan')
      .select(['owner_plans.subscribed_plan as subscribedPlan', 'zones', 'people', 'bytes', 'mails', 'invites'])
      .select((row) => row.selectFrom('default_plan').select('default_plan.plan').as('defaultPlan'))
      .where('users.id', '=', ownerId)
      .executeTakeFirst();
    if (!row) return null;
    return {
      isSuperAdmin: row.isSuperAdmin,
      subscribedPlan: row.subscribedPlan ?? 'free',
      // The plan of a user without a row that explains it counts as granted.
      grantedPlan: row.ownerId === null ? toGrant(row.plan) : row.grantedPlan,
      defaultPlan: row.defaultPlan ?? 'free',
      agreedLimits: toAgreedLimits(row),
    };
  }

  /**
   * Serialises changes of an owner's plan. Foreign keys to the user don't wait for this lock.
   * @returns the owner's own plan; null for an unknown or erased user
   */
  async lockOwnPlan(em: EntityManager, ownerId: number): Promise<string | null> {
    const row = await query<Tables>(em)
      .selectFrom('users')
      .select('plan')
      .where('id', '=', ownerId)
      .where('erased_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    return row?.plan ?? null;
  }

  async setOwnPlan(em: EntityManager, ownerId: number, plan: string): Promise<void> {
    await query<Tables>(em).updateTable('users').set({ plan }).where('id', '=', ownerId).execute();
  }

  /** @param currentPlan the plan of a user without a row that explains it; it counts as granted */
  async upsertOwnerPlan(
    em: EntityManager,
    ownerId: number,
    currentPlan: string,
    { subscribedPlan, grantedPlan, agreedLimits }: OwnerPlanChange,
  ): Promise<void> {
    const updated = {
      ...(subscribedPlan !== undefined && { subscribed_plan: subscribedPlan }),
      ...(grantedPlan !== undefined && { granted_plan: grantedPlan }),
      ...agreedLimits,
      updated_at: this.clock.now(),
    };
    await query<Tables>(em)
      .insertInto('owner_plans')
      .values({ owner_id: ownerId, granted_plan: toGrant(currentPlan), ...updated })
      .onConflict((conflict) => conflict.column('owner_id').doUpdateSet(updated))
      .execute();
  }

  async getDefaultPlan(em: EntityManager): Promise<string> {
    const row = await query<Tables>(em).selectFrom('default_plan').select('plan').executeTakeFirst();
    return row?.plan ?? 'free';
  }

  async setDefaultPlan(em: EntityManager, plan: string): Promise<void> {
    const change = { plan, changed_at: this.clock.now() };
    await query<Tables>(em)
      .insertInto('default_plan')
      .values({ only: true, ...change })
      .onConflict((conflict) => conflict.column('only').doUpdateSet(change))
      .execute();
  }

  /**
   * Locks the default plan against changes until `em` commits. Required before writing a limit derived from the default
   * plan: otherwise a transaction that has read the old default could write after the job that updates all limits, and
   * its limit would stay outdated.
   */
  async lockDefaultPlanShared(em: EntityManager): Promise<void> {
    await sql`select pg_advisory_xact_lock_shared(hashtextextended(${DEFAULT_PLAN_LOCK}, 0))`.execute(query(em));
  }

  /** The exclusive counterpart, for changing the default plan. Waits for all shared holders. */
  async lockDefaultPlanExclusive(em: EntityManager): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${DEFAULT_PLAN_LOCK}, 0))`.execute(query(em));
  }
}

/** Converts a plan to a grant: free is no grant. */
export function toGrant(plan: string): string | null {
  return plan === 'free' ? null : plan;
}

type LimitColumns = Record<keyof PlanLimits, number | string | null>;

/** The driver returns big integers as text. */
function toAgreedLimits(row: LimitColumns): PlanLimits {
  const number = (value: number | string | null) => (value === null ? null : Number(value));
  return Object.fromEntries(limitNames.map((limit) => [limit, number(row[limit])])) as PlanLimits;
}
