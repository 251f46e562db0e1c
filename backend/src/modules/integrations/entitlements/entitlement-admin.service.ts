import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { ZoneCapacityService } from '../../zones/zone/zone-capacity.service.js';
import { CustomerMembershipService } from './customer-membership.service.js';
import { EntitlementRepository } from './entitlement.repository.js';
import { OrderIssueRepository } from '../failed-orders/order-issue.repository.js';
import { integrationErrors } from '../integrations.errors.js';
import type { WebhookSource } from '../shared/sources.js';
import { notifyPurchase } from '../integrations.jobs.js';

/** Manual changes of entitlements by operators. */
@Injectable()
export class EntitlementAdminService {
  constructor(
    private readonly em: EntityManager,
    private readonly customerMemberships: CustomerMembershipService,
    private readonly entitlements: EntitlementRepository,
    private readonly users: UserRepository,
    private readonly zoneCapacity: ZoneCapacityService,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
    private readonly orderIssues: OrderIssueRepository,
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
      await this.entitlements.updateRow(em, id, { state: 'revoked', isTakenBack: true, isNoticeDue: false });
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
        if (!row.isTakenBack || row.userId === null || !(await this.users.exists(em, row.userId))) {
          throw integrationErrors.ENTITLEMENT_ENDED();
        }
        const params = { entitlementId: id, zoneId: zone.id };
        await this.audit.record(em, { type: 'purchase.restored', actorId, subjectId: row.userId, params });
        const joined = await this.customerMemberships.addCustomer(em, zone, row.userId);
        await this.entitlements.updateRow(em, id, { state: 'granted', isTakenBack: false, isNoticeDue: joined });
        if (joined) await this.jobs.enqueue(em, notifyPurchase, { userId: row.userId });
      }),
    );
  }

  private async lockEntitlement(em: EntityManager, source: WebhookSource, id: number) {
    const row = await this.entitlements.lockById(em, source, id);
    const zone = row && (await this.entitlements.findZone(em, row.zoneId));
    if (!row || !zone) throw integrationErrors.ENTITLEMENT_NOT_FOUND();
    return { row, zone };
  }
}
