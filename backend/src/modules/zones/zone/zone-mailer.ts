import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { GIB } from '../../../platform/text/byte-units.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { UsageRepository } from '../../plans/usage.repository.js';
import { storageFullEmail, zoneFullEmail, joinEmailsDelayedEmail } from '../emails/plan-limits.email.js';
import {
  notifyJoinEmailsDelayed,
  notifyPlanLimitReached,
  notifyZoneDeleted,
  type LimitReached,
} from '../zones.jobs.js';
import { zoneDeletedEmail } from '../emails/zone-deleted.email.js';
import { NonMemberEmailQuotaService } from '../email-quota/non-member-email-quota.service.js';

/** Sends emails to owners about their zones. */
@Injectable()
export class ZoneMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly users: UserRepository,
    private readonly usage: UsageRepository,
    private readonly email: EmailService,
    private readonly nonMemberEmailQuota: NonMemberEmailQuotaService,
  ) {}

  @OnJob(notifyPlanLimitReached)
  async notifyPlanLimitReached({ ownerId, metric }: LimitReached, { id }: JobContext): Promise<void> {
    const owner = await this.users.getManagedUser(ownerId);
    const allowed = (await this.usage.findUsage(this.em, { ownerId, metric, period: '' }))?.allowed ?? 0;
    const url = `${this.config.appUrl}/zones`;
    const message = { to: owner.email, language: owner.language, idempotencyKey: `job-${id}` };
    if (metric === 'people') {
      await this.email.send(zoneFullEmail, { ...message, values: { url, allowed } });
      return;
    }
    const size = new Intl.NumberFormat(owner.language, { maximumFractionDigits: 1 }).format(allowed / GIB);
    await this.email.send(storageFullEmail, { ...message, values: { url, allowed: `${size} GB` } });
  }

  @OnJob(notifyZoneDeleted)
  async notifyZoneDeleted(
    { ownerId, zoneName }: { ownerId: number; zoneName: string },
    { id }: JobContext,
  ): Promise<void> {
    const owner = await this.users.findUser(ownerId);
    if (!owner) return;
    await this.email.send(zoneDeletedEmail, {
      to: owner.email,
      language: owner.language,
      values: { url: `${this.config.appUrl}/zones`, zoneName },
      idempotencyKey: `job-${id}`,
    });
  }

  @OnJob(notifyJoinEmailsDelayed)
  async notifyJoinEmailsDelayed({ ownerId }: { ownerId: number }, { id }: JobContext): Promise<void> {
    const owner = await this.users.findActiveUser(ownerId);
    if (!owner) return;
    const { allowed } = await this.nonMemberEmailQuota.getDailyUsage(this.em, ownerId);
    await this.email.send(joinEmailsDelayedEmail, {
      to: owner.email,
      language: owner.language,
      values: {
        url: `${this.config.appUrl}/zones`,
        allowed: new Intl.NumberFormat(owner.language).format(allowed ?? 0),
      },
      idempotencyKey: `job-${id}`,
    });
  }
}
