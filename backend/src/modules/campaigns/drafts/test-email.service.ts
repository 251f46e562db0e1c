import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { HOUR } from '../../../platform/clock/clock.js';
import { RateLimitService } from '../../../platform/http/limits/rate-limit.service.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { BulkMailer } from '../../../platform/email/bulk/bulk-mailer.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { CampaignRendererService } from '../rendering/campaign-renderer.service.js';
import { sendTestEmail } from '../campaigns.jobs.js';

const TEST_EMAIL_RATE = { name: 'campaign-test', limit: 30, window: HOUR };

/** Sends test emails to owners, who see what members would get. */
@Injectable()
export class TestEmailService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserRepository,
    private readonly rates: RateLimitService,
    private readonly jobs: JobsService,
    private readonly renderer: CampaignRendererService,
    private readonly mailer: BulkMailer,
  ) {}

  /**
   * Enqueues a test email to the owner.
   * @returns the address
   * @throws TOO_MANY_REQUESTS
   */
  async enqueueTestEmail(campaignId: number, ownerId: number): Promise<string> {
    await this.rates.consume(TEST_EMAIL_RATE, ownerId);
    const { email } = await this.users.getManagedUser(ownerId);
    await this.jobs.enqueue(this.em, sendTestEmail, { campaignId });
    return email;
  }

  /**
   * The email is complete including its headers, so that the owner sees what members would get. It is neither tracked
   * nor counted.
   */
  @OnJob(sendTestEmail)
  async sendTestEmail({ campaignId }: { campaignId: number }, { id }: JobContext): Promise<void> {
    const campaign = await this.renderer.prepareCampaign(this.em, campaignId);
    if (!campaign) return;
    const owner = await this.users.findActiveUser(campaign.sender.ownerId);
    if (!owner) return;
    const outcome = await this.mailer.send({
      to: owner.email,
      fromName: campaign.sender.fromName,
      replyTo: campaign.sender.replyTo,
      ...this.renderer.renderPreview(campaign, { ...owner, userId: owner.id }),
      messageId: `<test-${campaignId}-${id}@${this.mailer.fromAddress.split('@')[1] ?? 'localhost'}>`,
      headers: { ...this.renderer.unsubscribeHeaders(owner.id, campaign.zoneId), 'Content-Language': owner.language },
    });
    if (outcome.kind === 'server-error' || outcome.kind === 'postponed') throw new Error('The mail server failed.');
  }
}
