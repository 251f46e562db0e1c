import { MikroORM, RequestContext } from '@mikro-orm/postgresql';
import { UserService } from '../../../src/modules/auth/users/user.service.js';
import { reconcileSubscriptions } from '../../../src/modules/billing/billing.jobs.js';
import { CronScheduler } from '../../../src/platform/jobs/cron/cron-scheduler.js';
import { PASSWORD, registerUser, type Actor } from '../../support/people/actors.js';
import { describeInProcess } from '../../support/world.js';
import { runConcurrently, listAuditTypes } from '../auth/account-helpers.js';
import { BillingWorld } from './billing-world.js';

const DAY = 86_400_000;

describeInProcess('Stripe webhook', () => {
  let billing: BillingWorld;
  beforeEach(async () => {
    billing = await BillingWorld.open();
  });
  afterEach(() => billing.close());

  const post = (body: string, headers: Record<string, string>) =>
    fetch(`${billing.world.url}/api/webhooks/stripe`, { method: 'POST', headers, body });
  const listEvents = () => billing.query('select type, outcome from stripe_events order by received_at');
  const runNightlyJob = async () => {
    const jobs = billing.world.testApp.app.get(CronScheduler);
    await jobs.enqueueCronRun(reconcileSubscriptions, billing.world.testApp.clock.now());
    await billing.world.testApp.drain();
  };
  const listReports = async () => {
    const rows = await billing.query<{ params: object }>(
      `select params from audit_log where type = 'billing.reconciled' order by id`,
    );
    return rows.map(({ params }) => params);
  };

  it('rejects forged, stale, truncated, unsigned and too large events', async () => {
    const actor = await billing.registerSubscriber('creator');
    billing.account.cancelSubscription(actor.subscription.id);
    const event = billing.account.events.at(-1)!;
    const { body, headers } = billing.stripe.signEvent(event);
    const stale = billing.stripe.signEvent(event, new Date(billing.world.testApp.clock.now().getTime() - 301_000));
    const before = await listEvents();
    const rejected = [
      await post(body.replace('deleted', 'updated'), headers),
      await post(stale.body, stale.headers),
      await post(body.slice(0, -20), headers),
      await post(body, { 'Content-Type': 'application/json' }),
      await post(body, { ...headers, 'Stripe-Signature': 't=1,v1=00' }),
      await post('', headers),
      await post('{}', billing.stripe.signEvent({}).headers),
    ];
    expect(rejected.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 400]);
    expect(((await rejected[0]!.json()) as { code: string }).code).toBe('WEBHOOK_SIGNATURE');
    const large = billing.stripe.signEvent({ ...event, padding: 'x'.repeat(2 ** 20) });
    expect((await post(large.body, large.headers)).status).toBe(413);
    await billing.world.testApp.drain();
    expect(await listEvents()).toEqual(before);
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('creator');
    const nearly = billing.stripe.signEvent(event, new Date(billing.world.testApp.clock.now().getTime() - 295_000));
    expect((await post(nearly.body, nearly.headers)).status).toBe(200);
    await billing.world.testApp.drain();
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('free');
  });

  it('stores events of unknown types or customers and returns 200', async () => {
    await billing.deliverEvents([billing.account.emitEvent('charge.succeeded', { id: 'ch_1', customer: 'cus_x' })]);
    const unknownCustomer = billing.account.addCustomer({ email: 'stray@example.com' });
    billing.account.events.length = 0;
    billing.account.createSubscription(unknownCustomer.id, 'price_creator_month');
    await billing.deliverEvents();
    expect(await listEvents()).toEqual([
      { type: 'charge.succeeded', outcome: 'unknown-type' },
      { type: 'customer.subscription.created', outcome: 'unknown-customer' },
    ]);
  });

  it('processes each event once when delivered concurrently', async () => {
    const actor = await registerUser(billing.world);
    billing.account.completeCheckout(await billing.startCheckout(actor));
    const events = billing.account.events.splice(0);
    const statuses = await runConcurrently(50, (n) =>
      billing.stripe.deliverEvent(billing.world.url, events[n % events.length]!),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    const jobs = await billing.query(`select id from jobs where name = 'billing.refresh-subscription'`);
    expect(jobs).toHaveLength(events.length);
    await billing.world.testApp.drain();
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('creator');
    expect((await listAuditTypes(billing.world, actor.id)).filter((type) => type === 'plan.changed')).toHaveLength(1);
  });

  it('ignores late events of an old subscription', async () => {
    const actor = await billing.registerSubscriber('starter');
    billing.account.cancelSubscription(actor.subscription.id);
    const late = billing.account.events.splice(0);
    await actor.client.post('/api/subscription-status/refresh').expect(200);
    const fresh = billing.account.completeCheckout(await billing.startCheckout(actor, 'pro-creator'));
    await billing.deliverEvents();
    await billing.deliverEvents(late);
    expect(await billing.readSubscriptionStatus(actor)).toMatchObject({
      plan: 'pro-creator',
      subscriptionStatus: 'active',
    });
    const [row] = await billing.query('select stripe_subscription_id as id from users where id = ?', [actor.id]);
    expect(row).toEqual({ id: fresh.id });
  });

  it('processes events later when Stripe is down', async () => {
    const actor = await registerUser(billing.world);
    billing.account.completeCheckout(await billing.startCheckout(actor));
    billing.stripe.injectFault(/./, { status: 500 }, 1000);
    await billing.deliverEvents();
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('free');
    billing.stripe.clearFaults();
    billing.world.testApp.clock.advance(60_000);
    await billing.world.testApp.drain();
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('creator');
  });

  it('applies a plan change, a cancellation and its withdrawal', async () => {
    const actor = await billing.registerSubscriber('creator');
    const { id } = actor.subscription;
    billing.account.changePrice(id, 'price_pro_year');
    await billing.deliverEvents();
    expect(await billing.readSubscriptionStatus(actor)).toMatchObject({
      plan: 'pro-creator',
      subscription: { billingInterval: 'yearly' },
    });
    billing.account.updateSubscription(id, { cancel_at_period_end: true });
    await billing.deliverEvents();
    expect(await billing.readSubscriptionStatus(actor)).toMatchObject({
      plan: 'pro-creator',
      subscription: { cancelAtPeriodEnd: true },
    });
    billing.account.updateSubscription(id, { cancel_at_period_end: false });
    await billing.deliverEvents();
    expect((await billing.readSubscriptionStatus(actor)).subscription).toMatchObject({ cancelAtPeriodEnd: false });
    const soon = billing.account.nowInSeconds + 86_400;
    billing.account.updateSubscription(id, { cancel_at: soon });
    await billing.deliverEvents();
    expect((await billing.readSubscriptionStatus(actor)).subscription).toMatchObject({
      cancelAtPeriodEnd: true,
      currentPeriodEnd: soon,
    });
  });

  it.each(['unpaid', 'paused', 'incomplete', 'incomplete_expired', 'canceled', 'something_new'])(
    'leaves the free plan for a subscription that is %s',
    async (status) => {
      const actor = await billing.registerSubscriber('creator');
      billing.account.updateSubscription(actor.subscription.id, { status });
      await billing.deliverEvents();
      expect(await billing.readSubscriptionStatus(actor)).toMatchObject({ plan: 'free', subscriptionStatus: status });
      billing.account.updateSubscription(actor.subscription.id, { status: 'active' });
      await billing.deliverEvents();
      expect((await billing.readSubscriptionStatus(actor)).plan).toBe('creator');
    },
  );

  it('keeps the plan for seven days after a failed payment, until it is paid', async () => {
    const actor = await billing.registerSubscriber('creator');
    const { clock } = billing.world.testApp;
    billing.account.failPayment(actor.subscription.id);
    const until = new Date((billing.account.nowInSeconds + 7 * 86_400) * 1000).toISOString();
    await billing.deliverEvents();
    expect(await billing.readSubscriptionStatus(actor)).toMatchObject({
      plan: 'creator',
      subscriptionStatus: 'past_due',
      subscription: { pastDueUntil: until },
    });
    const notice = await billing.world.waitForEmail(actor.email, ({ subject }) => /didn't go through/.test(subject));
    expect(notice.text).toContain('None of your files will be deleted');
    clock.advance(7 * DAY - 60_000);
    await billing.world.testApp.drain();
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('creator');
    clock.advance(2 * 60_000);
    await billing.world.testApp.drain();
    expect(await billing.readSubscriptionStatus(actor)).toMatchObject({ plan: 'free', subscriptionStatus: 'past_due' });
    await billing.world.waitForEmail(actor.email, ({ subject }) => /now on the free plan/.test(subject));
    // Another failed invoice doesn't restart the seven days.
    billing.account.failPayment(actor.subscription.id);
    await billing.deliverEvents();
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('free');
    billing.account.payLatestInvoice(actor.subscription.id);
    await billing.deliverEvents();
    expect(await billing.readSubscriptionStatus(actor)).toMatchObject({
      plan: 'creator',
      subscriptionStatus: 'active',
    });
    expect(
      (await billing.world.listEmails(actor.email)).filter(({ subject }) => /go through/.test(subject)),
    ).toHaveLength(1);
  });

  it('ends the plan of a deleted customer, and the next checkout creates a new one', async () => {
    const actor = await billing.registerSubscriber('creator');
    billing.account.deleteCustomer(actor.subscription.customer);
    await billing.deliverEvents();
    expect(await billing.readSubscriptionStatus(actor)).toMatchObject({ plan: 'free', subscription: null });
    const again = billing.account.completeCheckout(await billing.startCheckout(actor));
    expect(again.customer).not.toBe(actor.subscription.customer);
    await billing.deliverEvents();
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('creator');
  });

  it('does not allow two users with one customer or subscription', async () => {
    const [actor, other] = [await billing.registerSubscriber('creator'), await registerUser(billing.world)];
    const setCustomer = 'update users set stripe_customer_id = ? where id = ?';
    await expect(billing.query(setCustomer, [actor.subscription.customer, other.id])).rejects.toThrow(/unique/);
    const setSubscription = 'update users set stripe_subscription_id = ? where id = ?';
    await expect(billing.query(setSubscription, [actor.subscription.id, other.id])).rejects.toThrow(/unique/);
  });

  it('repairs lost events nightly with a report', async () => {
    const [lostEvent, ended, fine] = [
      await billing.registerSubscriber('starter'),
      await billing.registerSubscriber('creator'),
      await billing.registerSubscriber('creator'),
    ];
    billing.account.changePrice(lostEvent.subscription.id, 'price_pro_month');
    billing.account.cancelSubscription(ended.subscription.id);
    billing.account.events.length = 0;
    await runNightlyJob();
    expect([
      (await billing.readSubscriptionStatus(lostEvent)).plan,
      (await billing.readSubscriptionStatus(ended)).plan,
    ]).toEqual(['pro-creator', 'free']);
    expect((await billing.readSubscriptionStatus(fine)).plan).toBe('creator');
    expect(await listAuditTypes(billing.world, lostEvent.id)).toContain('billing.repaired');
    expect(await listAuditTypes(billing.world, fine.id)).not.toContain('billing.repaired');
    expect(await listReports()).toEqual([{ asked: 3, repaired: 2, failed: 0, missing: 0, severalSubscriptions: 0 }]);
  });

  it('keeps the plan of a customer unknown to Stripe in case the key is wrong', async () => {
    const actor = await billing.registerSubscriber('creator');
    billing.account.customers.delete(actor.subscription.customer);
    await runNightlyJob();
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('creator');
    expect(await listReports()).toMatchObject([{ asked: 1, missing: 1, repaired: 0 }]);
  });

  it('reports a second subscription created by hand and applies the better one', async () => {
    const actor = await billing.registerSubscriber('starter');
    billing.account.createSubscription(actor.subscription.customer, 'price_pro_month');
    await billing.deliverEvents();
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('pro-creator');
    await runNightlyJob();
    expect(await listAuditTypes(billing.world, actor.id)).toContain('billing.several-subscriptions');
  });

  describe('and the account state', () => {
    const inContext = (work: () => Promise<void>) =>
      RequestContext.create(billing.world.testApp.app.get(MikroORM).em, work);
    const users = () => billing.world.testApp.app.get(UserService);
    const isPaused = ({ subscription }: Actor & { subscription: { id: string } }) =>
      billing.account.getSubscription(subscription.id).pause_collection !== null;

    it('pauses payments while the account is deactivated', async () => {
      const actor = await billing.registerSubscriber('creator');
      await inContext(() => users().deactivate(actor.id, null));
      await billing.deliverEvents();
      expect(isPaused(actor)).toBe(true);
      await inContext(() => users().activate(actor.id, null));
      await billing.deliverEvents();
      expect(isPaused(actor)).toBe(false);
    });

    it('retries when Stripe is down and ends with the latest state', async () => {
      const actor = await billing.registerSubscriber('creator');
      billing.stripe.injectFault(/./, { status: 500 }, 1000);
      await inContext(() => users().deactivate(actor.id, null));
      await billing.deliverEvents();
      await inContext(() => users().activate(actor.id, null));
      await inContext(() => users().deactivate(actor.id, null));
      await billing.drainToleratingFailures();
      expect(isPaused(actor)).toBe(false);
      billing.stripe.clearFaults();
      billing.world.testApp.clock.advance(10 * 60_000);
      await billing.world.testApp.drain();
      expect(isPaused(actor)).toBe(true);
    });

    it('pauses a subscription that was bought in an open checkout', async () => {
      const actor = await registerUser(billing.world);
      const session = await billing.startCheckout(actor);
      await inContext(() => users().deactivate(actor.id, null));
      const subscription = billing.account.completeCheckout(session);
      await billing.deliverEvents();
      expect(isPaused({ ...actor, subscription })).toBe(true);
    });

    it('cancels the subscription when the account is deleted, even after a Stripe outage', async () => {
      const actor = await billing.registerSubscriber('creator');
      billing.stripe.injectFault(/./, { status: 500 }, 1000);
      await actor.client.delete('/api/user').send({ password: PASSWORD }).expect(204);
      await billing.drainToleratingFailures();
      expect(billing.account.getSubscription(actor.subscription.id).status).toBe('active');
      billing.stripe.clearFaults();
      for (let n = 0; n < 3; n++) {
        billing.world.testApp.clock.advance(15 * 60_000);
        await billing.world.testApp.drain();
      }
      expect(billing.account.getSubscription(actor.subscription.id).status).toBe('canceled');
      expect(billing.account.getCustomer(actor.subscription.customer).deleted).toBe(true);
      expect(await billing.query('select id from users where id = ?', [actor.id])).toEqual([]);
      await billing.deliverEvents();
      expect(await billing.query('select id from stripe_events where customer_id is not null')).toHaveLength(2);
    });

    it('exports the billing data', async () => {
      const actor = await billing.registerSubscriber('creator');
      const { body } = await actor.client.get('/api/user/export').expect(200);
      expect(body.billing).toMatchObject([{ stripeCustomerId: actor.subscription.customer }]);
      expect(body.plan).toMatchObject([{ subscribedPlan: 'creator' }]);
    });
  });
});
