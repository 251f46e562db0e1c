import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import type { Metric } from './plan-catalogue.js';
import { PlanService } from './plan.service.js';
import { limitMessages, planErrors } from './plans.errors.js';
import { UsageRepository, type UsageChange, type UsageKey, type UsageState } from './usage.repository.js';

/**
 * Owners' usage and the limits of their plans. Each change is one conditional update, so that concurrent requests can't
 * exceed a limit. Call it last in a transaction, after the flush, because the row stays locked until the commit.
 */
@Injectable()
export class UsageService {
  constructor(
    private readonly plans: PlanService,
    private readonly usage: UsageRepository,
  ) {}

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
    { ownerId, metric }: Omit<UsageKey, 'period'>,
    statements: Parameters<UsageRepository['tryAddCounted']>[2],
  ): Promise<Counted> {
    const counted = await this.usage.tryAddCounted<Counted>(em, { ownerId, metric }, statements);
    if (!counted.isAdded) await this.addUsage(em, ownerId, metric, Number(counted.amount));
    return counted;
  }

  /**
   * Adds as much of `amount` as the plan allows, for lists that may fit in part.
   * @returns how much was added, from 0 to `amount`
   */
  async addUsageUpTo(em: EntityManager, ownerId: number, metric: Metric, amount: number): Promise<number> {
    if (amount <= 0) return 0;
    await this.createUsageRow(em, { ownerId, metric, period: '' });
    return this.usage.addUpTo(em, ownerId, metric, amount);
  }

  /**
   * Returns the usage including reservations, and the limit (null: unlimited). Only reads, so it may be called at any
   * point of a transaction: a row created here would be locked before everything else.
   */
  async getUsage(em: EntityManager, ownerId: number, metric: Metric): Promise<UsageState> {
    const usage = await this.usage.findUsage(em, { ownerId, metric, period: '' });
    return usage ?? { used: 0, allowed: (await this.plans.getOwnerPlanIn(em, ownerId)).limits[metric] };
  }

  /** Subtracts `amount` from the usage. */
  releaseUsage(em: EntityManager, ownerId: number, metric: Metric, amount: number, period = ''): Promise<void> {
    return this.usage.subtract(em, { ownerId, metric, period }, amount);
  }

  /**
   * Reserves `amount` for something whose final size is unknown (an upload in progress).
   * @throws PLAN_LIMIT
   */
  async reserveUsage(em: EntityManager, ownerId: number, metric: Metric, amount: number): Promise<void> {
    await this.addOrThrow(em, { ownerId, metric, period: '', column: 'reserved', amount });
  }

  /** Ends a reservation: releases `reserved` and adds `actual` (0 if nothing came of it) to the usage. */
  commitReservation(
    em: EntityManager,
    ownerId: number,
    metric: Metric,
    reserved: number,
    actual: number,
  ): Promise<void> {
    return this.usage.commitReservation(em, { ownerId, metric, period: '' }, { reserved, actual });
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
  recordLimitNotice(
    em: EntityManager,
    ownerId: number,
    metric: Metric,
    now: Date,
    notIfNoticedAfter: Date,
  ): Promise<boolean> {
    return this.usage.recordLimitNotice(em, { ownerId, metric, period: '' }, { now, notIfNoticedAfter });
  }

  private async addOrThrow(em: EntityManager, change: UsageChange): Promise<void> {
    if (change.amount <= 0) return;
    if (await this.usage.tryAdd(em, change)) return;
    await this.createUsageRow(em, change);
    if (await this.usage.tryAdd(em, change)) return;
    const { used, allowed } = (await this.usage.findUsage(em, change))!;
    const details = { planLimit: true as const, limit: change.metric, used, allowed: Number(allowed) };
    throw new AppError(planErrors.PLAN_LIMIT.status, 'PLAN_LIMIT', limitMessages[change.metric], details);
  }

  /** Creates the row of a metric with the limit of the owner's plan, unless it exists. */
  private async createUsageRow(em: EntityManager, { ownerId, metric, period }: UsageKey): Promise<void> {
    const { limits } = await this.plans.getOwnerPlanWithLock(em, ownerId);
    await this.usage.insertUsage(em, { ownerId, metric, period }, limits[metric]);
  }
}
