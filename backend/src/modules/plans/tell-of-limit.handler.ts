import { EntityManager } from '@mikro-orm/postgresql';
import { AppConfig } from '../../platform/config/app-config.js';
import type { Language } from '../../platform/errors/app-error.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler, type Handles } from '../../platform/jobs/job-handler.decorator.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { GIB } from '../../platform/text/sizes.js';
import { User } from '../auth/entities/user.entity.js';
import { limitWarningMail } from './emails/limit-warning.email.js';
import { planOf, type Metric } from './plan-catalogue.js';
import { mayUpgrade } from './plan.policy.js';
import { tellOfLimit, type LimitNearlyUsed } from './tell-of-limit.job.js';
import { UsageReportService } from './usage-report.service.js';

@JobHandler(tellOfLimit)
export class TellOfLimitHandler implements Handles<LimitNearlyUsed> {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly usage: UsageReportService,
    private readonly mail: MailService,
  ) {}

  async handle({ ownerId, metric, level }: LimitNearlyUsed, { id }: JobContext): Promise<void> {
    const owner = await this.em.findOne(User, { id: ownerId, deactivatedAt: null, erasedAt: null });
    const now = (await this.usageOf(owner))?.find((one) => one.metric === metric);
    // Between the warning and this mail the owner may have made room, or have got a larger plan.
    if (!owner || !now || now.allowed === null || (now.warning ?? 0) < level) return;
    const show = (value: number) => amount(metric, value, owner.language);
    await this.mail.send(limitWarningMail, {
      to: owner.email,
      language: owner.language,
      values: {
        metric,
        level,
        used: show(now.used),
        allowed: show(now.allowed),
        plan: planOf(owner.plan).name,
        url: `${this.config.appUrl}${mayUpgrade(owner) ? '/pricing' : '/zones'}`,
        mayUpgrade: mayUpgrade(owner),
      },
      idempotencyKey: `job-${id}`,
    });
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
