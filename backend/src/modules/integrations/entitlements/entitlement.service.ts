import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../../platform/database/transaction.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { ZoneCapacityService } from '../../zones/zone/zone-capacity.service.js';
import { WebhookRepository } from '../webhooks/webhook.repository.js';
import { CustomerMembershipService } from './customer-membership.service.js';
import { EntitlementRepository, type CustomerZone } from './entitlement.repository.js';
import {
  isAwaitedByOtherDelivery,
  isOlderEvent,
  type ApplyResult,
  type EntitlementRow,
  type PurchaseEvent,
} from '../shared/purchase-event.js';
import type { Customer } from '../shared/payload-fields.js';
import { notifyPurchase } from '../integrations.jobs.js';

const ZONE_GONE_RESULT: ApplyResult = { outcome: 'zone-gone', userId: null, joined: false };

/**
 * Entitlements: what customers have paid for. A membership is created only by a change from "not granted" to "granted".
 * So a repeated or later event doesn't re-add customers whom the owner removed.
 */
@Injectable()
export class EntitlementService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserRepository,
    private readonly customerMemberships: CustomerMembershipService,
    private readonly entitlements: EntitlementRepository,
    private readonly webhooks: WebhookRepository,
    private readonly zoneCapacity: ZoneCapacityService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Gives a customer access to a zone, creating the account when there is none. If the owner's plan has no room, the
   * customer waits, and the owner is notified.
   */
  async grantEntitlement(event: PurchaseEvent, customer: Customer): Promise<ApplyResult> {
    const zone = await this.entitlements.findZone(this.em, event.zoneId);
    if (!zone) return ZONE_GONE_RESULT;
    await this.revokeFromPreviousCustomer(zone, event, customer);
    try {
      const attempt = () => inTransaction(this.em, (em) => this.addToZone(em, zone, event, customer));
      return await this.zoneCapacity.translatePlanLimit(zone.ownerId, null, attempt);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'ZONE_FULL') throw error;
      return inTransaction(this.em, (em) => this.addToWaitingList(em, zone, event, customer));
    }
  }

  /** Revokes an entitlement, and the membership if no other purchase gives access. */
  revokeEntitlement(event: PurchaseEvent): Promise<ApplyResult> {
    return inTransaction(this.em, async (em) => {
      const zone = await this.entitlements.findZone(em, event.zoneId);
      if (!zone) return ZONE_GONE_RESULT;
      const row = await this.entitlements.lockOrCreate(em, event);
      const { id, userId, state } = row;
      if (isOlderEvent(event, row)) return { outcome: 'superseded', userId, joined: false };
      const { webhookId } = event;
      // The sender itself has ended it, so a later event may grant it again.
      await this.entitlements.updateRow(em, id, {
        state: 'revoked',
        event,
        webhookId,
        isTakenBack: false,
        isNoticeDue: false,
      });
      if (state === 'granted' && userId !== null)
        await this.customerMemberships.endPurchasedMembership(em, zone, userId);
      return { outcome: state === 'revoked' ? 'kept' : 'revoked', userId, joined: false };
    });
  }

  /**
   * Marks an entitlement for a manual decision, without changing its state. There is nothing to decide about one that
   * is neither granted nor waiting.
   */
  markForReview(event: PurchaseEvent): Promise<ApplyResult> {
    return inTransaction(this.em, async (em) => {
      const zone = await this.entitlements.findZone(em, event.zoneId);
      if (!zone) return ZONE_GONE_RESULT;
      const row = await this.entitlements.lockOrCreate(em, event);
      const { id, userId, state } = row;
      if (isOlderEvent(event, row)) return { outcome: 'superseded', userId, joined: false };
      if (state === 'revoked') return { outcome: 'kept', userId, joined: false };
      // An older delivery that says the order was paid must not count as the decision.
      await this.entitlements.updateRow(em, id, { event });
      return { outcome: 'reviewed', userId, joined: false };
    });
  }

  /**
   * Adds a waiting customer if there is room now, and records it in the delivery. The owner gets no email.
   * @throws PLAN_LIMIT while there is no room
   */
  async admitWaitingCustomer(id: number): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const candidate = await this.entitlements.findWaiting(em, id);
      // The zone is locked before the entitlement.
      const zone = candidate && (await this.entitlements.findZone(em, candidate.zoneId));
      const entitlement = zone && (await this.entitlements.lockWaiting(em, id));
      if (!entitlement) return;
      const { userId, webhookId } = entitlement;
      const joined = await this.customerMemberships.addCustomer(em, zone, userId);
      await this.entitlements.updateRow(em, id, { state: 'granted', isNoticeDue: joined });
      if (!joined) return;
      await this.jobs.enqueue(em, notifyPurchase, { userId });
      // The delivery may have been deleted.
      if (webhookId !== null) await this.webhooks.markMembershipCreated(em, webhookId);
    });
  }

  /** Records when a purchase ended, before its entitlements are looked up. */
  recordPurchaseEnd({
    source,
    purchaseId,
    occurredAt,
    finality,
  }: Omit<PurchaseEvent, 'zoneId' | 'externalId'>): Promise<void> {
    return inTransaction(this.em, (em) =>
      this.entitlements.upsertPurchaseEnd(em, source, purchaseId, { occurredAt, finality }),
    );
  }

  private async addToZone(
    em: EntityManager,
    zone: CustomerZone,
    event: PurchaseEvent,
    customer: Customer,
  ): Promise<ApplyResult> {
    if (!(await this.entitlements.findZone(em, zone.id))) return ZONE_GONE_RESULT;
    const row = await this.entitlements.lockOrCreate(em, event);
    const unchanged = await this.resolveUnchanged(em, event, row);
    if (unchanged) return unchanged;
    const { id: userId } = await this.users.findOrCreateUnverified(em, customer.email, zone.language, customer);
    const joined = await this.customerMemberships.addCustomer(em, zone, userId);
    const { webhookId } = event;
    await this.entitlements.updateRow(em, row.id, {
      state: 'granted',
      event,
      userId,
      webhookId,
      isNoticeDue: joined,
    });
    return { outcome: 'granted', userId, joined };
  }

  private async addToWaitingList(
    em: EntityManager,
    zone: CustomerZone,
    event: PurchaseEvent,
    customer: Customer,
  ): Promise<ApplyResult> {
    if (!(await this.entitlements.findZone(em, zone.id))) return ZONE_GONE_RESULT;
    const row = await this.entitlements.lockOrCreate(em, event);
    const unchanged = await this.resolveUnchanged(em, event, row);
    if (unchanged) return unchanged;
    if (isAwaitedByOtherDelivery(event, row)) return { outcome: 'awaited', userId: row.userId, joined: false };
    const { id: userId } = await this.users.findOrCreateUnverified(em, customer.email, zone.language, customer);
    await this.entitlements.updateRow(em, row.id, {
      state: 'waiting',
      event,
      userId,
      webhookId: event.webhookId,
    });
    return { outcome: 'waiting', userId, joined: false };
  }

  /** Returns the result of a payment event that changes nothing; creates no account. */
  private async resolveUnchanged(
    em: EntityManager,
    event: PurchaseEvent,
    row: EntitlementRow,
  ): Promise<ApplyResult | null> {
    const { id, userId, state, isTakenBack } = row;
    if (isOlderEvent(event, row)) return { outcome: 'superseded', userId, joined: false };
    if (!isTakenBack && state !== 'granted') return null;
    await this.entitlements.updateRow(em, id, { event });
    return { outcome: isTakenBack ? 'withheld' : 'kept', userId, joined: false };
  }

  /**
   * When a shop corrects the email address of an order, the line gives access to one person only, so the previous
   * customer loses it. A subscription stays with the original customer, because only the billing address changes there.
   */
  private async revokeFromPreviousCustomer(
    zone: CustomerZone,
    event: PurchaseEvent,
    { email }: Customer,
  ): Promise<void> {
    if (event.source !== 'woocommerce' || !(await this.entitlements.isHeldByAnother(event, email))) return;
    await inTransaction(this.em, async (em) => {
      if (!(await this.entitlements.findZone(em, zone.id))) return;
      const row = await this.entitlements.lockOrCreate(em, event);
      if (row.state !== 'granted' || row.userId === null || isOlderEvent(event, row)) return;
      await this.entitlements.updateRow(em, row.id, { state: 'revoked', isNoticeDue: false });
      await this.customerMemberships.endPurchasedMembership(em, zone, row.userId);
    });
  }
}
