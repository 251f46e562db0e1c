import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import type { ZoneMemberSchema } from '../../zones/entities/zone-member.entity.js';
import type { ZoneSchema } from '../../zones/entities/zone.entity.js';
import type { EntitlementDto } from '../dto/webhook-log.dto.js';
import type { EntitlementSchema, EntitlementState, PurchaseEndSchema } from '../entities/entitlement.entity.js';
import type { EntitlementRow, EventMoment, PurchaseEvent } from '../shared/purchase-event.js';
import type { WebhookSource } from '../shared/sources.js';

type Tables =
  typeof EntitlementSchema | typeof PurchaseEndSchema | typeof ZoneSchema | typeof ZoneMemberSchema | typeof UserSchema;

/** A zone to which purchases give access. */
export interface CustomerZone {
  readonly id: number;
  readonly ownerId: number;
  readonly name: string;
  /** The owner's language, used for emails to new customers. */
  readonly language: Language;
}

/** A waiting entitlement. */
interface WaitingEntitlement {
  readonly userId: number;
  readonly zoneId: number;
  readonly webhookId: number | null;
}

/** Changes of a row; omitted fields stay unchanged. */
export interface EntitlementChange {
  readonly state?: EntitlementState;
  readonly event?: EventMoment;
  readonly userId?: number;
  readonly webhookId?: number | null;
  readonly isTakenBack?: boolean;
  readonly isNoticeDue?: boolean;
}

/** Older than any event. */
const BEFORE_ANY_EVENT: EventMoment = { occurredAt: new Date(0), finality: 0 };

