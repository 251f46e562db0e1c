import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { User } from '../auth/entities/user.entity.js';
import { admittedMail } from './emails/admitted.email.js';
import { Zone } from './entities/zone.entity.js';
import { tellAdmitted } from './tell-admitted.job.js';

@Injectable()
@JobHandler(tellAdmitted)
export class TellAdmittedHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly mail: MailService,
  ) {}

  async handle({ zoneId, userId }: { zoneId: number; userId: number }, { id }: JobContext): Promise<void> {
    const zone = await this.em.findOne(Zone, { id: zoneId, deletedAt: null });
    const user = await this.em.findOne(User, { id: userId, deactivatedAt: null });
    if (!zone || !user) return;
    await this.mail.send(admittedMail, {
      to: user.email,
      language: user.language,
      values: { url: `${this.config.appUrl}/zones/${zone.id}`, zoneName: zone.name },
      idempotencyKey: `job-${id}`,
    });
  }
}
