import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { GIB } from '../../platform/text/sizes.js';
import { UserService } from '../auth/user.service.js';
import { Usage } from '../plans/usage.entity.js';
import { storageFullMail } from './emails/storage-full.email.js';
import { zoneFullMail } from './emails/zone-full.email.js';
import { tellZoneFull, type LimitReached } from './tell-zone-full.job.js';

@Injectable()
@JobHandler(tellZoneFull)
export class TellZoneFullHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly users: UserService,
    private readonly mail: MailService,
  ) {}

  async handle({ ownerId, metric }: LimitReached, { id }: JobContext): Promise<void> {
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
}
