import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../../platform/database/transaction.js';
import {
  NotificationThrottleService,
  type ThrottledNotification,
} from '../../../platform/notification-throttle/notification-throttle.service.js';
import { OrderIssueRepository, type OrderNotice } from './order-issue.repository.js';

/** Maximum orders listed in an email; only the number of the others is stated. */
const MAX_ORDERS_PER_EMAIL = 10;

/** Orders of which a recipient has not been notified. */
@Injectable()
export class OrderNoticeService {
  constructor(
    private readonly em: EntityManager,
    private readonly orderIssues: OrderIssueRepository,
    private readonly notificationThrottle: NotificationThrottleService,
  ) {}

  /**
   * Claims the orders to report in one job; a retry finds the same ones.
   * @param ownerId whose zones they are for; null for the admins, who are notified of all
   * @returns the first orders, or none when there is nothing to report now
   */
  async claimDueOrders<P extends object>(
    notice: ThrottledNotification<P>,
    ownerId: number | null,
  ): Promise<OrderNotice[]> {
    const isClaimed = await inTransaction(this.em, (em) => this.claimOrders(em, notice, ownerId));
    return isClaimed ? this.orderIssues.listClaimedOrders(notice.jobId, ownerId, MAX_ORDERS_PER_EMAIL) : [];
  }

  private async claimOrders<P extends object>(
    em: EntityManager,
    notice: ThrottledNotification<P>,
    ownerId: number | null,
  ): Promise<boolean> {
    if (!(await this.orderIssues.hasDueOrders(em, ownerId, notice.jobId))) return false;
    if (!(await this.notificationThrottle.tryAcquire(em, notice))) return false;
    await this.orderIssues.claimDueOrders(em, ownerId, notice.jobId);
    return true;
  }
}
