import { setTimeout } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { DomainEvents } from '../../../platform/events/domain-events.js';
import { OnEvent } from '../../../platform/events/on-event.decorator.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { CampaignRepository } from '../campaign.repository.js';
import { CampaignStateRepository } from '../engine/campaign-state.repository.js';
import { DeliveryRepository } from '../engine/delivery.repository.js';
import { EmailQuotaService } from '../quota/email-quota.service.js';
import { CampaignSendingService } from './campaign-sending.service.js';

/** How long to wait for emails in progress, in milliseconds. */
const SENDING_TIMEOUT = 5000;

/** Handles the campaigns of deleted zones and deactivated owners. */
@Injectable()
export class CampaignCleanupService {
  constructor(
    private readonly em: EntityManager,
    private readonly campaigns: CampaignRepository,
    private readonly states: CampaignStateRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly sending: CampaignSendingService,
    private readonly emailQuota: EmailQuotaService,
  ) {}

  /**
   * Cancels active campaigns, so that their quota is refunded, and deletes those never sent; reports are kept.
   * @throws Error while emails are still in progress, because their results must be recorded first
   */
  @OnEvent('zone.purging')
  async deleteZoneCampaigns(_em: EntityManager, { zoneId }: DomainEvents['zone.purging']): Promise<void> {
    for (const id of await this.campaigns.findActiveIds(zoneId)) await this.sending.cancelUnlessEnded(id);
    await this.awaitSending(zoneId);
    for (const { id, recipientCount } of await this.campaigns.findAllOfZone(zoneId)) {
      await inTransaction(this.em.fork(), (em) => this.emailQuota.refundUnsent(em, id));
      if (recipientCount === 0) await this.deleteCampaign(id);
    }
  }

  /**
   * Deletes what an owner whose account is being deleted has sent in zones that no longer exist.
   * @returns false while there are campaigns of zones that still exist
   */
  async deleteReports(ownerId: number, signal: AbortSignal): Promise<boolean> {
    const campaigns = await this.campaigns.findAllOfOwner(ownerId);
    for (const { id } of campaigns.filter(({ hasZone }) => !hasZone)) {
      signal.throwIfAborted();
      await this.deleteCampaign(id);
    }
    return !campaigns.some(({ hasZone }) => hasZone);
  }

  /** Pauses the campaigns of a deactivated owner. After a reactivation the owner must resume them manually. */
  @OnEvent('user.deactivated')
  async pauseAllCampaigns(em: EntityManager, { user: { id } }: DomainEvents['user.deactivated']): Promise<void> {
    await this.states.pauseAllOf(em, id);
  }

  private async awaitSending(zoneId: number): Promise<void> {
    for (const until = performance.now() + SENDING_TIMEOUT; ; await setTimeout(100)) {
      if (!(await this.deliveries.hasSending(zoneId))) return;
      if (performance.now() > until) throw new Error('Emails of a deleted zone are still being sent.');
    }
  }

  private async deleteCampaign(id: number): Promise<void> {
    await this.deliveries.deleteDeliveries(id);
    await this.campaigns.deleteCampaign(id);
  }
}
