import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit.service.js';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { UserService } from '../auth/user.service.js';
import { ZoneFullService } from '../zones/zone-full.service.js';
import { CustomerZoneService, type CustomerZone } from './customer-zone.service.js';
import { EntitlementSchema, type EntitlementState } from './entities/entitlement.entity.js';
import { IntegrationWebhookSchema } from './entities/integration-webhook.entity.js';
import { integrationErrors } from './integrations.errors.js';
import { finality, type Customer } from './reading.js';
import type { Source } from './sources.js';
import { tellPurchase } from './tell-purchase.job.js';

/** A piece of news of a sender about one thing bought and one zone. */
export interface News {
  readonly source: Source;
  readonly externalId: string;
  readonly zoneId: number;
  /** At the sender. */
  readonly occurredAt: Date;
  readonly finality: number;
  readonly webhookId: number | null;
}

/** What came of it; `kept`: it was so already; `awaited`: another delivery of the same news waits for a place. */
export interface Effect {
  readonly outcome: 'granted' | 'kept' | 'waiting' | 'awaited' | 'revoked' | 'superseded' | 'zone-gone';
  readonly userId: number | null;
  /** True when the person was not in the zone before. */
  readonly joined: boolean;
}

interface Row {
  readonly id: number;
  readonly user_id: number | null;
  readonly state: EntitlementState;
  readonly occurred_at: Date;
  readonly finality: number;
  readonly webhook_id: number | null;
}

/** Before any news. */
const NEVER = new Date(0);

/**
 * What people have paid for. A membership comes with the step from "not granted" to "granted" and with no other: the
 * same news again, or a later piece of it, gives nobody back whom the owner has removed.
 */
