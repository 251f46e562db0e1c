import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../../platform/config/app-config.js';
import type { JobContext } from '../../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../../platform/email/email.service.js';
import { UserRepository } from '../../../auth/users/user.repository.js';
import { notifySweepStopped, type SweepStopped } from '../../files.jobs.js';
import { sweepStoppedEmail } from './sweep-stopped.email.js';

/** Emails super admins about a stopped comparison of objects and rows. */
@Injectable()
export class SweepMailer {
  constructor(
    private readonly jobs: JobsService,
    private readonly config: AppConfig,
    private readonly users: UserRepository,
    private readonly email: EmailService,
  ) {}

  /** Enqueues an email to every active super admin, in the caller's transaction. */
  async enqueueEmails(em: EntityManager, counts: Omit<SweepStopped, 'userId'>): Promise<void> {
    const payloads = (await this.users.findActiveSuperAdmins(em)).map(({ id }) => ({ userId: id, ...counts }));
    await this.jobs.enqueueMany(em, notifySweepStopped, payloads);
  }

  @OnJob(notifySweepStopped)
  async notifyStopped({ userId, objects, strays }: SweepStopped, { id }: JobContext): Promise<void> {
    const { email, language } = await this.users.getManagedUser(userId);
    const values = { url: `${this.config.appUrl}/admin/system`, objects, strays };
    await this.email.send(sweepStoppedEmail, { to: email, language, idempotencyKey: `job-${id}`, values });
  }
}
