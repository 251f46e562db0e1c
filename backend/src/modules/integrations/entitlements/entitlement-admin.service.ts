import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { ZoneCapacityService } from '../../zones/zone/zone-capacity.service.js';
import { CustomerMembershipService, type CustomerZone } from './customer-membership.service.js';
import { EntitlementRowService } from './entitlement-row.service.js';
import { EntitlementSchema } from '../entities/entitlement.entity.js';
import { OrderIssueService } from '../failed-orders/order-issue.service.js';
import { integrationErrors } from '../integrations.errors.js';
import type { WebhookSource } from '../shared/sources.js';
import { notifyPurchase } from '../integrations.jobs.js';

/** Manual changes of entitlements by operators. */
@Injectable()
export class EntitlementAdminService {
  constructor(
    private readonly em: EntityManager,
    private readonly customerMemberships: CustomerMembershipService,
    private readonly entitlementRows: EntitlementRowService,
    private readonly zoneCapacity: ZoneCapacityService,
    private readonly jobs: JobsService,
    private readonly audit: AuditService,
    private readonly orderIssues: OrderIssueService,
  ) {}

  /**
   * Revokes an entitlement, and the membership if no other purchase gives access. Later payment events don't grant it
   * again, unless the sender itself has ended it in between. Does nothing if it is already revoked.
   * @param actorId the admin
   * @throws ENTITLEMENT_NOT_FOUND
   */
  revokeEntitlement(source: WebhookSource, id: number, actorId: number): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const { row, zone } = await this.lockEntitlement(em, source, id);
      if (row.state === 'revoked') return;
      await this.entitlementRows.updateRow(em, id, { state: 'revoked', isTakenBack: true, isNoticeDue: false });
      await this.orderIssues.resolveDecision(em, id);
      if (row.state === 'granted' && row.userId !== null)
        await this.customerMemberships.endPurchasedMembership(em, zone, row.userId);
      const params = { entitlementId: id, zoneId: zone.id };
      await this.audit.record(em, { type: 'purchase.revoked', actorId, subjectId: row.userId, params });
    });
  }

  /**
   * Restores a manually revoked entitlement, and notifies the customer. Does nothing if it is already granted.
   * @param actorId the admin
   * @throws ENTITLEMENT_NOT_FOUND, ENTITLEMENT_ENDED if the sender has ended it or the customer's account is deleted,
   *   ZONE_FULL
   */
  async restoreEntitlement(source: WebhookSource, id: number, actorId: number): Promise<void> {
    const { zone } = await this.lockEntitlement(this.em, source, id);
    await this.zoneCapacity.translatePlanLimit(zone.ownerId, null, () =>
      inTransaction(this.em, async (em) => {
        const { row } = await this.lockEntitlement(em, source, id);
        if (row.state !== 'revoked') return;
        if (!row.isTakenBack || row.userId === null || !(await this.userExists(em, row.userId))) {
          throw integrationErrors.ENTITLEMENT_ENDED();
        }
        const params = { entitlementId: id, zoneId: zone.id };
        await this.audit.record(em, { type: 'purchase.restored', actorId, subjectId: row.userId, params });
        const joined = await this.customerMemberships.addCustomer(em, zone, row.userId);
        await this.entitlementRows.updateRow(em, id, { state: 'granted', isTakenBack: false, isNoticeDue: joined });
        if (joined) await this.jobs.enqueue(em, notifyPurchase, { userId: row.userId });
      }),
    );
  }

  /**
   * Revokes all entitlements of a deleted account. Later events of the same purchases don't create the account again.
   * @param userId the deleted account
   */
  async revokeAllOfUser(em: EntityManager, userId: number): Promise<void> {
    await query<typeof EntitlementSchema>(em)
      .updateTable('entitlements')
      .set({ is_taken_back: true, is_notice_due: false, state: 'revoked' })
      .where('user_id', '=', userId)
      .where('state', '!=', 'revoked')
      .execute();
  }

  private async lockEntitlement(em: EntityManager, source: WebhookSource, id: number) {
    const row = await this.entitlementRows.lockById(em, source, id);
    const zone: CustomerZone | null | undefined = row && (await this.customerMemberships.findZone(em, row.zoneId));
    if (!row || !zone) throw integrationErrors.ENTITLEMENT_NOT_FOUND();
    return { row, zone };
  }

  private async userExists(em: EntityManager, userId: number): Promise<boolean> {
    const row = await query<typeof UserSchema>(em)
      .selectFrom('users')
      .select('id')
      .where('id', '=', userId)
      .where('erased_at', 'is', null)
      .executeTakeFirst();
    return row !== undefined;
  }
}
