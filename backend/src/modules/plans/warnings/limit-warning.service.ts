import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { readInBatches } from '../../../platform/database/in-batches.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { CronRunPayload, JobContext } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { GIB } from '../../../platform/text/byte-units.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { getPlan, type Metric } from '../plan-catalogue.js';
import { canUpgrade, toMonth } from '../plan.policy.js';
import { PlanService } from '../plan.service.js';
import { notifyLimitReached, enqueueLimitWarnings, type LimitWarningJob } from '../plans.jobs.js';
import { limitWarningEmail } from '../emails/limit-warning.email.js';
import { UsageReportService } from '../usage-report.service.js';
import { UsageRepository, type DueWarning } from '../usage.repository.js';

/** Finds owners who have used most of a limit, and emails them. */
@Injectable()
export class LimitWarningService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: JobsService,
    private readonly config: AppConfig,
    private readonly plans: PlanService,
    private readonly usage: UsageRepository,
    private readonly usageReport: UsageReportService,
    private readonly users: UserRepository,
    private readonly email: EmailService,
  ) {}

  /** Excludes zones: using the only zone of the free plan is no reason for an email. The page shows all limits. */
  @OnJob(enqueueLimitWarnings)
  async enqueueWarnings(_payload: CronRunPayload, { signal }: JobContext): Promise<void> {
    const [month, now] = [toMonth(this.clock.now()), this.clock.now()];
    const found = readInBatches<DueWarning>((last, limit) => this.usage.findDueWarnings(month, last, limit));
    const enqueueOne = (due: DueWarning) =>
      inTransaction(this.em.fork(), (em) => this.recordWarning(em, due, { month, now }));
    await forEachIsolated(found, enqueueOne, signal, ({ ownerId, metric }) => ({ ownerId, metric }));
  }

  @OnJob(notifyLimitReached)
  async sendWarning({ ownerId, metric, level }: LimitWarningJob, { id }: JobContext): Promise<void> {
    const owner = await this.users.findActiveUser(ownerId);
    if (!owner) return;
    const currentUsage = (await this.usageReport.getUsage(ownerId)).find((usage) => usage.metric === metric);
    // Since the warning was enqueued, the owner may have freed space or upgraded.
    if (!currentUsage || currentUsage.allowed === null || (currentUsage.warning ?? 0) < level) return;
    const { plan } = await this.plans.getOwnerPlan(ownerId);
    const isUpgradeOffered = this.config.isBillingEnabled && canUpgrade({ plan, isSuperAdmin: owner.isSuperAdmin });
    const format = (value: number) => formatAmount(metric, value, owner.language);
    await this.email.send(limitWarningEmail, {
      to: owner.email,
      language: owner.language,
      values: {
        metric,
        level,
        used: format(currentUsage.used),
        allowed: format(currentUsage.allowed),
        plan: getPlan(plan).name,
        url: `${this.config.appUrl}${isUpgradeOffered ? '/pricing' : '/zones'}`,
        mayUpgrade: isUpgradeOffered,
      },
      idempotencyKey: `job-${id}`,
    });
  }

  /** Of concurrent workers that find the same warning, one enqueues it. */
  private async recordWarning(em: EntityManager, due: DueWarning, at: { month: string; now: Date }): Promise<void> {
    if (await this.usage.insertWarning(em, due, at)) await this.jobs.enqueue(em, notifyLimitReached, { ...due });
  }
}

/** Formats an amount for display: "1,000" or "4.2 GB". */
function formatAmount(metric: Metric, value: number, language: Language): string {
  if (metric !== 'bytes') return new Intl.NumberFormat(language).format(value);
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value / GIB)} GB`;
}
