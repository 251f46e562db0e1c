import { EntityManager } from '@mikro-orm/postgresql';
import { AppConfig } from '../../platform/config/app-config.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler, type Handles } from '../../platform/jobs/job-handler.decorator.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { User } from '../auth/entities/user.entity.js';
import { graceEnd, isLive } from './billing.policy.js';
import { billingMail } from './emails/billing.email.js';
import { BillingAccount } from './entities/billing-account.entity.js';
import { tellOfBilling, type BillingEvent } from './tell-of-billing.job.js';

@JobHandler(tellOfBilling)
export class TellOfBillingHandler implements Handles<{ userId: number; event: BillingEvent }> {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly mail: MailService,
  ) {}

  async handle({ userId, event }: { userId: number; event: BillingEvent }, { id }: JobContext): Promise<void> {
    const user = await this.em.findOne(User, { id: userId, deactivatedAt: null, erasedAt: null });
    const account = await this.em.findOne(BillingAccount, { userId });
    if (!user || !account || !stillTrue(event, user)) return;
    const until = graceEnd({ status: user.subscriptionStatus, owedSince: account.pastDueSince ?? null });
    await this.mail.send(billingMail, {
      to: user.email,
      language: user.language,
      values: {
        event,
        until: until && this.dateText(until, user),
        owed: user.stripeSubscriptionId != null && isLive({ status: user.subscriptionStatus }),
        url: `${this.config.appUrl}/pricing`,
      },
      idempotencyKey: `job-${id}`,
    });
  }

  private dateText(date: Date, { language, timeZone }: User): string {
    const options = { dateStyle: 'long' as const, timeZone: timeZone ?? 'UTC' };
    return new Intl.DateTimeFormat(language, options).format(date);
  }
}

/** Paid, or subscribed anew, between the event and the letter: then it would only confuse. */
function stillTrue(event: BillingEvent, { subscriptionStatus, plan }: User): boolean {
  return event === 'payment-failed' ? subscriptionStatus === 'past_due' : plan === 'free';
}
