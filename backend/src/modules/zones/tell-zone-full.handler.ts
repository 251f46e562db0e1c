import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { UserService } from '../auth/user.service.js';
import { Usage } from '../plans/usage.entity.js';
import { zoneFullMail } from './emails/zone-full.email.js';
import { tellZoneFull } from './tell-zone-full.job.js';

@Injectable()
@JobHandler(tellZoneFull)
export class TellZoneFullHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly users: UserService,
    private readonly mail: MailService,
  ) {}

  async handle({ ownerId }: { ownerId: number }, { id }: JobContext): Promise<void> {
    const owner = await this.users.findById(ownerId);
    const usage = await this.em.findOneOrFail(Usage, { ownerId, metric: 'people', period: '' });
    await this.mail.send(zoneFullMail, {
      to: owner.email,
      language: owner.language,
      values: { url: `${this.config.appUrl}/zones`, allowed: usage.allowed ?? 0 },
      idempotencyKey: `job-${id}`,
    });
  }
}
