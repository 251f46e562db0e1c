import { MikroORM, RequestContext } from '@mikro-orm/postgresql';
import { UserService } from '../../../src/modules/auth/users/user.service.js';
import { PaymentCollectionService } from '../../../src/modules/billing/subscriptions/payment-collection.service.js';
import { reconcileSubscriptions } from '../../../src/modules/billing/billing.jobs.js';
import { SubscriptionSyncService } from '../../../src/modules/billing/subscriptions/subscription-sync.service.js';
import { CronScheduler } from '../../../src/platform/jobs/cron/cron-scheduler.js';
import { registerUser, type Actor } from '../../support/people/actors.js';
import { describeInProcess } from '../../support/world.js';
import { BillingWorld } from './billing-world.js';

const DAY = 86_400_000;

describeInProcess('Stripe synchronisation', () => {
  let billing: BillingWorld;
  beforeEach(async () => {
    billing = await BillingWorld.open();
  });
  afterEach(() => billing.close());

  const app = () => billing.world.testApp.app;
  const refresh = (actor: Actor) => app().get(SubscriptionSyncService).refreshSubscription(actor.id);
  const isPaused = (id: string) => billing.account.getSubscription(id).pause_collection !== null;
  const listSubjects = async (actor: Actor) =>
    (await billing.world.listEmails(actor.email)).map(({ subject }) => subject);
  const deactivate = (actor: Actor) =>
    RequestContext.create(app().get(MikroORM).em, () => app().get(UserService).deactivate(actor.id, null));
  /** Waits until a call with a held response has been made. */
  const waitForCall = async (call: RegExp, before: number) => {
    while (billing.stripe.countCalls(call) === before) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const runNightlyJob = async () => {
    await app().get(CronScheduler).enqueueCronRun(reconcileSubscriptions, billing.world.testApp.clock.now());
    await billing.drainToleratingFailures();
    const [row] = await billing.query<{ params: object }>(
      `select params from audit_log where type = 'billing.reconciled' order by id desc limit 1`,
    );
    return row!.params;
  };

  it('ignores data of a customer that is no longer linked to the user', async () => {
    const actor = await billing.registerSubscriber('creator');
    const fresh = billing.account.addCustomer({ email: actor.email });
    const lists = /^GET \/v1\/subscriptions$/;
    const before = billing.stripe.countCalls(lists);
    billing.stripe.injectFault(lists, 'held');
    billing.account.changePrice(actor.subscription.id, 'price_pro_month');
    const reading = refresh(actor);
    await waitForCall(lists, before);
    await billing.query('update users set stripe_customer_id = ? where id = ?', [fresh.id, actor.id]);
    billing.stripe.releaseHeldResponses();
    expect(await reading).toMatchObject({ changed: [] });
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('creator');
  });

  it('counts the seven days of a new subscription from its own invoice', async () => {
    const actor = await billing.registerSubscriber('creator');
    billing.account.failPayment(actor.subscription.id);
    await billing.deliverEvents();
    billing.world.testApp.clock.advance(5 * DAY);
    billing.account.cancelSubscription(actor.subscription.id);
    const { id } = billing.account.createSubscription(actor.subscription.customer, 'price_creator_month');
    billing.account.failPayment(id);
    billing.account.events.length = 0;
    const until = new Date((billing.account.nowInSeconds + 7 * 86_400) * 1000).toISOString();
    await refresh(actor);
    expect((await billing.readSubscriptionStatus(actor)).subscription).toMatchObject({ pastDueUntil: until });
  });

  it('pauses a subscription bought in an open checkout after deactivation', async () => {
    const actor = await registerUser(billing.world);
    const session = await billing.startCheckout(actor);
    await deactivate(actor);
    await billing.deliverEvents();
    const { id } = billing.account.completeCheckout(session);
    expect(isPaused(id)).toBe(false);
    await billing.deliverEvents();
    expect(isPaused(id)).toBe(true);
  });

  it('sends no email about states that are over before it is written', async () => {
    const actor = await billing.registerSubscriber('creator');
    billing.account.failPayment(actor.subscription.id);
    await refresh(actor);
    billing.account.payLatestInvoice(actor.subscription.id);
    await refresh(actor);
    billing.account.cancelSubscription(actor.subscription.id);
    await refresh(actor);
    billing.account.createSubscription(actor.subscription.customer, 'price_creator_month');
    await refresh(actor);
    await billing.world.testApp.drain();
    expect((await listSubjects(actor)).filter((subject) => /payment|free plan/.test(subject))).toEqual([]);
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('creator');
  });

  it('applies the latest account state if it changed during the update', async () => {
    const actor = await billing.registerSubscriber('creator');
    const updates = /^POST \/v1\/subscriptions\/sub_/;
    await billing.query('update users set deactivated_at = now() where id = ?', [actor.id]);
    billing.stripe.injectFault(updates, 'held');
    const syncing = app().get(PaymentCollectionService).syncCollection(actor.id);
    await waitForCall(updates, 0);
    expect(isPaused(actor.subscription.id)).toBe(true);
    await billing.query('update users set deactivated_at = null where id = ?', [actor.id]);
    billing.stripe.releaseHeldResponses();
    await syncing;
    expect(isPaused(actor.subscription.id)).toBe(false);
  });

  it('continues nightly after one failure and skips accounts being deleted', async () => {
    const [broken, lostEvent, deletedCustomer] = [
      await billing.registerSubscriber('starter'),
      await billing.registerSubscriber('starter'),
      await billing.registerSubscriber('starter'),
    ];
    for (const { subscription } of [broken, lostEvent]) billing.account.changePrice(subscription.id, 'price_pro_month');
    billing.account.events.length = 0;
    await billing.query('update users set erased_at = now() where id = ?', [deletedCustomer.id]);
    billing.stripe.injectFault(new RegExp(`^GET /v1/customers/${broken.subscription.customer}`), { status: 500 }, 10);
    expect(await runNightlyJob()).toEqual({ asked: 2, repaired: 1, failed: 1, missing: 0, severalSubscriptions: 0 });
    expect([
      (await billing.readSubscriptionStatus(broken)).plan,
      (await billing.readSubscriptionStatus(lostEvent)).plan,
    ]).toEqual(['starter', 'pro-creator']);
    billing.stripe.clearFaults();
    billing.world.testApp.clock.advance(DAY);
    expect(await runNightlyJob()).toMatchObject({ asked: 2, repaired: 1, failed: 0 });
    expect((await billing.readSubscriptionStatus(broken)).plan).toBe('pro-creator');
  });

  it('keeps event records for ninety days', async () => {
    const actor = await billing.registerSubscriber('creator');
    const countEvents = async () => (await billing.query('select id from stripe_events')).length;
    const events = await countEvents();
    expect(events).toBeGreaterThan(0);
    billing.world.testApp.clock.advance(89 * DAY);
    billing.account.renewSubscription(actor.subscription.id);
    await billing.deliverEvents();
    await runNightlyJob();
    expect(await countEvents()).toBe(events + 2);
    billing.world.testApp.clock.advance(2 * DAY);
    await runNightlyJob();
    expect(await countEvents()).toBe(2);
  });
});
