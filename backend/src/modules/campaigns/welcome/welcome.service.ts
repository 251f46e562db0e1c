import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { DomainEvents } from '../../../platform/events/domain-events.js';
import { OnEvent } from '../../../platform/events/on-event.decorator.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { Zone } from '../../zones/entities/zone.entity.js';
import { sendWelcomeEmails } from '../campaigns.jobs.js';
import { CampaignStateService } from '../engine/campaign-state.service.js';
import { Campaign } from '../entities/campaign.entity.js';
import { ZoneMailSettings, ZoneMailSettingsSchema } from '../entities/zone-mail-settings.entity.js';
import { CampaignService } from '../drafts/campaign.service.js';
import { RecipientService } from '../audience/recipient.service.js';

type Tables = typeof ZoneMailSettingsSchema;

/**
 * Sends the welcome email of a zone: one campaign per zone, to which every new member is added once. It requires
 * consent and uses quota; without quota it is skipped, and the owner sees how often.
 */
@Injectable()
export class WelcomeService {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobsService,
    private readonly campaigns: CampaignService,
    private readonly recipients: RecipientService,
    private readonly campaignState: CampaignStateService,
  ) {}

  /** Adds people to the welcome campaign of a zone. Idempotent. */
  @OnJob(sendWelcomeEmails)
  async sendWelcomeEmails({ zoneId, userIds }: { zoneId: number; userIds: readonly number[] }): Promise<void> {
    const zone = await this.em.findOne(Zone, { id: zoneId, deletedAt: null });
    if (!zone) return;
    const open = await this.recipients.excludeSuppressed(this.em, { id: zoneId, ownerId: zone.ownerId }, userIds);
    try {
      await inTransaction(this.em.fork(), (em) => this.addRecipients(em, zoneId, open));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'PLAN_LIMIT') throw error;
      await sql`update zone_mail_settings set welcome_skipped = welcome_skipped + ${open.length}
        where zone_id = ${zoneId}`.execute(query<Tables>(this.em.fork()));
    }
  }

  /** Enqueues the welcome email for new members if the zone has one enabled. */
  @OnEvent('zone.membersJoined')
  async enqueueWelcomeEmails(em: EntityManager, { zone, userIds }: DomainEvents['zone.membersJoined']): Promise<void> {
    const settings = await query<Tables>(em)
      .selectFrom('zone_mail_settings')
      .select('zone_id')
      .where('zone_id', '=', zone.id)
      .where('welcome_enabled', '=', true)
      .executeTakeFirst();
    if (settings) await this.jobs.enqueue(em, sendWelcomeEmails, { zoneId: zone.id, userIds: [...userIds] });
  }

  private async addRecipients(em: EntityManager, zoneId: number, userIds: readonly number[]): Promise<void> {
    const known = await em.findOne(Campaign, { zoneId, kind: 'welcome' });
    const settings = await em.findOne(ZoneMailSettings, { zoneId, welcomeEnabled: true });
    if (!known || !settings) return;
    const campaign = await this.campaigns.lock(em, known.id);
    const added = await this.recipients.addDeliveries(em, campaign, userIds);
    if (added === 0) return;
    // Pending refunds belong to the month charged before; from here on the current month is charged.
    await this.campaignState.refundUnsentQuota(em, campaign.id);
    await em.refresh(campaign);
    await this.campaignState.start(em, campaign, added);
  }
}
