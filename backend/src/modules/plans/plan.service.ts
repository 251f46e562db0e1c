import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { UserSchema } from '../auth/entities/user.entity.js';
import { DefaultPlanSchema } from './default/default-plan.entity.js';
import { lockDefaultPlanShared } from './default/default-plan-lock.js';
import { OwnerPlanSchema } from './owner-plan.entity.js';
import { limitNames, type PlanId, type PlanLimits, metrics } from './plan-catalogue.js';
import { getEffectivePlan, getPlanLimits, toMonth, getOwnPlan } from './plan.policy.js';
import type { UsageSchema } from './usage.entity.js';

type Tables = typeof UserSchema | typeof OwnerPlanSchema | typeof DefaultPlanSchema;

/** An owner's plan, its limits and sources. */
export interface OwnerPlanState {
  readonly plan: PlanId;
  readonly limits: PlanLimits;
  readonly subscribedPlan: string;
  readonly grantedPlan: string | null;
  /** The plan of users without a larger one. */
  readonly defaultPlan: string;
}

/** The administrator who grants a plan. */
export interface PlanGranter {
  readonly actorId: number;
  readonly ipAddress: string | null;
}

/**
 * Manages owners' plans. A plan changes together with the enforced limits: `usage.allowed` is updated in the same
 * transaction, so that no request sees one without the other.
 */