@Injectable()
export class EntitlementService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly users: UserService,
    private readonly zones: CustomerZoneService,
    private readonly zoneFull: ZoneFullService,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
  ) {}

  /**
   * Opens a zone to a customer, who is made when there is none. While the owner's plan has no place the customer
   * waits, and the owner is told.
   */
  async grant(news: News, customer: Customer): Promise<Effect> {
    const zone = await this.zones.find(this.em, news.zoneId);
    if (!zone) return { outcome: 'zone-gone', userId: null, joined: false };
    try {
      const attempt = () => inTransaction(this.em, (em) => this.open(em, zone, news, customer));
      return await this.zoneFull.guard(zone.ownerId, null, attempt);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'ZONE_FULL') throw error;
      return inTransaction(this.em, (em) => this.wait(em, zone, news, customer));
    }
  }

  /** Takes back what was bought, and the membership with it when nothing else that was bought gives it. */
  revoke(news: News): Promise<Effect> {
    return inTransaction(this.em, async (em) => {
      const zone = await this.zones.find(em, news.zoneId);
      if (!zone) return { outcome: 'zone-gone', userId: null, joined: false };
      return this.close(em, zone, news);
    });
  }

  /**
   * Takes back by hand, for good: the sender's older news does not undo it.
   * @throws ENTITLEMENT_NOT_FOUND
   */
  revokeByHand(source: Source, id: number, actorId: number): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const row = await query<typeof EntitlementSchema>(em)
        .selectFrom('entitlements')
        .select(['external_id as externalId', 'zone_id as zoneId', 'webhook_id as webhookId', 'user_id as userId'])
        .where('id', '=', id)
        .where('source', '=', source)
        .executeTakeFirst();
      const zone = row && (await this.zones.find(em, row.zoneId));
      if (!zone) throw integrationErrors.ENTITLEMENT_NOT_FOUND();
      await this.close(em, zone, { ...row, source, occurredAt: this.clock.now(), finality: finality.ended });
      const params = { entitlementId: id, zoneId: zone.id };
      await this.audit.record(em, { type: 'purchase.revoked', actorId, subjectId: row.userId, params });
    });
  }

  /**
   * Lets in somebody who waits, if there is a place now, and notes that with the delivery; nothing is sent to the owner.
   * @throws PLAN_LIMIT while there is none
   */
  async admitWaiting(id: number): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const row = await query<typeof EntitlementSchema>(em)
        .selectFrom('entitlements')
        .select(['user_id', 'zone_id', 'webhook_id'])
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .forUpdate()
        .executeTakeFirst();
      const zone = row && (await this.zones.find(em, row.zone_id));
      if (!zone || row.user_id === null) return;
      const joined = await this.admit(em, zone, id, row.user_id);
      await this.write(em, id, { state: 'granted' });
      if (joined) await noteMembership(em, row.webhook_id);
    });
  }

  private async open(em: EntityManager, zone: CustomerZone, news: News, customer: Customer): Promise<Effect> {
    const { id: userId } = await this.users.findOrCreate(em, customer.email, zone.language, customer);
    const row = await this.lock(em, news);
    if (isOlder(news, row)) return { outcome: 'superseded', userId, joined: false };
    const joined = row.state === 'granted' ? false : await this.admit(em, zone, row.id, userId);
    await this.write(em, row.id, { state: 'granted', news, userId });
    return { outcome: row.state === 'granted' ? 'kept' : 'granted', userId, joined };
  }

  private async wait(em: EntityManager, zone: CustomerZone, news: News, customer: Customer): Promise<Effect> {
    const { id: userId } = await this.users.findOrCreate(em, customer.email, zone.language, customer);
    const row = await this.lock(em, news);
    if (isOlder(news, row)) return { outcome: 'superseded', userId, joined: false };
    if (row.state === 'granted') return { outcome: 'kept', userId, joined: false };
    if (isAwaited(news, row)) return { outcome: 'awaited', userId, joined: false };
    await this.write(em, row.id, { state: 'waiting', news, userId });
    return { outcome: 'waiting', userId, joined: false };
  }

  private async close(em: EntityManager, zone: CustomerZone, news: News): Promise<Effect> {
    const row = await this.lock(em, news);
    if (isOlder(news, row)) return { outcome: 'superseded', userId: row.user_id, joined: false };
    await this.write(em, row.id, { state: 'revoked', news });
    if (row.state === 'granted' && row.user_id !== null) await this.zones.takeBack(em, zone, row.user_id);
    return { outcome: row.state === 'revoked' ? 'kept' : 'revoked', userId: row.user_id, joined: false };
  }

  private async admit(em: EntityManager, zone: CustomerZone, id: number, userId: number): Promise<boolean> {
    const joined = await this.zones.admit(em, zone, userId);
    if (joined) await this.jobs.enqueue(em, tellPurchase, { entitlementId: id });
    return joined;
  }

  /** The row of what was bought, made when there is none, and locked: news of one purchase comes one after the other. */
  private async lock(em: EntityManager, { source, externalId, zoneId }: News): Promise<Row> {
    const now = this.clock.now();
    const entitlements = query<typeof EntitlementSchema>(em);
    const key = { source, external_id: externalId, zone_id: zoneId };
    await entitlements
      .insertInto('entitlements')
      .values({ ...key, state: 'revoked', occurred_at: NEVER, finality: 0, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.columns(['source', 'external_id', 'zone_id']).doNothing())
      .execute();
    return entitlements
      .selectFrom('entitlements')
      .select(['id', 'user_id', 'state', 'occurred_at', 'finality', 'webhook_id'])
      .where('source', '=', source)
      .where('external_id', '=', externalId)
      .where('zone_id', '=', zoneId)
      .forUpdate()
      .executeTakeFirstOrThrow();
  }

  private async write(
    em: EntityManager,
    id: number,
    { state, news, userId }: { state: EntitlementState; news?: News; userId?: number },
  ): Promise<void> {
    await query<typeof EntitlementSchema>(em)
      .updateTable('entitlements')
      .set({
        state,
        updated_at: this.clock.now(),
        ...(userId === undefined ? {} : { user_id: userId }),
        ...(news ? { occurred_at: news.occurredAt, finality: news.finality, webhook_id: news.webhookId } : {}),
      })
      .where('id', '=', id)
      .execute();
  }
}

/** The delivery because of which somebody came in; null when it is not kept any more. */
async function noteMembership(em: EntityManager, webhookId: number | null): Promise<void> {
  await query<typeof IntegrationWebhookSchema>(em)
    .updateTable('integration_webhooks')
    .set({ membership_created: true })
    .where('id', '=', webhookId)
    .execute();
}

/** Of several deliveries of one piece of news the first waits, so that the log shows one place that is missing. */
function isAwaited(news: News, row: Row): boolean {
  const isAnother = row.webhook_id !== null && row.webhook_id !== news.webhookId;
  return row.state === 'waiting' && isAnother && news.occurredAt.getTime() === row.occurred_at.getTime();
}

/** Senders deliver late and in any order; of two pieces of news of one moment the more final one stands. */
function isOlder(news: News, row: Row): boolean {
  const difference = news.occurredAt.getTime() - row.occurred_at.getTime();
  return difference < 0 || (difference === 0 && news.finality < row.finality);
}
