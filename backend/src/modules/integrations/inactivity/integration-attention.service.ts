import { Injectable } from '@nestjs/common';
import { OrderIssueRepository } from '../failed-orders/order-issue.repository.js';
import { InactivityRepository } from './inactivity.repository.js';
import type { IntegrationAttentionDto } from './integration-attention.dto.js';

/** Integration problems that need an admin's attention. */
@Injectable()
export class IntegrationAttentionService {
  constructor(
    private readonly orderIssues: OrderIssueRepository,
    private readonly inactivity: InactivityRepository,
  ) {}

  /** Returns orders that have failed or are waiting, and inactive senders. */
  async getIssues(): Promise<IntegrationAttentionDto> {
    return {
      orders: await this.orderIssues.countOpenOrders(),
      silences: await this.inactivity.listInactiveSenders(),
    };
  }
}
