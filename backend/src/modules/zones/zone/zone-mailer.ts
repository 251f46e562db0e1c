import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { MailService } from '../../../platform/mail/mail.service.js';
import { GIB } from '../../../platform/text/sizes.js';
import { UserService } from '../../auth/users/user.service.js';
import { Usage } from '../../plans/usage.entity.js';
import { User } from '../../auth/entities/user.entity.js';
import { storageFullMail, zoneFullMail, joinsWaitMail } from '../emails/limits.email.js';
import { tellJoinsWait, tellZoneFull, tellZoneRemoved, type LimitReached } from '../zones.jobs.js';
import { zoneRemovedMail } from '../emails/zone-removed.email.js';
import { StrangerMails } from '../strangers/stranger-mail.service.js';

/** Mails to owners about their zones. */
@Injectable()
export class ZoneMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly users: UserService,
    private readonly mail: MailService,
    private readonly strangers: StrangerMails,
  ) {}

  @OnJob(tellZoneFull)
  async tellFull({ ownerId, metric }: LimitReached, { id }: JobContext): Promise<void> {
    const owner = await this.users.findById(ownerId);
    const { allowed } = await this.em.findOneOrFail(Usage, { ownerId, metric, period: '' });
    const url = `${this.config.appUrl}/zones`;
    const letter = { to: owner.email, language: owner.language, idempotencyKey: `job-${id}` };
    if (metric === 'people') {
      await this.mail.send(zoneFullMail, { ...letter, values: { url, allowed: allowed ?? 0 } });
      return;
    }
    const size = new Intl.NumberFormat(owner.language, { maximumFractionDigits: 1 }).format((allowed ?? 0) / GIB);
    await this.mail.send(storageFullMail, { ...letter, values: { url, allowed: `${size} GB` } });
  }

  @OnJob(tellZoneRemoved)
  async tellRemoved({ ownerId, zoneName }: { ownerId: number; zoneName: string }, { id }: JobContext): Promise<void> {
    const owner = await this.em.findOne(User, { id: ownerId, erasedAt: null });
    if (!owner) return;
    await this.mail.send(zoneRemovedMail, {
      to: owner.email,
      language: owner.language,
      values: { url: `${this.config.appUrl}/zones`, zoneName },
      idempotencyKey: `job-${id}`,
    });
  }

  @OnJob(tellJoinsWait)
  async tellJoinsWait({ ownerId }: { ownerId: number }, { id }: JobContext): Promise<void> {
    const owner = await this.em.findOne(User, { id: ownerId, deactivatedAt: null, erasedAt: null });
    if (!owner) return;
    const { allowed } = await this.strangers.state(this.em, ownerId);
    await this.mail.send(joinsWaitMail, {
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
