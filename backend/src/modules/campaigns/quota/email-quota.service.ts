import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { readInBatches } from '../../../platform/database/in-batches.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { toMonth } from '../../plans/plan.policy.js';
import { PlanService } from '../../plans/plan.service.js';
import { UsageRepository } from '../../plans/usage.repository.js';
import { UsageService } from '../../plans/usage.service.js';
import type { EmailQuotaDto } from '../dto/campaign.dto.js';
import { CampaignStateRepository, type EmailCharge } from '../engine/campaign-state.repository.js';
import { openMonthlyQuotas } from '../campaigns.jobs.js';
import { EmailQuotaRepository } from './email-quota.repository.js';

interface Owner {
  readonly id: number;
}

/** The monthly email quota of owners: what is left of it, what campaigns are charged, and what is refunded. */
@Injectable()
export class EmailQuotaService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly plans: PlanService,
    private readonly usage: UsageService,
    private readonly usageRepository: UsageRepository,
    private readonly emailQuotas: EmailQuotaRepository,
    private readonly states: CampaignStateRepository,
  ) {}

  /**
   * Returns the quota of the current month; super admins have none. Once the month's row exists, its limit applies,
   * because that one is enforced.
   */
  async getMonthlyQuota(ownerId: number): Promise<EmailQuotaDto> {
    const now = this.clock.now();
    const period = toMonth(now);
    const opened = await this.usageRepository.findUsage(this.em, { ownerId, metric: 'mails', period });
    const quotaLimit = opened ? opened.allowed : (await this.plans.getOwnerPlan(ownerId)).limits.mails;
    const emailsSent = opened?.used ?? 0;
    return {
      unlimited: quotaLimit === null,
      emailsSent,
      quotaLimit,
      remaining: quotaLimit === null ? null : Math.max(0, quotaLimit - emailsSent),
      monthYear: period,
      resetsAt: startOfNextMonth(now),
    };
  }

  /**
   * Charges emails to a month. Must be called last in the transaction, because it locks the owner's usage.
   * @param refund what was charged before and is refunded first
   * @throws PLAN_LIMIT
   */
  async charge(
    em: EntityManager,
    { ownerId, amount, period }: EmailCharge,
    refund: EmailCharge | null = null,
  ): Promise<void> {
    // The earlier month first: usage rows are locked last and in a fixed order.
    if (refund) await this.release(em, refund);
    await this.usage.addUsage(em, ownerId, 'mails', amount, period);
  }

  /**
   * Refunds the quota of recipients who got no email, to the month that was charged, in the caller's transaction. Only
   * amounts not refunded yet.
   */
  async refundUnsent(em: EntityManager, campaignId: number): Promise<void> {
    const refundable = await this.states.lockRefundableQuota(em, campaignId);
    if (!refundable) return;
    await this.states.incrementCounts(em, campaignId, { returned: refundable.amount });
    await this.release(em, refundable);
  }

  /**
   * Creates the current month's row, with the plan's limit, for every zone owner without one. Plan changes update
   * existing rows themselves.
   */
  @OnJob(openMonthlyQuotas)
  async openMonthlyQuotas(_: Record<string, never>, { signal }: JobContext): Promise<void> {
    const period = toMonth(this.clock.now());
    const owners = readInBatches<Owner>((last, limit) =>
      this.emailQuotas.findOwnersWithoutQuota(period, last?.id ?? 0, limit),
    );
    const open = ({ id }: Owner) => inTransaction(this.em.fork(), (em) => this.usage.openMonthlyQuota(em, id, period));
    await forEachIsolated(owners, open, signal, ({ id }) => ({ ownerId: id }));
  }

  private release(em: EntityManager, { ownerId, amount, period }: EmailCharge): Promise<void> {
    return this.usage.releaseUsage(em, ownerId, 'mails', amount, period);
  }
}

/** Returns when the next month starts (UTC), and with it a new quota. */
export function startOfNextMonth(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
}
