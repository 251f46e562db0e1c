import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { SecurityEventRepository } from '../../../platform/security-events/security-event.repository.js';
import { BillingAccountRepository } from '../billing-account.repository.js';
import { StripeEventRepository } from '../webhook/stripe-event.repository.js';
import type { BillingOversightDto } from './billing-oversight.dto.js';

/** The period over which rejected deliveries are counted. */
const REJECTION_WINDOW = 30 * DAY;
const MAX_ROWS = 100;

/** Billing problems, for administrators. */
@Injectable()
export class BillingAdminService {
  constructor(
    private readonly accounts: BillingAccountRepository,
    private readonly events: StripeEventRepository,
    private readonly securityEvents: SecurityEventRepository,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** Returns whether billing is configured, and when Stripe last sent something. */
  async getState(): Promise<BillingOversightDto> {
    const { secretKey, webhookSecret } = this.config.stripe;
    const since = addMilliseconds(this.clock.now(), -REJECTION_WINDOW);
    const rejections = await this.securityEvents.countEvents('webhook-refused', 'stripe', since);
    return {
      isConfigured: secretKey !== null,
      takesEvents: webhookSecret !== null,
      severalSubscriptions: await this.accounts.listUsersWithSeveralSubscriptions(MAX_ROWS),
      refused: rejections.count,
      lastRefusedAt: rejections.lastAt,
      lastReceivedAt: await this.events.findLastReceivedAt(),
    };
  }
}
