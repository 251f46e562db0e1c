import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { hasPermanentSignIn } from '../../auth/access/user.policy.js';
import type { User } from '../../auth/entities/user.entity.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { purchaseNoticeEmail } from '../emails/purchase-notice.email.js';
import { purchaseWelcomeEmail } from '../emails/purchase-welcome.email.js';
import { EntitlementRepository } from '../entitlements/entitlement.repository.js';
import { notifyPurchase } from '../integrations.jobs.js';
import { WebhookRepository } from '../webhooks/webhook.repository.js';
import { PurchasePasswordService } from './purchase-password.service.js';

interface OpenedZone {
  readonly id: number;
  readonly name: string;
}

@Injectable()
export class PurchaseMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly entitlements: EntitlementRepository,
    private readonly webhooks: WebhookRepository,
    private readonly users: UserRepository,
    private readonly config: AppConfig,
    private readonly passwords: PurchasePasswordService,
    private readonly email: EmailService,
  ) {}

  /** The temporary password is created when the email is sent, so that no job contains one. */
  @OnJob(notifyPurchase)
  async notifyCustomer({ userId }: { userId: number }, { id }: JobContext): Promise<void> {
    await this.entitlements.claimNotices(userId, id);
    const zones = await this.entitlements.listZonesOfNotices(userId, id);
    const customer = await this.users.findActiveUser(userId);
    const shouldNotify = customer !== null && zones.length > 0;
    const outcome = shouldNotify ? await this.send(customer, zones, `job-${id}`) : null;
    await this.completeNotices(userId, id, outcome === 'sent');
  }

  private async send(customer: User, zones: OpenedZone[], idempotencyKey: string) {
    const { email, language } = customer;
    const { appUrl } = this.config;
    const zoneNames = zones.map(({ name }) => name);
    // Customers with a way to sign in get no temporary password.
    if (hasPermanentSignIn(customer)) {
      const url = zones.length === 1 ? `${appUrl}/zones/${zones[0]!.id}` : `${appUrl}/shared-zones`;
      return this.email.send(purchaseNoticeEmail, { to: email, language, values: { url, zoneNames }, idempotencyKey });
    }
    const signIn = new URLSearchParams({ mode: 'login', email, temp: 'true' });
    const values = { url: `${appUrl}/auth?${signIn}`, zoneNames, password: await this.passwords.issuePassword(email) };
    return this.email.send(purchaseWelcomeEmail, { to: email, language, values, idempotencyKey });
  }

  private completeNotices(userId: number, jobId: number, isSent: boolean): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const webhookIds = await this.entitlements.completeNotices(em, userId, jobId);
      if (isSent && webhookIds.length > 0) await this.webhooks.markEmailSent(em, webhookIds);
    });
  }
}
