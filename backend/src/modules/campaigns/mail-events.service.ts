import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { AppConfig } from '../../platform/config/app-config.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { withoutAddresses } from '../../platform/mail/send-outcome.js';
import { UserSchema } from '../auth/entities/user.entity.js';
import { LeavingService } from '../zones/leaving.service.js';
import { CampaignCompletion } from './engine/campaign-completion.service.js';
import { CampaignSchema } from './entities/campaign.entity.js';
import { DeliverySchema } from './entities/delivery.entity.js';
import type { MailEvent } from './mail-events.js';
import { readMessageId } from './tracking-token.js';

type Tables = typeof CampaignSchema | typeof DeliverySchema | typeof UserSchema;

/** The code that stands for a bounce which came after the mail had been taken. */
const BOUNCED = 550;

/** What bounces and complaints do. Each event is a transaction of its own and harmless when it comes again. */
@Injectable()
export class MailEventsService {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly leaving: LeavingService,
    private readonly completion: CampaignCompletion,
  ) {}

  /** @returns how many of the events were about deliveries that are known */
  async take(events: readonly MailEvent[]): Promise<number> {
    let known = 0;
    for (const event of events) if (await this.takeOne(event)) known += 1;
    return known;
  }

  private async takeOne(event: MailEvent): Promise<boolean> {
    const deliveryId = readMessageId(this.config.appSecret, event.messageId);
    const delivery = deliveryId === null ? null : await this.find(deliveryId, event.email);
    if (!delivery) return false;
    if (event.type === 'complaint') {
      await inTransaction(this.em.fork(), (em) => this.leaving.complain(em, delivery));
    }
    if (event.type === 'bounce' && event.permanent) await this.bounced(delivery, event.reason);
    return true;
  }

  /** The delivery, if that address is its recipient's. */
  private async find(deliveryId: number, email: string) {
    const row = await query<Tables>(this.em)
      .selectFrom('deliveries as d')
      .innerJoin('campaigns as c', 'c.id', 'd.campaign_id')
      .innerJoin('users as u', 'u.id', 'd.user_id')
      .select(['d.id as id', 'c.id as campaignId', 'c.zone_id as zoneId', 'c.sent_by_id as ownerId', 'u.id as userId'])
      .where('d.id', '=', deliveryId)
      .where('u.email', '=', email)
      .executeTakeFirst();
    return row ?? null;
  }

  /** A mail that came back was not delivered: it counts as failed, like one that was refused at once. */
  private bounced(delivery: { id: number; campaignId: number; ownerId: number }, reason: string): Promise<void> {
    return inTransaction(this.em.fork(), async (em) => {
      const said = `Bounced: ${withoutAddresses(reason)}`.slice(0, 300);
      const changed = await sql`
        with bounced as (
          update deliveries set state = 'failed', smtp_code = ${BOUNCED}, reason = ${said}
          where id = ${delivery.id} and state = 'delivered' returning id
        )
        update campaigns set delivered_count = delivered_count - 1, failed_count = failed_count + 1
        where id = ${delivery.campaignId} and exists (select from bounced)`.execute(query<Tables>(em));
      if (!changed.numAffectedRows) return;
      await this.completion.settle(em, delivery.campaignId);
      await this.completion.suppressFailing(em, delivery.campaignId, delivery.ownerId);
    });
  }
}
