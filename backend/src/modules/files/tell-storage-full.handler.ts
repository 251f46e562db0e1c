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
import { tellStorageFull } from './tell-storage-full.job.js';

@Injectable()
@JobHandler(tellStorageFull)
export class TellStorageFullHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly users: UserService,
    private readonly mail: MailService,
  ) {}

  async handle({ ownerId }: { ownerId: number }, { id }: JobContext): Promise<void> {
    const owner = await this.users.findById(ownerId);
    const usage = await this.em.findOneOrFail(Usage, { ownerId, metric: 'bytes', period: '' });
    const size = new Intl.NumberFormat(owner.language, { maximumFractionDigits: 1 }).format((usage.allowed ?? 0) / GIB);
    await this.mail.send(storageFullMail, {
      to: owner.email,
      language: owner.language,
      values: { url: `${this.config.appUrl}/zones`, allowed: `${size} GB` },
      idempotencyKey: `job-${id}`,
    });
  }
}
