import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { User } from '../auth/entities/user.entity.js';
import { zoneRemovedMail } from './emails/zone-removed.email.js';
import { tellZoneRemoved } from './tell-zone-removed.job.js';

@Injectable()
@JobHandler(tellZoneRemoved)
export class TellZoneRemovedHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly mail: MailService,
  ) {}

  async handle({ ownerId, zoneName }: { ownerId: number; zoneName: string }, { id }: JobContext): Promise<void> {
    const owner = await this.em.findOne(User, { id: ownerId, erasedAt: null });
    if (!owner) return;
    await this.mail.send(zoneRemovedMail, {
      to: owner.email,
      language: owner.language,
      values: { url: `${this.config.appUrl}/zones`, zoneName },
      idempotencyKey: `job-${id}`,
    });
  }
}
