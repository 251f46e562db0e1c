import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { DomainEvents } from '../../../platform/events/domain-events.js';
import { OnEvent } from '../../../platform/events/on-event.decorator.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { CampaignRepository } from '../campaign.repository.js';
import { sendWelcomeEmails } from '../campaigns.jobs.js';
import { DeliveryRepository } from '../engine/delivery.repository.js';
import { EmailQuotaService } from '../quota/email-quota.service.js';
import { MailSettingsRepository } from '../reply-to/mail-settings.repository.js';
import { RecipientService } from '../audience/recipient.service.js';
import { CampaignSendingService } from '../sending/campaign-sending.service.js';
import { ZoneRepository } from '../../zones/zone/zone.repository.js';

/**
 * Sends the welcome email of a zone: one campaign per zone, to which every new member is added once. It requires
 * consent and uses quota; without quota it is skipped, and the owner sees how often.
 */
@Injectable()
export class WelcomeService {
  constructor(
    private readonly em: EntityManager,
    private readonly zones: ZoneRepository,
    private readonly jobs: JobsService,
    private readonly campaigns: CampaignRepository,
    private readonly settings: MailSettingsRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly recipients: RecipientService,
    private readonly sending: CampaignSendingService,
    private readonly emailQuota: EmailQuotaService,
  ) {}

  /** Adds people to the welcome campaign of a zone. Idempotent. */
  @OnJob(sendWelcomeEmails)
  async sendWelcomeEmails({ zoneId, userIds }: { zoneId: number; userIds: readonly number[] }): Promise<void> {
    const zone = await this.zones.findZone(zoneId);
    if (!zone) return;
    const open = await this.recipients.excludeSuppressed(this.em, { id: zoneId, ownerId: zone.ownerId }, userIds);
    try {
      await inTransaction(this.em.fork(), (em) => this.addRecipients(em, zoneId, open));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'PLAN_LIMIT') throw error;
      await this.settings.addWelcomeSkipped(zoneId, open.length);
    }
  }

  /** Enqueues the welcome email for new members if the zone has one enabled. */
  @OnEvent('zone.membersJoined')
  async enqueueWelcomeEmails(em: EntityManager, { zone, userIds }: DomainEvents['zone.membersJoined']): Promise<void> {
    if (!(await this.settings.hasWelcomeEnabled(em, zone.id))) return;
    await this.jobs.enqueue(em, sendWelcomeEmails, { zoneId: zone.id, userIds: [...userIds] });
  }

  private async addRecipients(em: EntityManager, zoneId: number, userIds: readonly number[]): Promise<void> {
    const known = await this.campaigns.findWelcome(em, zoneId);
    if (!known || !(await this.settings.hasWelcomeEnabled(em, zoneId))) return;
    const campaign = await this.campaigns.lockCampaign(em, known.id);
    if (!campaign) return;
    const added = await this.deliveries.insertDeliveriesTo(em, campaign, userIds);
    if (added === 0) return;
    // Pending refunds belong to the month charged before; from here on the current month is charged.
    await this.emailQuota.refundUnsent(em, campaign.id);
    await this.campaigns.reloadCampaign(em, campaign);
    await this.sending.sendToAdded(em, campaign, added);
  }
}
