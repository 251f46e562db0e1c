import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { OnEvent } from '../../../platform/events/on-event.decorator.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import type { OrderIssueKind } from './order-issue.entity.js';
import { OrderIssueRepository } from './order-issue.repository.js';
import { notifyBuyer, notifyOwnerOfOrders, notifyAdminsOfOrders } from '../integrations.jobs.js';

/** The result of a delivery, as far as notifications depend on it. */
export interface DeliveryIssue {
  readonly webhookId: number;
  readonly kind: OrderIssueKind;
  /** Zones without access; null for an unknown one. */
  readonly zoneIds: readonly (number | null)[];
  /** Whether a customer has paid and waits for access. */
  readonly isPaid: boolean;
}

/** Records paid purchases without access, and notifies those who can act on them. */
@Injectable()
export class OrderIssueService {
  constructor(
    private readonly orderIssues: OrderIssueRepository,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Records which zones of a purchase have given no access, in the caller's transaction, and resolves issues of its
   * other zones. Repeated issues are notified only once.
   */
  async recordIssues(em: EntityManager, { webhookId, kind, zoneIds: named, isPaid }: DeliveryIssue): Promise<void> {
    const zones = await this.orderIssues.lockExistingZones(em, named);
    await this.orderIssues.resolvePurchase(em, webhookId, { exceptZoneIds: zones });
    const issues = await this.orderIssues.upsertIssues(em, webhookId, kind, zones);
    if (issues.some(({ isStaffDue }) => isStaffDue)) await this.jobs.enqueue(em, notifyAdminsOfOrders, {});
    const owners = new Set(issues.flatMap(({ ownerId, isOwnerDue }) => (ownerId && isOwnerDue ? ownerId : [])));
    await this.jobs.enqueueMany(
      em,
      notifyOwnerOfOrders,
      [...owners].map((ownerId) => ({ ownerId })),
    );
    if (isPaid) await this.jobs.enqueue(em, notifyBuyer, { webhookId });
  }

  @OnEvent('zone.purging')
  detachFailedFromZone(em: EntityManager, { zoneId }: { zoneId: number }): Promise<void> {
    return this.orderIssues.detachFailedFromZone(em, zoneId);
  }
}
