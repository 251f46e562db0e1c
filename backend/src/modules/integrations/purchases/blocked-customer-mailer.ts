import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { EntitlementRepository } from '../entitlements/entitlement.repository.js';
import { blockedCustomerEmail } from '../emails/blocked-customer.email.js';
import { notifyBlockedCustomerPurchase } from '../integrations.jobs.js';

/** Notifies owners of purchases that ended one of their blocks. */
@Injectable()
export class BlockedCustomerMailer {
  constructor(
    private readonly entitlements: EntitlementRepository,
    private readonly config: AppConfig,
    private readonly email: EmailService,
  ) {}

  /** Sends nothing if the customer is no longer a member. */
  @OnJob(notifyBlockedCustomerPurchase)
  async notifyOwner({ zoneId, userId }: { zoneId: number; userId: number }, { id }: JobContext): Promise<void> {
    const found = await this.entitlements.findCustomerForOwner(zoneId, userId);
    if (!found) return;
    const { to, language, zoneName, customer } = found;
    const values = { zoneName, customer, url: `${this.config.appUrl}/zones/${zoneId}` };
    await this.email.send(blockedCustomerEmail, { to, language, values, idempotencyKey: `job-${id}` });
  }
}
