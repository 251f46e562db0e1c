import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { BillingAccountRepository } from '../billing-account.repository.js';
import type { BillingFiguresDto } from './billing-figures.dto.js';
import { BillingHistoryRepository } from './billing-history.repository.js';

/** Months in the statistics, including the current one. */
const MONTHS = 12;

/** Plans, revenue and churn of the last twelve months (UTC). */
@Injectable()
export class BillingStatisticsService {
  constructor(
    private readonly accounts: BillingAccountRepository,
    private readonly history: BillingHistoryRepository,
    private readonly clock: Clock,
  ) {}

  /** Returns accounts per plan, monthly revenue, and started and ended subscriptions per month (UTC), oldest first. */
  async getStatistics(): Promise<BillingFiguresDto> {
    const now = this.clock.now();
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + 1, 1));
    return {
      plans: await this.accounts.countUsersByPlan(),
      revenue: await this.history.sumRevenueByMonth(first),
      months: await this.history.countChangesByMonth(first, now),
    };
  }
}