/** Entitlements, and when purchases ended. */
@Injectable()
export class EntitlementRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Locks the row of an entitlement until the commit, so that events of one purchase are processed one after the other.
   * Creates it when there is none, with the time of the purchase's end if that is known.
   */
  async lockOrCreate(
    em: EntityManager,
    { source, purchaseId, externalId, zoneId }: PurchaseEvent,
  ): Promise<EntitlementRow> {
    const now = this.clock.now();
    const { occurredAt, finality } = (await this.findPurchaseEnd(em, source, purchaseId)) ?? BEFORE_ANY_EVENT;
    const key = { source, purchase_id: purchaseId, external_id: externalId, zone_id: zoneId };
    await query<Tables>(em)
      .insertInto('entitlements')
      .values({ ...key, state: 'revoked', occurred_at: occurredAt, finality, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.columns(['source', 'external_id', 'zone_id']).doNothing())
      .execute();
    return this.selectForUpdate(em)
      .where('source', '=', source)
      .where('external_id', '=', externalId)
      .where('zone_id', '=', zoneId)
      .executeTakeFirstOrThrow();
  }

  /** Returns a row by id, locked until the commit. */
  lockById(
    em: EntityManager,
    source: WebhookSource,
    id: number,
  ): Promise<(EntitlementRow & { zoneId: number }) | undefined> {
    return this.selectForUpdate(em)
      .select('zone_id as zoneId')
      .where('source', '=', source)
      .where('id', '=', id)
      .executeTakeFirst();
  }

  /** Returns the zones to which an order or subscription gives access, or once did. */
  async listPurchaseTargets(em: EntityManager, source: WebhookSource, purchaseId: string) {
    return query<Tables>(em)
      .selectFrom('entitlements')
      .select(['external_id as externalId', 'zone_id as zoneId'])
      .where('source', '=', source)
      .where('purchase_id', '=', purchaseId)
      .orderBy('id')
      .execute();
  }

  /** Updates a row that the caller's transaction has locked. */
  async updateRow(em: EntityManager, id: number, change: EntitlementChange): Promise<void> {
    const { state, event, userId, webhookId, isTakenBack, isNoticeDue } = change;
    await query<Tables>(em)
      .updateTable('entitlements')
      .set({
        updated_at: this.clock.now(),
        ...(state !== undefined && { state }),
        ...(event && { occurred_at: event.occurredAt, finality: event.finality }),
        ...(userId !== undefined && { user_id: userId }),
        ...(webhookId !== undefined && { webhook_id: webhookId }),
        ...(isTakenBack !== undefined && { is_taken_back: isTakenBack }),
        ...(isNoticeDue !== undefined && { is_notice_due: isNoticeDue, notice_job_id: null }),
      })
      .where('id', '=', id)
      .execute();
  }

  /** Records the end of a purchase, unless a later one is known. */
  async upsertPurchaseEnd(
    em: EntityManager,
    source: WebhookSource,
    purchaseId: string,
    { occurredAt, finality }: EventMoment,
  ): Promise<void> {
    await query<Tables>(em)
      .insertInto('purchase_ends')
      .values({ source, purchase_id: purchaseId, occurred_at: occurredAt, finality })
      .onConflict((conflict) =>
        conflict
          .columns(['source', 'purchase_id'])
          .doUpdateSet({ occurred_at: occurredAt, finality })
          .where(
            sql<boolean>`(purchase_ends.occurred_at, purchase_ends.finality) < (excluded.occurred_at, excluded.finality)`,
          ),
      )
      .execute();
  }

  /** Returns whether a customer other than the one with this address has access through a purchased item. */
  async isHeldByAnother({ source, externalId, zoneId }: PurchaseEvent, email: string): Promise<boolean> {
    const row = await query<Tables>(this.em)
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

  /** Returns whether any purchase gives the user access to the zone. */
  async hasGrantedEntitlement(em: EntityManager, zoneId: number, userId: number): Promise<boolean> {
    const row = await query<Tables>(em)
      .selectFrom('entitlements')
      .select('id')
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .where('state', '=', 'granted')
      .executeTakeFirst();
    return row !== undefined;
  }

  async findWaiting(em: EntityManager, id: number): Promise<WaitingEntitlement | null> {
    return (await this.waitingQuery(em, id).executeTakeFirst()) ?? null;
  }

  /** Returns the entitlement locked until the commit, or null if it isn't waiting. */
  async lockWaiting(em: EntityManager, id: number): Promise<WaitingEntitlement | null> {
    return (await this.waitingQuery(em, id).forUpdate().executeTakeFirst()) ?? null;
  }

  /**
   * Returns waiting entitlements in the order of their purchases.
   * @param after id of the last one of the previous batch
   * @param exceptOwnerIds owners whose zones are left out
   */
  listWaiting(
    after: number,
    limit: number,
    exceptOwnerIds: readonly number[],
  ): Promise<{ id: number; ownerId: number }[]> {
    return query<Tables>(this.em)
      .selectFrom('entitlements as e')
      .innerJoin('zones as z', 'z.id', 'e.zone_id')
      .innerJoin('users as u', 'u.id', 'e.user_id')
      .select(['e.id as id', 'z.owner_id as ownerId'])
      .where('e.state', '=', 'waiting')
      .where('e.id', '>', after)
      .where('z.deleted_at', 'is', null)
      .where('u.erased_at', 'is', null)
      .$if(exceptOwnerIds.length > 0, (rows) => rows.where('z.owner_id', 'not in', exceptOwnerIds))
      .orderBy('e.id')
      .limit(limit)
      .execute();
  }

  /** Revokes all entitlements of a user for good: later events of the same purchases don't grant them again. */
  async revokeAllOfUser(em: EntityManager, userId: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('entitlements')
      .set({ is_taken_back: true, is_notice_due: false, state: 'revoked' })
      .where('user_id', '=', userId)
      .where('state', '!=', 'revoked')
      .execute();
  }

  /** Returns the customers to notify of what a delivery has given them access to, except those a job is notifying. */
  async listUnnotifiedCustomers(em: EntityManager, webhookId: number): Promise<number[]> {
    const rows = await query<Tables>(em)
      .selectFrom('entitlements')
      .select('user_id as userId')
      .distinct()
      .where('webhook_id', '=', webhookId)
      .where('is_notice_due', '=', true)
      .where('notice_job_id', 'is', null)
      .where('user_id', 'is not', null)
      .execute();
    return rows.map(({ userId }) => userId!);
  }

  /**
   * Claims the pending notices of a customer for a job; those claimed by another job are sent by that job. A retry
   * finds the same ones.
   */
  async claimNotices(userId: number, jobId: number): Promise<void> {
    await query<Tables>(this.em)
      .updateTable('entitlements')
      .set({ notice_job_id: jobId })
      .where('user_id', '=', userId)
      .where('is_notice_due', '=', true)
      .where('notice_job_id', 'is', null)
      .execute();
  }

  /**
   * Returns the zones of the claimed notices, without duplicates; zones closed or deleted in the meantime are omitted.
   */
  listZonesOfNotices(userId: number, jobId: number): Promise<{ id: number; name: string }[]> {
    return query<Tables>(this.em)
      .selectFrom('entitlements as e')
      .innerJoin('zones as z', 'z.id', 'e.zone_id')
      .select(['z.id as id', 'z.name as name'])
      .distinct()
      .where('e.user_id', '=', userId)
      .where('e.notice_job_id', '=', jobId)
      .where('e.is_notice_due', '=', true)
      .where('e.state', '=', 'granted')
      .where('z.deleted_at', 'is', null)
      .orderBy('z.name')
      .orderBy('z.id')
      .execute();
  }

  /** Completes the claimed notices. @returns the deliveries behind those that still give access */
  async completeNotices(em: EntityManager, userId: number, jobId: number): Promise<number[]> {
    const completed = await query<Tables>(em)
      .updateTable('entitlements')
      .set({ is_notice_due: false, notice_job_id: null })
      .where('user_id', '=', userId)
      .where('notice_job_id', '=', jobId)
      .returning(['webhook_id as webhookId', 'state'])
      .execute();
    return completed.flatMap(({ webhookId, state }) => (state === 'granted' && webhookId !== null ? webhookId : []));
  }

  /** Returns the entitlements of an order or subscription. */
  listOfPurchase(source: WebhookSource, purchaseId: string): Promise<EntitlementDto[]> {
    return query<Tables>(this.em)
      .selectFrom('entitlements as e')
      .innerJoin('zones as z', 'z.id', 'e.zone_id')
      .leftJoin('users as u', 'u.id', 'e.user_id')
      .select(['e.id as id', 'e.external_id as externalId', 'e.zone_id as zoneId', 'z.name as zoneName'])
      .select(['e.state as state', 'e.occurred_at as occurredAt'])
      .select(sql<boolean>`e.is_taken_back and u.id is not null and u.erased_at is null`.as('canBeGivenBack'))
      .where('e.source', '=', source)
      .where('e.purchase_id', '=', purchaseId)
      .where('z.deleted_at', 'is', null)
      .orderBy('e.id')
      .limit(1000)
      .execute();
  }

  /** Serialises changes to all purchases of one customer in a zone, until the commit. */
  async lockCustomer(em: EntityManager, zoneId: number, userId: number): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`customer:${zoneId}:${userId}`}, 0))`.execute(
      query<Tables>(em),
    );
  }

  /**
   * Returns the zone, or null when it is deleted. In a transaction it is locked against deletion until the commit; call
   * this before locking entitlements.
   */
  async findZone(em: EntityManager, zoneId: number): Promise<CustomerZone | null> {
    const row = await query<Tables>(em)
      .selectFrom('zones as z')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .select(['z.id as id', 'z.owner_id as ownerId', 'z.name as name', 'o.language as language'])
      .where('z.id', '=', zoneId)
      .where('z.deleted_at', 'is', null)
      .forShare('z')
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns whether the user is a member, not an admin, who joined by purchase. */
  async isMemberByPurchase(em: EntityManager, zoneId: number, userId: number): Promise<boolean> {
    const row = await query<Tables>(em)
      .selectFrom('zone_members')
      .select('id')
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .where('join_method', '=', 'purchase')
      .where('role', '=', 'member')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Returns a member with zone and owner for an email to the owner; null if any of them is gone. */
  async findCustomerForOwner(zoneId: number, userId: number) {
    const row = await query<Tables>(this.em)
      .selectFrom('zone_members as m')
      .innerJoin('zones as z', 'z.id', 'm.zone_id')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .select(['m.email as customer', 'z.name as zoneName', 'o.email as to', 'o.language as language'])
      .where('m.zone_id', '=', zoneId)
      .where('m.user_id', '=', userId)
      .where('z.deleted_at', 'is', null)
      .where('o.deactivated_at', 'is', null)
      .executeTakeFirst();
    return row ?? null;
  }

  private waitingQuery(em: EntityManager, id: number) {
    return query<Tables>(em)
      .selectFrom('entitlements')
      .select(['user_id as userId', 'zone_id as zoneId', 'webhook_id as webhookId'])
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .where('user_id', 'is not', null)
      .$narrowType<{ userId: number }>();
  }

  private async findPurchaseEnd(
    em: EntityManager,
    source: WebhookSource,
    purchaseId: string,
  ): Promise<EventMoment | undefined> {
    return query<Tables>(em)
      .selectFrom('purchase_ends')
      .select(['occurred_at as occurredAt', 'finality'])
      .where('source', '=', source)
      .where('purchase_id', '=', purchaseId)
      .executeTakeFirst();
  }

  private selectForUpdate(em: EntityManager) {
    return query<Tables>(em)
      .selectFrom('entitlements')
      .select(['id', 'user_id as userId', 'state', 'occurred_at as occurredAt', 'finality'])
      .select(['is_taken_back as isTakenBack', 'webhook_id as webhookId'])
      .forUpdate();
  }
}
