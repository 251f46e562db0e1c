import { EntityManager } from '@mikro-orm/postgresql';
import { AppConfig } from '../../platform/config/app-config.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { User } from '../auth/entities/user.entity.js';
import { Zone } from '../zones/entities/zone.entity.js';
import { campaignFailedMail } from './emails/campaign-failed.email.js';
import { Campaign } from './entities/campaign.entity.js';
import { inWords } from './rendering/merge-fields.js';
import { tellCampaignFailed } from './tell-campaign-failed.job.js';

@JobHandler(tellCampaignFailed)
export class TellCampaignFailedHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly mail: MailService,
  ) {}

  async handle({ campaignId }: { campaignId: number }, { id }: JobContext): Promise<void> {
    const campaign = await this.em.findOne(Campaign, { id: campaignId, status: 'failed' });
    const zone = campaign && (await this.em.findOne(Zone, { id: campaign.zoneId, deletedAt: null }));
    const owner = campaign && (await this.em.findOne(User, { id: campaign.sentById, deactivatedAt: null }));
    if (!campaign || !zone || !owner) return;
    await this.mail.send(campaignFailedMail, {
      to: owner.email,
      language: owner.language,
      values: {
        campaignName: inWords(campaign.name, zone.name),
        zoneName: zone.name,
        isOverQuota: campaign.failure === 'PLAN_LIMIT',
        url: `${this.config.appUrl}/campaigns`,
      },
      idempotencyKey: `job-${id}`,
    });
  }
}
