import { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inBatches } from '../../../platform/database/in-batches.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { ClockTick, JobContext } from '../../../platform/jobs/job-definition.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { eachOnItsOwn } from '../../../platform/jobs/running/each-on-its-own.js';
import { MailService } from '../../../platform/mail/mail.service.js';
import { GIB } from '../../../platform/text/sizes.js';
import { User } from '../../auth/entities/user.entity.js';
import { planOf, type Metric } from '../plan-catalogue.js';
import { mayUpgrade, monthOf, type WarningLevel } from '../plan.policy.js';
import { PlanService } from '../plan.service.js';
import { tellOfLimit, warnOfLimits, type LimitNearlyUsed } from '../plans.jobs.js';
import { limitWarningMail } from '../emails/limit-warning.email.js';
import { UsageReportService } from '../usage-report.service.js';
import { UsageWarningSchema } from '../usage.entity.js';

interface Due {
  readonly ownerId: number;
  readonly metric: Metric;
  readonly level: WarningLevel;
}

/** Finds owners who have used most of a limit, and writes to them. */
@Injectable()
export class LimitWarnings {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly config: AppConfig,
    private readonly plans: PlanService,
    private readonly usage: UsageReportService,
    private readonly mail: MailService,
  ) {}

  /** Zones are left out: the one zone of the free plan is no reason to write. The page shows all. */
  @OnJob(warnOfLimits)
  async warnAll(_tick: ClockTick, { signal }: JobContext): Promise<void> {
    const [month, now] = [monthOf(this.clock.now()), this.clock.now()];
    const found = inBatches<Due>((last, limit) => this.due(month, last, limit));
    const warn = (due: Due) => inTransaction(this.em.fork(), (em) => this.warn(em, due, { month, now }));
    await eachOnItsOwn(found, warn, signal, ({ ownerId, metric }) => ({ ownerId, metric }));
  }

  @OnJob(tellOfLimit)
  async tell({ ownerId, metric, level }: LimitNearlyUsed, { id }: JobContext): Promise<void> {
    const owner = await this.em.findOne(User, { id: ownerId, deactivatedAt: null, erasedAt: null });
    const now = (await this.usageOf(owner))?.find((one) => one.metric === metric);
    // Between the warning and this mail the owner may have made room, or have got a larger plan.
    if (!owner || !now || now.allowed === null || (now.warning ?? 0) < level) return;
    const { plan } = await this.plans.find(ownerId);
    const offered = this.config.sells && mayUpgrade({ plan, isSuperAdmin: owner.isSuperAdmin });
    const show = (value: number) => amount(metric, value, owner.language);
    await this.mail.send(limitWarningMail, {
      to: owner.email,
      language: owner.language,
      values: {
        metric,
        level,
        used: show(now.used),
        allowed: show(now.allowed),
        plan: planOf(plan).name,
        url: `${this.config.appUrl}${offered ? '/pricing' : '/zones'}`,
        mayUpgrade: offered,
      },
      idempotencyKey: `job-${id}`,
    });
  }

  /** Owners and limits of which they have used most, and have not been told so, after the last one found. */
  private async due(month: string, last: Due | null, limit: number): Promise<Due[]> {
    const { rows } = await sql<Due>`
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

  /** Of several workers that find the same, one writes. */
  private async warn(em: EntityManager, due: Due, { month, now }: { month: string; now: Date }): Promise<void> {
    const { ownerId, metric, level } = due;
    const fresh = await query<typeof UsageWarningSchema>(em)
      .insertInto('usage_warnings')
      .values({ owner_id: ownerId, metric, month, level, warned_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('owner_id')
      .executeTakeFirst();
    if (fresh) await this.jobs.enqueue(em, tellOfLimit, { ownerId, metric, level });
  }

  private async usageOf(owner: User | null) {
    return owner ? this.usage.of(owner.id) : null;
  }
}

/** An amount for people: "1,000", or "4.2 GB". */
function amount(metric: Metric, value: number, language: Language): string {
  if (metric !== 'bytes') return new Intl.NumberFormat(language).format(value);
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value / GIB)} GB`;
}
