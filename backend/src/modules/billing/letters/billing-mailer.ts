import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { MailService } from '../../../platform/mail/mail.service.js';
import { User } from '../../auth/entities/user.entity.js';
import { planName } from '../../plans/plan.policy.js';
import { PlanService } from '../../plans/plan.service.js';
import { graceEnd, isSubscribed } from '../billing.policy.js';
import { billingNewsMail } from './billing-news.email.js';
import { billingMail } from './billing.email.js';
import { BillingAccount, BillingAccountSchema } from '../entities/billing-account.entity.js';
import { tellOfBilling, type BillingEvent } from '../billing.jobs.js';

/** Somebody as they are when the letter is written. */
interface Recipient {
  readonly user: User;
  readonly account: BillingAccount;
  /** What they have. */
  readonly plan: string;
  /** What they pay for. */
  readonly subscribedPlan: string;
}

@Injectable()
export class BillingMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly plans: PlanService,
    private readonly mail: MailService,
  ) {}

  @OnJob(tellOfBilling)
  async tell({ userId, event }: { userId: number; event: BillingEvent }, { id }: JobContext): Promise<void> {
    const user = await this.em.findOne(User, { id: userId, deactivatedAt: null, erasedAt: null });
    const account = await this.em.findOne(BillingAccount, { userId });
    if (!user || !account) return;
    const { plan, subscribedPlan } = await this.plans.find(userId);
    const recipient = { user, account, plan, subscribedPlan };
    if (!stillTrue[event](recipient)) return;
    await this.send(event, recipient, `job-${id}`);
    if (event === 'payment-failed') await this.noteFailureTold(userId, true);
    if (event === 'payment-recovered') await this.noteFailureTold(userId, false);
  }

  private send(event: BillingEvent, { user, account, subscribedPlan }: Recipient, idempotencyKey: string) {
    const to = { to: user.email, language: user.language, idempotencyKey };
    const settings = `${this.config.appUrl}/settings#plan`;
    if (event === 'payment-failed' || event === 'plan-ended') {
      const until = graceEnd({ status: user.subscriptionStatus, owedSince: account.pastDueSince ?? null });
      const values = {
        event,
        until: until && dateText(until, user),
        owed: isSubscribed({ subscriptionId: user.stripeSubscriptionId, status: user.subscriptionStatus }),
        url: this.config.sells ? `${this.config.appUrl}/pricing` : settings,
      };
      return this.mail.send(billingMail, { ...to, values });
    }
    const { currentPeriodEnd: end, cancelAtPeriodEnd } = account;
    const date = end && (event === 'plan-ends' || !cancelAtPeriodEnd) ? dateText(end, user) : null;
    return this.mail.send(billingNewsMail, {
      ...to,
      values: { event, plan: planName(subscribedPlan), date, url: settings },
    });
  }

  /** After the letter is on its way: a try that failed is made again. */
  private async noteFailureTold(userId: number, isTold: boolean): Promise<void> {
    await query<typeof BillingAccountSchema>(this.em)
      .updateTable('billing_accounts')
      .set({ failure_told: isTold })
      .where('user_id', '=', userId)
      .execute();
  }
}

function dateText(date: Date, { language, timeZone }: User): string {
  const options = { dateStyle: 'long' as const, timeZone: timeZone ?? 'UTC' };
  return new Intl.DateTimeFormat(language, options).format(date);
}

/**
 * Paid, kept or subscribed anew between the event and the letter: then it would only confuse. That a payment came after
 * all is told to whoever was told that it failed.
 */
const stillTrue: Record<BillingEvent, (recipient: Recipient) => boolean> = {
  'plan-started': ({ subscribedPlan }) => subscribedPlan !== 'free',
  'plan-ends': ({ account, subscribedPlan }) =>
    subscribedPlan !== 'free' && account.cancelAtPeriodEnd && account.currentPeriodEnd != null,
  'plan-ended': ({ plan }) => plan === 'free',
  'payment-failed': ({ user }) => user.subscriptionStatus === 'past_due',
  'payment-recovered': ({ account, user, subscribedPlan }) =>
    account.failureTold && user.subscriptionStatus !== 'past_due' && subscribedPlan !== 'free',
};
