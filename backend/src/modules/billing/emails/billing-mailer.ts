import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { getPlanName } from '../../plans/plan.policy.js';
import { PlanService } from '../../plans/plan.service.js';
import { getGraceEnd, isSubscribed } from '../billing.policy.js';
import { planChangeEmail } from './plan-change.email.js';
import { paymentProblemEmail } from './payment-problem.email.js';
import { BillingAccountRepository } from '../billing-account.repository.js';
import type { BillingAccount } from '../entities/billing-account.entity.js';
import { notifyBillingEvent, type BillingEvent } from '../billing.jobs.js';

/** The user's state at sending time. */
interface Recipient {
  readonly user: User;
  readonly account: BillingAccount;
  /** The effective plan. */
  readonly plan: string;
  /** The plan paid for. */
  readonly subscribedPlan: string;
}

@Injectable()
export class BillingMailer {
  constructor(
    private readonly users: UserRepository,
    private readonly accounts: BillingAccountRepository,
    private readonly config: AppConfig,
    private readonly plans: PlanService,
    private readonly email: EmailService,
  ) {}

  @OnJob(notifyBillingEvent)
  async notifyBillingEvent(
    { userId, event }: { userId: number; event: BillingEvent },
    { id }: JobContext,
  ): Promise<void> {
    const user = await this.users.findActiveUser(userId);
    const account = await this.accounts.findAccount(userId);
    if (!user || !account) return;
    const { plan, subscribedPlan } = await this.plans.getOwnerPlan(userId);
    const recipient = { user, account, plan, subscribedPlan };
    if (!isStillTrue[event](recipient)) return;
    await this.send(event, recipient, `job-${id}`);
    // Recorded after sending, so that a failed attempt is retried.
    if (event === 'payment-failed') await this.accounts.setFailureNotified(userId, true);
    if (event === 'payment-recovered') await this.accounts.setFailureNotified(userId, false);
  }

  private send(event: BillingEvent, { user, account, subscribedPlan }: Recipient, idempotencyKey: string) {
    const to = { to: user.email, language: user.language, idempotencyKey };
    const settings = `${this.config.appUrl}/settings#plan`;
    if (event === 'payment-failed' || event === 'plan-ended') {
      const until = getGraceEnd({ status: user.subscriptionStatus, owedSince: account.pastDueSince ?? null });
      const values = {
        event,
        until: until && formatDate(until, user),
        owed: isSubscribed({ subscriptionId: user.stripeSubscriptionId, status: user.subscriptionStatus }),
        url: this.config.isBillingEnabled ? `${this.config.appUrl}/pricing` : settings,
      };
      return this.email.send(paymentProblemEmail, { ...to, values });
    }
    const { currentPeriodEnd: end, cancelAtPeriodEnd } = account;
    const date = end && (event === 'plan-ends' || !cancelAtPeriodEnd) ? formatDate(end, user) : null;
    return this.email.send(planChangeEmail, {
      ...to,
      values: { event, plan: getPlanName(subscribedPlan), date, url: settings },
    });
  }
}

function formatDate(date: Date, { language, timeZone }: User): string {
  const options = { dateStyle: 'long' as const, timeZone: timeZone ?? 'UTC' };
  return new Intl.DateTimeFormat(language, options).format(date);
}

/**
 * Checks whether the event still applies. If the user has paid, kept or renewed the plan between event and email, the
 * email would only confuse. A recovered payment is announced only to users who were notified of the failure.
 */
const isStillTrue: Record<BillingEvent, (recipient: Recipient) => boolean> = {
  'plan-started': ({ subscribedPlan }) => subscribedPlan !== 'free',
  'plan-ends': ({ account, subscribedPlan }) =>
    subscribedPlan !== 'free' && account.cancelAtPeriodEnd && account.currentPeriodEnd != null,
  'plan-ended': ({ plan }) => plan === 'free',
  'payment-failed': ({ user }) => user.subscriptionStatus === 'past_due',
  'payment-recovered': ({ account, user, subscribedPlan }) =>
    account.failureTold && user.subscriptionStatus !== 'past_due' && subscribedPlan !== 'free',
};
