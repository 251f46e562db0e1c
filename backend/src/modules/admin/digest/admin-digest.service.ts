import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { CronRunPayload, JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { sendAdminDigest } from '../admin.jobs.js';
import { adminDigestEmail, type AdminDigestContent } from './admin-digest.email.js';
import { AdminDigestRepository } from './admin-digest.repository.js';

/** The daily digest for administrators. Each one starts where the previous one ended. */
@Injectable()
export class AdminDigestService {
  constructor(
    private readonly digests: AdminDigestRepository,
    private readonly config: AppConfig,
    private readonly email: EmailService,
  ) {}

  /** Sends nothing if nothing happened. */
  @OnJob(sendAdminDigest)
  async sendDigest({ slot }: CronRunPayload, { id }: JobContext): Promise<void> {
    const period = await this.digests.claimDay(slot.slice(0, 10), id);
    if (!period) return;
    const content = await this.digests.findContent(period);
    if (isDigestEmpty(content)) return;
    for (const recipient of await this.digests.findRecipients()) {
      await this.email.send(adminDigestEmail, {
        to: recipient.email,
        language: recipient.language,
        values: { ...content, url: `${this.config.appUrl}/admin` },
        idempotencyKey: `job-${id}-${recipient.id}`,
      });
    }
  }
}

export const isDigestEmpty = ({ suggestions, deadJobs, orders }: AdminDigestContent): boolean =>
  suggestions + deadJobs + orders === 0;
