import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { EntitlementSchema, type EntitlementState, PurchaseEndSchema } from '../entities/entitlement.entity.js';
import type { EntitlementRow, EventMoment, PurchaseEvent } from '../shared/purchase-event.js';
import type { WebhookSource } from '../shared/sources.js';

type Tables = typeof EntitlementSchema | typeof PurchaseEndSchema;

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

/** Reads and writes rows of entitlements and of ended purchases. */
@Injectable()
export class EntitlementRowService {
  constructor(private readonly clock: Clock) {}

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
  async recordPurchaseEnd(
    em: EntityManager,
    source: WebhookSource,
    purchaseId: string,
    { occurredAt, finality }: EventMoment,
  ) {
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
