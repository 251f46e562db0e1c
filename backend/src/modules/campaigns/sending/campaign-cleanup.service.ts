import { setTimeout } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { DomainEvents } from '../../../platform/events/domain-events.js';
import { OnEvent } from '../../../platform/events/on-event.decorator.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { CampaignSendingService } from './campaign-sending.service.js';
import { CampaignStateService } from '../engine/campaign-state.service.js';
import { CampaignSchema } from '../entities/campaign.entity.js';
import { DeliverySchema } from '../entities/delivery.entity.js';

type Tables = typeof CampaignSchema | typeof DeliverySchema;

/** How long to wait for emails in progress, in milliseconds, and rows deleted per statement. */
const SENDING_TIMEOUT = 5000;
const BATCH_SIZE = 10_000;

/** Handles the campaigns of deleted zones and deactivated owners. */
@Injectable()
export class CampaignCleanupService {
  constructor(
    private readonly em: EntityManager,
    private readonly sending: CampaignSendingService,
    private readonly campaignState: CampaignStateService,
  ) {}

  /**
   * Cancels active campaigns, so that their quota is refunded, and deletes those never sent; reports are kept.
   * @throws Error while emails are still in progress, because their results must be recorded first
   */
  @OnEvent('zone.purging')
  async deleteZoneCampaigns(_em: EntityManager, { zoneId }: DomainEvents['zone.purging']): Promise<void> {
    const em = this.em.fork();
    const active = await query<Tables>(em)
      .selectFrom('campaigns')
      .select('id')
      .where('zone_id', '=', zoneId)
      .where('status', 'in', ['sending', 'paused'])
      .execute();
    for (const { id } of active) await this.sending.cancelUnlessEnded(id);
    await this.awaitSending(em, zoneId);
    const all = await query<Tables>(em)
      .selectFrom('campaigns')
      .select(['id', 'recipient_count as recipientCount'])
      .where('zone_id', '=', zoneId)
      .execute();
    for (const { id, recipientCount } of all) {
      await inTransaction(this.em.fork(), (em) => this.campaignState.refundUnsentQuota(em, id));
      if (recipientCount === 0) await this.deleteDeliveries(em, id);
    }
  }

  /**
   * Deletes what an owner whose account is being deleted has sent in zones that no longer exist.
   * @returns false while there are campaigns of zones that still exist
   */
  async deleteReports(ownerId: number, signal: AbortSignal): Promise<boolean> {
    const em = this.em.fork();
    const { rows } = await sql<{ id: string; isLeft: boolean }>`
      select c.id, exists (select from zones z where z.id = c.zone_id) as "isLeft" from campaigns c
      where c.sent_by_id = ${ownerId}`.execute(query<Tables>(em));
    for (const { id } of rows.filter(({ isLeft }) => !isLeft)) {
      signal.throwIfAborted();
      await this.deleteDeliveries(em, Number(id));
    }
    return !rows.some(({ isLeft }) => isLeft);
  }

  /** Pauses the campaigns of a deactivated owner. After a reactivation the owner must resume them manually. */
  @OnEvent('user.deactivated')
  async pauseAllCampaigns(em: EntityManager, { user: { id } }: DomainEvents['user.deactivated']): Promise<void> {
    const db = query<Tables>(em);
    await db
      .with('active', (cte) =>
        cte
          .selectFrom('campaigns')
          .select('id')
          .where('sent_by_id', '=', id)
          .where('status', '=', 'sending')
          .orderBy('id')
          .forNoKeyUpdate(),
      )
      .updateTable('campaigns as c')
      .from('active')
      .set({ status: 'paused' })
      .whereRef('c.id', '=', 'active.id')
      .where('c.status', '=', 'sending')
      .execute();
  }

  private async awaitSending(em: EntityManager, zoneId: number): Promise<void> {
    for (const until = performance.now() + SENDING_TIMEOUT; ; await setTimeout(100)) {
      const { rows } = await sql`
        select d.id from deliveries d join campaigns c on c.id = d.campaign_id
        where c.zone_id = ${zoneId} and d.state = 'sending' limit 1`.execute(query<Tables>(em));
      if (rows.length === 0) return;
      if (performance.now() > until) throw new Error('Emails of a deleted zone are still being sent.');
    }
  }

  private async deleteDeliveries(em: EntityManager, campaignId: number): Promise<void> {
    for (;;) {
      const removed = await sql`
        delete from deliveries where id in (
          select id from deliveries where campaign_id = ${campaignId} order by id limit ${BATCH_SIZE} for update)`.execute(
        query<Tables>(em),
      );
      if (Number(removed.numAffectedRows ?? 0n) < BATCH_SIZE) break;
    }
    await query<Tables>(em).deleteFrom('campaigns').where('id', '=', campaignId).execute();
  }
}
