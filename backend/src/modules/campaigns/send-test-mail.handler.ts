import { EntityManager } from '@mikro-orm/postgresql';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { BulkMailer } from '../../platform/mail/bulk-mailer.js';
import { User } from '../auth/entities/user.entity.js';
import { CampaignMails } from './rendering/campaign-mail.service.js';
import { sendTestMail } from './send-test-mail.job.js';

/** The mail is whole, its headers included, so that the owner sees what members will; nothing of it is counted. */
@JobHandler(sendTestMail)
export class SendTestMailHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly mails: CampaignMails,
    private readonly mailer: BulkMailer,
  ) {}

  async handle({ campaignId }: { campaignId: number }, { id }: JobContext): Promise<void> {
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
