import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../platform/audit/audit.repository.js';
import { Clock } from '../../platform/clock/clock.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { limitNames, type PlanId, type PlanLimits } from './plan-catalogue.js';
import { getEffectivePlan, getMaxFileBytes, getPlanLimits, toMonth, getOwnPlan } from './plan.policy.js';
import { PlanRepository, toGrant } from './plan.repository.js';
import { UsageRepository } from './usage.repository.js';

/** An owner's plan, its limits and sources. */
export interface OwnerPlanState {
  readonly plan: PlanId;
  readonly limits: PlanLimits;
  /** Maximum size of one file, in bytes; an installation may allow less. */
  readonly maxFileBytes: number;
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
    private readonly plans: PlanRepository,
    private readonly usage: UsageRepository,
    private readonly audit: AuditRepository,
  ) {}

  /** @throws NOT_FOUND */
  getOwnerPlan(ownerId: number): Promise<OwnerPlanState> {
    return this.getOwnerPlanIn(this.em, ownerId);
  }

  /** Returns the owner's current plan and limits, as the transaction of `em` sees them. */
  async getOwnerPlanIn(em: EntityManager, ownerId: number): Promise<OwnerPlanState> {
    const found = await this.plans.findPlanSources(em, ownerId);
    if (!found) throw commonErrors.NOT_FOUND();
    const { isSuperAdmin, agreedLimits, ...sources } = found;
    const plan = getEffectivePlan(sources);
    // Agreed limits don't apply where the default plan is unlimited.
    const limits = getPlanLimits(plan, sources.defaultPlan === 'enterprise' ? null : agreedLimits, isSuperAdmin);
    return { plan, limits, maxFileBytes: getMaxFileBytes(plan, isSuperAdmin), ...sources };
  }

  /** The same for callers that write limits: locks the default plan against changes until `em` commits. */
  async getOwnerPlanWithLock(em: EntityManager, ownerId: number): Promise<OwnerPlanState> {
    await this.plans.lockDefaultPlanShared(em);
    return this.getOwnerPlanIn(em, ownerId);
  }

  /** Sets the plan that an owner pays for, in the caller's transaction. */
  async setSubscribedPlan(em: EntityManager, ownerId: number, plan: PlanId): Promise<void> {
    const before = await this.lockOwner(em, ownerId);
    await this.plans.upsertOwnerPlan(em, ownerId, before, { subscribedPlan: plan });
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
      const agreedLimits = Object.fromEntries(
        limitNames.map((limit) => [limit, limits?.[limit] ?? null]),
      ) as unknown as PlanLimits;
      await this.plans.upsertOwnerPlan(em, ownerId, before, { grantedPlan: toGrant(plan), agreedLimits });
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
    await this.usage.writeLimits(em, ownerId, state.limits, toMonth(this.clock.now()));
    if (before === plan) return;
    await this.plans.setOwnPlan(em, ownerId, plan);
    const params = { from: before, to: plan, why: cause.why };
    await this.audit.record(em, { type: 'plan.changed', actorId: cause.actorId, subjectId: ownerId, params });
  }

  private async lockOwner(em: EntityManager, ownerId: number): Promise<string> {
    const plan = await this.plans.lockOwnPlan(em, ownerId);
    if (plan === null) throw commonErrors.NOT_FOUND();
    return plan;
  }
}
