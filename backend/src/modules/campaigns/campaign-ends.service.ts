import { setTimeout } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { User } from '../auth/entities/user.entity.js';
import { UserStatePort } from '../auth/user-state.port.js';
import { ZonePurgePort } from '../zones/zone-purge.port.js';
import { CampaignSendingService } from './campaign-sending.service.js';
import { CampaignCompletion } from './engine/campaign-completion.service.js';
import { CampaignSchema } from './entities/campaign.entity.js';
import { DeliverySchema } from './entities/delivery.entity.js';

type Tables = typeof CampaignSchema | typeof DeliverySchema;

/** How long mails under way are waited for at a time, in milliseconds, and how many rows go in one step. */
const PATIENCE = 5000;
const STEP = 10_000;

/** What becomes of campaigns when their zone is deleted, or their owner shut out. */
@Injectable()
export class CampaignEnds implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly zones: ZonePurgePort,
    private readonly users: UserStatePort,
    private readonly sending: CampaignSendingService,
    private readonly completion: CampaignCompletion,
  ) {}

  onModuleInit(): void {
    this.zones.register((zoneId) => this.purge(zoneId));
    this.users.register({ deactivated: (em, user) => this.pauseAll(em, user) });
  }

  /**
   * Cancels what is being sent, so that the quota is given back, and removes the rows.
   * @throws Error while mails are under way: their results are waited for
   */
  private async purge(zoneId: number): Promise<void> {
    const em = this.em.fork();
    const active = await query<Tables>(em)
      .selectFrom('campaigns')
      .select('id')
      .where('zone_id', '=', zoneId)
      .where('status', 'in', ['sending', 'paused'])
      .execute();
    for (const { id } of active) await this.sending.cancel(id);
    await this.awaitSending(em, zoneId);
    const all = await query<Tables>(em).selectFrom('campaigns').select('id').where('zone_id', '=', zoneId).execute();
    for (const { id } of all) {
      await inTransaction(this.em.fork(), (em) => this.completion.settle(em, id));
      await this.removeRows(em, id);
    }
  }

  private async awaitSending(em: EntityManager, zoneId: number): Promise<void> {
    for (const until = Date.now() + PATIENCE; ; await setTimeout(100)) {
      const { rows } = await sql`
        select d.id from deliveries d join campaigns c on c.id = d.campaign_id
        where c.zone_id = ${zoneId} and d.state = 'sending' limit 1`.execute(query<Tables>(em));
      if (rows.length === 0) return;
      if (Date.now() > until) throw new Error('Mails of a deleted zone are still under way.');
    }
  }

  private async removeRows(em: EntityManager, campaignId: number): Promise<void> {
    for (;;) {
      const removed = await sql`
        delete from deliveries where id in (select id from deliveries where campaign_id = ${campaignId} limit ${STEP})`.execute(
        query<Tables>(em),
      );
      if (Number(removed.numAffectedRows ?? 0n) < STEP) break;
    }
    await query<Tables>(em).deleteFrom('campaigns').where('id', '=', campaignId).execute();
  }

  /** Whoever is shut out sends nothing; after they are let in again they go on by hand. */
  private async pauseAll(em: EntityManager, { id }: User): Promise<void> {
    await query<Tables>(em)
      .updateTable('campaigns')
      .set({ status: 'paused' })
      .where('sent_by_id', '=', id)
      .where('status', '=', 'sending')
      .execute();
  }
}
