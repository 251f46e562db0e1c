import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../../platform/config/app-config.js';
import type { JobContext } from '../../../../platform/jobs/job-definition.js';
import { Jobs } from '../../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../../platform/jobs/on-job.decorator.js';
import { MailService } from '../../../../platform/mail/mail.service.js';
import { SuperAdminService } from '../../../auth/users/super-admin.service.js';
import { UserService } from '../../../auth/users/user.service.js';
import { tellSweepStopped, type SweepStopped } from '../../files.jobs.js';
import { sweepStoppedMail } from './sweep-stopped.email.js';

/** Mails to super admins about a comparison of objects and rows that has stopped. */
@Injectable()
export class SweepMailer {
  constructor(
    private readonly jobs: Jobs,
    private readonly superAdmins: SuperAdminService,
    private readonly config: AppConfig,
    private readonly users: UserService,
    private readonly mail: MailService,
  ) {}

  /** Has all of them told, in the caller's transaction. */
  async order(em: EntityManager, counts: Omit<SweepStopped, 'userId'>): Promise<void> {
    const told = (await this.superAdmins.active(em)).map(({ id }) => ({ userId: id, ...counts }));
    await this.jobs.enqueueMany(em, tellSweepStopped, told);
  }

  /** Tells one of them. */
  @OnJob(tellSweepStopped)
  async tellStopped({ userId, objects, strays }: SweepStopped, { id }: JobContext): Promise<void> {
    const { email, language } = await this.users.findById(userId);
    const values = { url: `${this.config.appUrl}/admin/system`, objects, strays };
    await this.mail.send(sweepStoppedMail, { to: email, language, idempotencyKey: `job-${id}`, values });
  }
}
