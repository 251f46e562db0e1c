import { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { readInBatches } from '../../../platform/database/in-batches.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { CronRunPayload, JobContext } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { GIB } from '../../../platform/text/byte-units.js';
import { User } from '../../auth/entities/user.entity.js';
import { getPlan, type Metric } from '../plan-catalogue.js';
import { canUpgrade, toMonth, type WarningLevel } from '../plan.policy.js';
import { PlanService } from '../plan.service.js';
import { notifyLimitReached, enqueueLimitWarnings, type LimitWarningJob } from '../plans.jobs.js';
import { limitWarningEmail } from '../emails/limit-warning.email.js';
import { UsageReportService } from '../usage-report.service.js';
import { UsageWarningSchema } from '../usage.entity.js';

interface DueWarning {
  readonly ownerId: number;
  readonly metric: Metric;
  readonly level: WarningLevel;
}

/** Finds owners who have used most of a limit, and emails them. */
@Injectable()
export class LimitWarningService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: JobsService,
    private readonly config: AppConfig,
    private readonly plans: PlanService,
    private readonly usage: UsageReportService,
    private readonly email: EmailService,
  ) {}

  /** Excludes zones: using the only zone of the free plan is no reason for an email. The page shows all limits. */
  @OnJob(enqueueLimitWarnings)
  async enqueueWarnings(_payload: CronRunPayload, { signal }: JobContext): Promise<void> {
    const [month, now] = [toMonth(this.clock.now()), this.clock.now()];
    const found = readInBatches<DueWarning>((last, limit) => this.findDueWarnings(month, last, limit));
    const enqueueOne = (due: DueWarning) =>
      inTransaction(this.em.fork(), (em) => this.recordWarning(em, due, { month, now }));
    await forEachIsolated(found, enqueueOne, signal, ({ ownerId, metric }) => ({ ownerId, metric }));
  }

  @OnJob(notifyLimitReached)
  async sendWarning({ ownerId, metric, level }: LimitWarningJob, { id }: JobContext): Promise<void> {
    const owner = await this.em.findOne(User, { id: ownerId, deactivatedAt: null, erasedAt: null });
    const currentUsage = (await this.getUsage(owner))?.find((usage) => usage.metric === metric);
    // Since the warning was enqueued, the owner may have freed space or upgraded.
    if (!owner || !currentUsage || currentUsage.allowed === null || (currentUsage.warning ?? 0) < level) return;
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

  /** Returns due warnings that have not been sent yet, after the last one found. */
  private async findDueWarnings(month: string, last: DueWarning | null, limit: number): Promise<DueWarning[]> {
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
      limit ${limit}`.execute(query<typeof UsageWarningSchema>(this.em.fork()));
    return rows;
  }

  /** Of concurrent workers that find the same warning, one enqueues it. */
  private async recordWarning(
    em: EntityManager,
    due: DueWarning,
    { month, now }: { month: string; now: Date },
  ): Promise<void> {
    const { ownerId, metric, level } = due;
    const inserted = await query<typeof UsageWarningSchema>(em)
      .insertInto('usage_warnings')
      .values({ owner_id: ownerId, metric, month, level, warned_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('owner_id')
      .executeTakeFirst();
    if (inserted) await this.jobs.enqueue(em, notifyLimitReached, { ownerId, metric, level });
  }

  private async getUsage(owner: User | null) {
    return owner ? this.usage.getUsage(owner.id) : null;
  }
}

/** Formats an amount for display: "1,000" or "4.2 GB". */
function formatAmount(metric: Metric, value: number, language: Language): string {
  if (metric !== 'bytes') return new Intl.NumberFormat(language).format(value);
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value / GIB)} GB`;
}