@Injectable()
export class PlanService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: AuditService,
  ) {}

  /** @throws NOT_FOUND */
  getOwnerPlan(ownerId: number): Promise<OwnerPlanState> {
    return this.getOwnerPlanIn(this.em, ownerId);
  }

  /** Returns the owner's current plan and limits, as the transaction of `em` sees them. */
  async getOwnerPlanIn(em: EntityManager, ownerId: number): Promise<OwnerPlanState> {
    const row = await query<Tables>(em)
      .selectFrom('users')
      .leftJoin('owner_plans', 'owner_plans.owner_id', 'users.id')
      .select(['users.is_super_admin as isSuperAdmin', 'users.plan', 'owner_plans.owner_id as ownerId'])
      .select('owner_plans.granted_plan as grantedPlan')
      .select(['owner_plans.subscribed_plan as subscribedPlan', 'zones', 'people', 'bytes', 'mails', 'invites'])
      .select((row) => row.selectFrom('default_plan').select('default_plan.plan').as('defaultPlan'))
      .where('users.id', '=', ownerId)
      .executeTakeFirst();
    if (!row) throw commonErrors.NOT_FOUND();
    const hasOwnerPlanRow = row.ownerId !== null;
    const sources = {
      subscribedPlan: row.subscribedPlan ?? 'free',
      grantedPlan: hasOwnerPlanRow ? row.grantedPlan : toGrant(row.plan),
      defaultPlan: row.defaultPlan ?? 'free',
    };
    const plan = getEffectivePlan(sources);
    // Agreed limits don't apply where the default plan is unlimited.
    const agreedLimits = sources.defaultPlan === 'enterprise' ? null : toAgreedLimits(row);
    return { plan, limits: getPlanLimits(plan, agreedLimits, row.isSuperAdmin), ...sources };
  }

  /** The same for callers that write limits: locks the default plan against changes until `em` commits. */
  async getOwnerPlanWithLock(em: EntityManager, ownerId: number): Promise<OwnerPlanState> {
    await lockDefaultPlanShared(em);
    return this.getOwnerPlanIn(em, ownerId);
  }

  /** Sets the plan that an owner pays for, in the caller's transaction. */
  async setSubscribedPlan(em: EntityManager, ownerId: number, plan: PlanId): Promise<void> {
    const before = await this.lockOwner(em, ownerId);
    await this.upsertOwnerPlan(em, ownerId, before.plan, { subscribed_plan: plan });
    await this.syncOwnerPlan(em, ownerId, { why: 'subscription' });
  }

  /**
   * Grants a plan without payment, or revokes the grant (`free`). A paid plan is not affected: the larger of both
   * applies.
   * @param limits for enterprise: the agreed limits, null where there is none; null for other plans
   * @throws NOT_FOUND
   */
  grantPlan(ownerId: number, plan: PlanId, limits: PlanLimits | null, granter: PlanGranter): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const before = await this.lockOwner(em, ownerId);
      const figures = Object.fromEntries(limitNames.map((limit) => [limit, limits?.[limit] ?? null]));
      await this.upsertOwnerPlan(em, ownerId, before.plan, { granted_plan: toGrant(plan), ...figures });
      await this.audit.record(em, {
        type: 'plan.granted',
        ...granter,
        subjectId: ownerId,
        params: { plan, ...(limits ? { limits } : {}) },
      });
      await this.syncOwnerPlan(em, ownerId, { why: 'grant', actorId: granter.actorId });
    });
  }

  /**
   * Updates `users.plan` (the owner's own plan) and the enforced limits, in the caller's transaction. Writes a row for
   * every metric, so that a row that a concurrent request creates can't keep the old limit.
   */
  async syncOwnerPlan(em: EntityManager, ownerId: number, cause: { why: string; actorId?: number }): Promise<void> {
    const before = await this.lockOwner(em, ownerId);
    const state = await this.getOwnerPlanWithLock(em, ownerId);
    const plan = getOwnPlan(state);
    await writeLimits(em, ownerId, state.limits, toMonth(this.clock.now()));
    if (before.plan === plan) return;
    await query<Tables>(em).updateTable('users').set({ plan }).where('id', '=', ownerId).execute();
    const params = { from: before.plan, to: plan, why: cause.why };
    await this.audit.record(em, { type: 'plan.changed', actorId: cause.actorId, subjectId: ownerId, params });
  }

  /** Serialises changes of an owner's plan. Foreign keys to the user don't wait for this lock. */
  private async lockOwner(em: EntityManager, ownerId: number): Promise<{ plan: string }> {
    const row = await query<Tables>(em)
      .selectFrom('users')
      .select('plan')
      .where('id', '=', ownerId)
      .where('erased_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!row) throw commonErrors.NOT_FOUND();
    return row;
  }

  /** @param currentPlan the plan of a user without a row that explains it; it counts as granted */
  private async upsertOwnerPlan(
    em: EntityManager,
    ownerId: number,
    currentPlan: string,
    change: Partial<OwnerPlanColumns>,
  ): Promise<void> {
    const updated = { ...change, updated_at: this.clock.now() };
    await query<Tables>(em)
      .insertInto('owner_plans')
      .values({ owner_id: ownerId, granted_plan: toGrant(currentPlan), ...updated })
      .onConflict((conflict) => conflict.column('owner_id').doUpdateSet(updated))
      .execute();
  }
}

type OwnerPlanColumns = PlanLimits & { subscribed_plan: string; granted_plan: string | null };

/** Converts a plan to a grant: free is no grant. */
function toGrant(plan: string): string | null {
  return plan === 'free' ? null : plan;
}

type LimitColumns = Record<keyof PlanLimits, number | string | null>;

/** The driver returns big integers as text. */
function toAgreedLimits(row: LimitColumns): PlanLimits {
  const number = (value: number | string | null) => (value === null ? null : Number(value));
  return Object.fromEntries(limitNames.map((limit) => [limit, number(row[limit])])) as PlanLimits;
}

/**
 * Writes the limits of a plan to the rows of every metric and creates missing ones, in the common lock order (by
 * metric).
 * @param month the month for which the email limit applies ("2026-11", UTC)
 */
export async function writeLimits(em: EntityManager, ownerId: number, limits: PlanLimits, month: string) {
  const rows = [...metrics].sort().map((metric) => ({
    owner_id: ownerId,
    metric,
    period: metric === 'mails' ? month : '',
    allowed: limits[metric],
  }));
  await query<typeof UsageSchema>(em)
    .insertInto('usage')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['owner_id', 'metric', 'period'])
        .doUpdateSet((row) => ({ allowed: row.ref('excluded.allowed') })),
    )
    .execute();
}
