import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { UserService } from '../../auth/users/user.service.js';
import { ZoneFullService } from '../../zones/zone/zone-full.service.js';
import { CustomerZoneService, type CustomerZone } from './customer-zone.service.js';
import { EntitlementRows } from './entitlement-rows.service.js';
import { EntitlementSchema } from '../entities/entitlement.entity.js';
import { IntegrationWebhookSchema } from '../entities/integration-webhook.entity.js';
import { isAwaited, isOlder, type Effect, type RecordedPurchase, type News } from '../shared/news.js';
import type { Customer } from '../shared/reading.js';
import { tellPurchase } from '../integrations.jobs.js';

const GONE: Effect = { outcome: 'zone-gone', userId: null, joined: false };

/**
 * What people have paid for. A membership comes with the step from "not granted" to "granted" and with no other: the
 * same news again, or a later piece of it, gives nobody back whom the owner has removed.
 */
@Injectable()
export class EntitlementService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly zones: CustomerZoneService,
    private readonly rows: EntitlementRows,
    private readonly zoneFull: ZoneFullService,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Opens a zone to a customer, who is made when there is none. While the owner's plan has no place the customer
   * waits, and the owner is told.
   */
  async grant(news: News, customer: Customer): Promise<Effect> {
    const zone = await this.zones.find(this.em, news.zoneId);
    if (!zone) return GONE;
    await this.takeFromAnother(zone, news, customer);
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
      if (!zone) return GONE;
      const row = await this.rows.lock(em, news);
      const { id, userId, state } = row;
      if (isOlder(news, row)) return { outcome: 'superseded', userId, joined: false };
      const { webhookId } = news;
      // The sender itself has ended it: what it begins anew after that is given again.
      await this.rows.write(em, id, {
        state: 'revoked',
        moment: news,
        webhookId,
        isTakenBack: false,
        isNoticeDue: false,
      });
      if (state === 'granted' && userId !== null) await this.zones.takeBack(em, zone, userId);
      return { outcome: state === 'revoked' ? 'kept' : 'revoked', userId, joined: false };
    });
  }

  /**
   * Notes that a person has to decide about what was bought: it stays as it is. Nothing to decide about what is not open
   * and does not wait.
   */
  review(news: News): Promise<Effect> {
    return inTransaction(this.em, async (em) => {
      const zone = await this.zones.find(em, news.zoneId);
      if (!zone) return GONE;
      const row = await this.rows.lock(em, news);
      const { id, userId, state } = row;
      if (isOlder(news, row)) return { outcome: 'superseded', userId, joined: false };
      if (state === 'revoked') return { outcome: 'kept', userId, joined: false };
      // Older deliveries of the order that say it was paid do not settle the question.
      await this.rows.write(em, id, { moment: news });
      return { outcome: 'reviewed', userId, joined: false };
    });
  }

  /**
   * Lets in somebody who waits, if there is a place now, and notes that with the delivery; nothing is sent to the owner.
   * @throws PLAN_LIMIT while there is none
   */
  async admitWaiting(id: number): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const waiting = query<typeof EntitlementSchema>(em)
        .selectFrom('entitlements')
        .select(['user_id', 'zone_id', 'webhook_id'])
        .where('id', '=', id)
        .where('state', '=', 'waiting');
      const seen = await waiting.executeTakeFirst();
      const zone = seen && (await this.zones.find(em, seen.zone_id));
      const row = zone && (await waiting.forUpdate().executeTakeFirst());
      if (!row || row.user_id === null) return;
      const joined = await this.zones.admit(em, zone, row.user_id);
      await this.rows.write(em, id, { state: 'granted', isNoticeDue: joined });
      if (!joined) return;
      await this.jobs.enqueue(em, tellPurchase, { userId: row.user_id });
      await noteMembership(em, row.webhook_id);
    });
  }

  /** Remembers when a purchase ended, before what it opened is looked for. */
  noteEnd({ source, purchaseId, occurredAt, finality }: Omit<News, 'zoneId' | 'externalId'>): Promise<void> {
    return inTransaction(this.em, (em) => this.rows.noteEnd(em, source, purchaseId, { occurredAt, finality }));
  }

  private async open(em: EntityManager, zone: CustomerZone, news: News, customer: Customer): Promise<Effect> {
    if (!(await this.zones.find(em, zone.id))) return GONE;
    const row = await this.rows.lock(em, news);
    const settled = await this.settle(em, news, row);
    if (settled) return settled;
    const { id: userId } = await this.users.findOrCreate(em, customer.email, zone.language, customer);
    const joined = await this.zones.admit(em, zone, userId);
    const { webhookId } = news;
    await this.rows.write(em, row.id, { state: 'granted', moment: news, userId, webhookId, isNoticeDue: joined });
    return { outcome: 'granted', userId, joined };
  }

  private async wait(em: EntityManager, zone: CustomerZone, news: News, customer: Customer): Promise<Effect> {
    if (!(await this.zones.find(em, zone.id))) return GONE;
    const row = await this.rows.lock(em, news);
    const settled = await this.settle(em, news, row);
    if (settled) return settled;
    if (isAwaited(news, row)) return { outcome: 'awaited', userId: row.userId, joined: false };
    const { id: userId } = await this.users.findOrCreate(em, customer.email, zone.language, customer);
    await this.rows.write(em, row.id, { state: 'waiting', moment: news, userId, webhookId: news.webhookId });
    return { outcome: 'waiting', userId, joined: false };
  }

  /** What there is to say when news of something paid changes nothing; nobody is made for it. */
  private async settle(em: EntityManager, news: News, row: RecordedPurchase): Promise<Effect | null> {
    const { id, userId, state, isTakenBack } = row;
    if (isOlder(news, row)) return { outcome: 'superseded', userId, joined: false };
    if (!isTakenBack && state !== 'granted') return null;
    await this.rows.write(em, id, { moment: news });
    return { outcome: isTakenBack ? 'withheld' : 'kept', userId, joined: false };
  }

  /**
   * A shop corrects the address of an order: the line opens the zone to one person, so whoever had it by that line gives
   * it up. A subscription stays with whom it came to: there it is the address for invoices that changes.
   */
  private async takeFromAnother(zone: CustomerZone, news: News, { email }: Customer): Promise<void> {
    if (news.source !== 'woocommerce' || !(await this.holdsAnother(news, email))) return;
    await inTransaction(this.em, async (em) => {
      if (!(await this.zones.find(em, zone.id))) return;
      const row = await this.rows.lock(em, news);
      if (row.state !== 'granted' || row.userId === null || isOlder(news, row)) return;
      await this.rows.write(em, row.id, { state: 'revoked', isNoticeDue: false });
      await this.zones.takeBack(em, zone, row.userId);
    });
  }

  private async holdsAnother({ source, externalId, zoneId }: News, email: string): Promise<boolean> {
    const row = await query<typeof EntitlementSchema | typeof UserSchema>(this.em)
      .selectFrom('entitlements as e')
      .innerJoin('users as u', 'u.id', 'e.user_id')
      .select('e.id')
      .where('e.source', '=', source)
      .where('e.external_id', '=', externalId)
      .where('e.zone_id', '=', zoneId)
      .where('e.state', '=', 'granted')
      .where('u.email', '!=', email)
      .where('u.erased_at', 'is', null)
      .executeTakeFirst();
    return row !== undefined;
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
