import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { HOUR } from '../../../platform/clock/clock.js';
import { RateLimits } from '../../../platform/http/limits/rate-limits.service.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { BulkMailer } from '../../../platform/mail/bulk/bulk-mailer.js';
import { User } from '../../auth/entities/user.entity.js';
import { UserService } from '../../auth/users/user.service.js';
import { CampaignMails } from '../rendering/campaign-mail.service.js';
import { sendTestMail } from '../campaigns.jobs.js';

const TEST_MAILS = { name: 'campaign-test', limit: 30, window: HOUR };

/** Mails that an owner gets to see what members will. */
@Injectable()
export class TestMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly rates: RateLimits,
    private readonly jobs: Jobs,
    private readonly mails: CampaignMails,
    private readonly mailer: BulkMailer,
  ) {}

  /** Has a campaign sent to its owner. @returns the address @throws TOO_MANY_REQUESTS */
  async order(campaignId: number, ownerId: number): Promise<string> {
    await this.rates.spend(TEST_MAILS, ownerId);
    const { email } = await this.users.findById(ownerId);
    await this.jobs.enqueue(this.em, sendTestMail, { campaignId });
    return email;
  }

  /** The mail is whole, its headers included, so that the owner sees what members will; nothing of it is counted. */
  @OnJob(sendTestMail)
  async send({ campaignId }: { campaignId: number }, { id }: JobContext): Promise<void> {
    const campaign = await this.mails.open(this.em, campaignId);
    if (!campaign) return;
    const owner = await this.em.findOne(User, { id: campaign.sender.ownerId, deactivatedAt: null });
    if (!owner) return;
    const outcome = await this.mailer.send({
      to: owner.email,
      fromName: campaign.sender.fromName,
      replyTo: campaign.sender.replyTo,
      ...this.mails.render(campaign, { ...owner, userId: owner.id }),
      messageId: `<test-${campaignId}-${id}@${this.mailer.fromAddress.split('@')[1] ?? 'localhost'}>`,
      headers: { ...this.mails.leaveHeaders(owner.id, campaign.zoneId), 'Content-Language': owner.language },
    });
    if (outcome.kind === 'server-fault' || outcome.kind === 'postponed') throw new Error('The mail server failed.');
  }
}
