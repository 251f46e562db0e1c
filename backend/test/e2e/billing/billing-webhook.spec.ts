import { MikroORM, RequestContext } from '@mikro-orm/postgresql';
import { UserService } from '../../../src/modules/auth/users/user.service.js';
import { reconcileSubscriptions } from '../../../src/modules/billing/billing.jobs.js';
import { CronScheduler } from '../../../src/platform/jobs/cron/cron-scheduler.js';
import { PASSWORD, register, type Actor } from '../../support/people/actors.js';
import { describeInProcess } from '../../support/world.js';
import { atOnce, auditOf } from '../auth/accounts.js';
import { BillingWorld } from './billing-world.js';

const DAY = 86_400_000;

describeInProcess('events of Stripe', () => {
  let billing: BillingWorld;
  beforeEach(async () => {
    billing = await BillingWorld.open();
  });
  afterEach(() => billing.close());

  const post = (body: string, headers: Record<string, string>) =>
    fetch(`${billing.world.url}/api/webhooks/stripe`, { method: 'POST', headers, body });
  const noted = () => billing.execute('select type, outcome from stripe_events order by received_at');
  const nightly = async () => {
    const jobs = billing.world.inside.app.get(CronScheduler);
    await jobs.enqueueCronRun(reconcileSubscriptions, billing.world.inside.clock.now());
    await billing.world.inside.drain();
  };
  const reports = async () => {
    const rows = await billing.execute<{ params: object }>(
      `select params from audit_log where type = 'billing.reconciled' order by id`,
    );
    return rows.map(({ params }) => params);
  };

  it('change nothing when forged, stale, cut short, unsigned or too large', async () => {
    const actor = await billing.subscriber('creator');
    billing.account.end(actor.subscription.id);
    const event = billing.account.events.at(-1)!;
    const { body, headers } = billing.stripe.sign(event);
    const stale = billing.stripe.sign(event, new Date(billing.world.inside.clock.now().getTime() - 301_000));
    const before = await noted();
    const refused = [
      await post(body.replace('deleted', 'updated'), headers),
      await post(stale.body, stale.headers),
      await post(body.slice(0, -20), headers),
      await post(body, { 'Content-Type': 'application/json' }),
      await post(body, { ...headers, 'Stripe-Signature': 't=1,v1=00' }),
      await post('', headers),
      await post('{}', billing.stripe.sign({}).headers),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 400]);
    expect(((await refused[0]!.json()) as { code: string }).code).toBe('WEBHOOK_SIGNATURE');
    const large = billing.stripe.sign({ ...event, padding: 'x'.repeat(2 ** 20) });
    expect((await post(large.body, large.headers)).status).toBe(413);
    await billing.world.inside.drain();
    expect(await noted()).toEqual(before);
    expect((await billing.status(actor)).plan).toBe('creator');
    const nearly = billing.stripe.sign(event, new Date(billing.world.inside.clock.now().getTime() - 295_000));
    expect((await post(nearly.body, nearly.headers)).status).toBe(200);
    await billing.world.inside.drain();
    expect((await billing.status(actor)).plan).toBe('free');
  });

  it('are noted and answered 200 when the type or the customer is unknown', async () => {
    await billing.deliver([billing.account.emit('charge.succeeded', { id: 'ch_1', customer: 'cus_x' })]);
    const stray = billing.account.addCustomer({ email: 'stray@example.com' });
    billing.account.events.length = 0;
    billing.account.subscribe(stray.id, 'price_creator_month');
    await billing.deliver();
    expect(await noted()).toEqual([
      { type: 'charge.succeeded', outcome: 'unknown-type' },
      { type: 'customer.subscription.created', outcome: 'unknown-customer' },
    ]);
  });

  it('have one effect however often each is delivered at once', async () => {
    const actor = await register(billing.world);
    billing.account.pay(await billing.checkout(actor));
    const events = billing.account.events.splice(0);
    const statuses = await atOnce(50, (n) => billing.stripe.deliver(billing.world.url, events[n % events.length]!));
    expect(new Set(statuses)).toEqual(new Set([200]));
    const jobs = await billing.execute(`select id from jobs where name = 'billing.refresh-subscription'`);
    expect(jobs).toHaveLength(events.length);
    await billing.world.inside.drain();
    expect((await billing.status(actor)).plan).toBe('creator');
    expect((await auditOf(billing.world, actor.id)).filter((type) => type === 'plan.changed')).toHaveLength(1);
  });

  it('of an old subscription take nothing from a new one, however late they come', async () => {
    const actor = await billing.subscriber('starter');
    billing.account.end(actor.subscription.id);
    const late = billing.account.events.splice(0);
    await actor.client.post('/api/subscription-status/refresh').expect(200);
    const fresh = billing.account.pay(await billing.checkout(actor, 'pro-creator'));
    await billing.deliver();
    await billing.deliver(late);
    expect(await billing.status(actor)).toMatchObject({ plan: 'pro-creator', subscriptionStatus: 'active' });
    const [row] = await billing.execute('select stripe_subscription_id as id from users where id = ?', [actor.id]);
    expect(row).toEqual({ id: fresh.id });
  });

  it('are worked off later when Stripe is down at that moment', async () => {
    const actor = await register(billing.world);
    billing.account.pay(await billing.checkout(actor));
    billing.stripe.fail(/./, { status: 500 }, 1000);
    await billing.deliver();
    expect((await billing.status(actor)).plan).toBe('free');
    billing.stripe.heal();
    billing.world.inside.clock.advance(60_000);
    await billing.world.inside.drain();
    expect((await billing.status(actor)).plan).toBe('creator');
  });

  it('follow a change of plan, the notice of cancellation and its withdrawal', async () => {
    const actor = await billing.subscriber('creator');
    const { id } = actor.subscription;
    billing.account.changePrice(id, 'price_pro_year');
    await billing.deliver();
    expect(await billing.status(actor)).toMatchObject({
      plan: 'pro-creator',
      subscription: { billingInterval: 'yearly' },
    });
    billing.account.change(id, { cancel_at_period_end: true });
    await billing.deliver();
    expect(await billing.status(actor)).toMatchObject({
      plan: 'pro-creator',
      subscription: { cancelAtPeriodEnd: true },
    });
    billing.account.change(id, { cancel_at_period_end: false });
    await billing.deliver();
    expect((await billing.status(actor)).subscription).toMatchObject({ cancelAtPeriodEnd: false });
    const soon = billing.account.seconds + 86_400;
    billing.account.change(id, { cancel_at: soon });
    await billing.deliver();
    expect((await billing.status(actor)).subscription).toMatchObject({
      cancelAtPeriodEnd: true,
      currentPeriodEnd: soon,
    });
  });

  it.each(['unpaid', 'paused', 'incomplete', 'incomplete_expired', 'canceled', 'something_new'])(
    'that tell of a subscription that is %s leave the free plan',
    async (status) => {
      const actor = await billing.subscriber('creator');
      billing.account.change(actor.subscription.id, { status });
      await billing.deliver();
      expect(await billing.status(actor)).toMatchObject({ plan: 'free', subscriptionStatus: status });
      billing.account.change(actor.subscription.id, { status: 'active' });
      await billing.deliver();
      expect((await billing.status(actor)).plan).toBe('creator');
    },
  );

  it('of a failed payment keep the plan for seven days, then it is free, and paying brings it back', async () => {
    const actor = await billing.subscriber('creator');
    const { clock } = billing.world.inside;
    billing.account.failPayment(actor.subscription.id);
    const until = new Date((billing.account.seconds + 7 * 86_400) * 1000).toISOString();
    await billing.deliver();
    expect(await billing.status(actor)).toMatchObject({
      plan: 'creator',
      subscriptionStatus: 'past_due',
      subscription: { pastDueUntil: until },
    });
    const letter = await billing.world.mailTo(actor.email, ({ subject }) => /didn't go through/.test(subject));
    expect(letter.text).toContain('None of your files will be deleted');
    clock.advance(7 * DAY - 60_000);
    await billing.world.inside.drain();
    expect((await billing.status(actor)).plan).toBe('creator');
    clock.advance(2 * 60_000);
    await billing.world.inside.drain();
    expect(await billing.status(actor)).toMatchObject({ plan: 'free', subscriptionStatus: 'past_due' });
    await billing.world.mailTo(actor.email, ({ subject }) => /now on the free plan/.test(subject));
    // Another invoice that fails does not begin the seven days anew.
    billing.account.failPayment(actor.subscription.id);
    await billing.deliver();
    expect((await billing.status(actor)).plan).toBe('free');
    billing.account.settle(actor.subscription.id);
    await billing.deliver();
    expect(await billing.status(actor)).toMatchObject({ plan: 'creator', subscriptionStatus: 'active' });
    expect((await billing.world.mails(actor.email)).filter(({ subject }) => /go through/.test(subject))).toHaveLength(
      1,
    );
  });

  it('of a deleted customer end the plan, and the next checkout makes a new customer', async () => {
    const actor = await billing.subscriber('creator');
    billing.account.deleteCustomer(actor.subscription.customer);
    await billing.deliver();
    expect(await billing.status(actor)).toMatchObject({ plan: 'free', subscription: null });
    const again = billing.account.pay(await billing.checkout(actor));
    expect(again.customer).not.toBe(actor.subscription.customer);
    await billing.deliver();
    expect((await billing.status(actor)).plan).toBe('creator');
  });

  it('cannot concern two people: a customer belongs to one', async () => {
    const [actor, other] = [await billing.subscriber('creator'), await register(billing.world)];
    const steal = 'update users set stripe_customer_id = ? where id = ?';
    await expect(billing.execute(steal, [actor.subscription.customer, other.id])).rejects.toThrow(/unique/);
    const both = 'update users set stripe_subscription_id = ? where id = ?';
    await expect(billing.execute(both, [actor.subscription.id, other.id])).rejects.toThrow(/unique/);
  });

  it('that were lost are made up for in the night, with a report', async () => {
    const [lost, ended, fine] = [
      await billing.subscriber('starter'),
      await billing.subscriber('creator'),
      await billing.subscriber('creator'),
    ];
    billing.account.changePrice(lost.subscription.id, 'price_pro_month');
    billing.account.end(ended.subscription.id);
    billing.account.events.length = 0;
    await nightly();
    expect([(await billing.status(lost)).plan, (await billing.status(ended)).plan]).toEqual(['pro-creator', 'free']);
    expect((await billing.status(fine)).plan).toBe('creator');
    expect(await auditOf(billing.world, lost.id)).toContain('billing.repaired');
    expect(await auditOf(billing.world, fine.id)).not.toContain('billing.repaired');
    expect(await reports()).toEqual([{ asked: 3, repaired: 2, failed: 0, missing: 0, severalSubscriptions: 0 }]);
  });

  it('and a customer that Stripe does not know keeps the plan: the key may be a wrong one', async () => {
    const actor = await billing.subscriber('creator');
    billing.account.customers.delete(actor.subscription.customer);
    await nightly();
    expect((await billing.status(actor)).plan).toBe('creator');
    expect(await reports()).toMatchObject([{ asked: 1, missing: 1, repaired: 0 }]);
  });

  it('a second subscription that somebody made by hand is reported; the better one counts', async () => {
    const actor = await billing.subscriber('starter');
    billing.account.subscribe(actor.subscription.customer, 'price_pro_month');
    await billing.deliver();
    expect((await billing.status(actor)).plan).toBe('pro-creator');
    await nightly();
    expect(await auditOf(billing.world, actor.id)).toContain('billing.several-subscriptions');
  });

  describe('and the state of an account', () => {
    const inContext = (work: () => Promise<void>) =>
      RequestContext.create(billing.world.inside.app.get(MikroORM).em, work);
    const users = () => billing.world.inside.app.get(UserService);
    const paused = ({ subscription }: Actor & { subscription: { id: string } }) =>
      billing.account.subscription(subscription.id).pause_collection !== null;

    it('pauses payments while it is deactivated, and resumes them', async () => {
      const actor = await billing.subscriber('creator');
      await inContext(() => users().deactivate(actor.id, null));
      await billing.deliver();
      expect(paused(actor)).toBe(true);
      await inContext(() => users().activate(actor.id, null));
      await billing.deliver();
      expect(paused(actor)).toBe(false);
    });

    it('tries again when Stripe is down, and ends with the last state whatever ran when', async () => {
      const actor = await billing.subscriber('creator');
      billing.stripe.fail(/./, { status: 500 }, 1000);
      await inContext(() => users().deactivate(actor.id, null));
      await billing.deliver();
      await inContext(() => users().activate(actor.id, null));
      await inContext(() => users().deactivate(actor.id, null));
      await billing.drainTolerantly();
      expect(paused(actor)).toBe(false);
      billing.stripe.heal();
      billing.world.inside.clock.advance(10 * 60_000);
      await billing.world.inside.drain();
      expect(paused(actor)).toBe(true);
    });

    it('pauses a subscription that was bought in a window left open', async () => {
      const actor = await register(billing.world);
      const session = await billing.checkout(actor);
      await inContext(() => users().deactivate(actor.id, null));
      const subscription = billing.account.pay(session);
      await billing.deliver();
      expect(paused({ ...actor, subscription })).toBe(true);
    });

    it('ends the subscription at Stripe when the account is deleted, also when Stripe is down first', async () => {
      const actor = await billing.subscriber('creator');
      billing.stripe.fail(/./, { status: 500 }, 1000);
      await actor.client.delete('/api/user').send({ password: PASSWORD }).expect(204);
      await billing.drainTolerantly();
      expect(billing.account.subscription(actor.subscription.id).status).toBe('active');
      billing.stripe.heal();
      for (let n = 0; n < 3; n++) {
        billing.world.inside.clock.advance(15 * 60_000);
        await billing.world.inside.drain();
      }
      expect(billing.account.subscription(actor.subscription.id).status).toBe('canceled');
      expect(billing.account.customer(actor.subscription.customer).deleted).toBe(true);
      expect(await billing.execute('select id from users where id = ?', [actor.id])).toEqual([]);
      await billing.deliver();
      expect(await billing.execute('select id from stripe_events where customer_id is not null')).toHaveLength(2);
    });

    it('is in the export', async () => {
      const actor = await billing.subscriber('creator');
      const { body } = await actor.client.get('/api/user/export').expect(200);
      expect(body.billing).toMatchObject([{ stripeCustomerId: actor.subscription.customer }]);
      expect(body.plan).toMatchObject([{ subscribedPlan: 'creator' }]);
    });
  });
});
