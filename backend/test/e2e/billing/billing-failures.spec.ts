import { PASSWORD, registerUser, type Actor } from '../../support/people/actors.js';
import { describeInProcess } from '../../support/world.js';
import { BillingWorld } from './billing-world.js';
import { reauthenticate } from '../auth/account-helpers.js';

describeInProcess('Stripe failures', () => {
  let billing: BillingWorld;
  beforeAll(async () => {
    billing = await BillingWorld.open();
  });
  afterEach(() => billing.stripe.clearFaults());
  afterAll(() => billing.close());

  const buy = (actor: Actor, planId = 'creator') =>
    actor.client.post('/api/create-subscription').send({ planId, billingInterval: 'monthly' });
  const manage = (actor: Actor) => actor.client.post('/api/manage-subscription');
  const refresh = (actor: Actor) => actor.client.post('/api/subscription-status/refresh');

  /** What proxies between us and Stripe, or Stripe itself, may return. */
  const invalidBodies = [
    '<html>Please sign in to the network</html>',
    '',
    '{',
    '{}',
    'null',
    '[]',
    '"yes"',
    '{"object":"list"}',
  ];

  it.each(invalidBodies)('change nothing and are reported as an outage: response %j', async (invalidBody) => {
    const [buyer, subscriber] = [await registerUser(billing.world), await billing.registerSubscriber('creator')];
    const before = await billing.readSubscriptionStatus(subscriber);
    const session = await billing.startCheckout(await registerUser(billing.world));
    billing.stripe.injectFault(/./, { rawBody: invalidBody }, 100);
    const responses = [
      await buy(buyer),
      await refresh(subscriber),
      await manage(subscriber),
      await buyer.client.get(`/api/checkout-session/${session}`),
    ];
    expect(responses.map(({ status, body }) => [status, body.code])).toEqual(
      Array(4).fill([503, 'BILLING_UNAVAILABLE']),
    );
    billing.stripe.clearFaults();
    expect(await billing.readSubscriptionStatus(subscriber)).toEqual(before);
    await buyer.client.get('/api/user').expect(200);
    await billing.startCheckout(buyer);
  });

  it.each(invalidBodies)('delay the processing of an event: response %j', async (invalidBody) => {
    const actor = await billing.registerSubscriber('creator');
    billing.account.cancelSubscription(actor.subscription.id);
    billing.stripe.injectFault(/./, { rawBody: invalidBody, status: 502 }, 100);
    await billing.deliverEvents();
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('creator');
    billing.stripe.clearFaults();
    billing.world.testApp.clock.advance(60_000);
    await billing.drainToleratingFailures();
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('free');
  });

  it('leave nothing to manage and allow buying again if the customer was deleted at Stripe', async () => {
    const actor = await billing.registerSubscriber('creator');
    billing.account.deleteCustomer(actor.subscription.customer);
    billing.account.events.length = 0;
    expect((await manage(actor).expect(409)).body.code).toBe('NO_SUBSCRIPTION');
    expect(await billing.readSubscriptionStatus(actor)).toMatchObject({ plan: 'free', subscription: null });
    await billing.startCheckout(actor);
  });

  it('are reported as an outage and keep the plan if the portal is not configured', async () => {
    const actor = await billing.registerSubscriber('creator');
    billing.stripe.injectFault(/^POST \/v1\/billing_portal/, { status: 400 }, 100);
    for (const response of [await manage(actor), await buy(actor, 'starter')]) {
      expect([response.status, response.body.code]).toEqual([503, 'BILLING_UNAVAILABLE']);
    }
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('creator');
  });

  it('are reported as an outage and keep the plan if the customer is unknown', async () => {
    const actor = await billing.registerSubscriber('creator');
    billing.account.customers.delete(actor.subscription.customer);
    for (const response of [await manage(actor), await buy(actor)]) {
      expect([response.status, response.body.code]).toEqual([503, 'BILLING_UNAVAILABLE']);
    }
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('creator');
  });
});

describeInProcess('Subscription', () => {
  let billing: BillingWorld;
  let admin: Actor;
  beforeAll(async () => {
    billing = await BillingWorld.open();
    admin = await registerUser(billing.world);
    await billing.query('update users set is_super_admin = true where id = ?', [admin.id]);
  });
  afterAll(() => billing.close());

  const grant = async (actor: Actor, plan: string) => {
    await reauthenticate(admin);
    await admin.client.patch(`/api/admin/users/${actor.id}/plan`).send({ plan }).expect(200);
  };
  const buy = (actor: Actor, planId: string) =>
    actor.client.post('/api/create-subscription').send({ planId, billingInterval: 'monthly' });

  it('is not sold to a user with that plan or a larger one by agreement', async () => {
    const actor = await registerUser(billing.world);
    await grant(actor, 'creator');
    const customers = billing.account.customers.size;
    for (const plan of ['starter', 'creator']) {
      expect((await buy(actor, plan).expect(409)).body.code).toBe('PLAN_INCLUDED');
    }
    expect(billing.account.customers.size).toBe(customers);
    expect((await billing.readSubscriptionStatus(actor)).can.buy).toEqual(['pro-creator']);
    billing.account.completeCheckout(await billing.startCheckout(actor, 'pro-creator'));
    await billing.deliverEvents();
    expect(await billing.readSubscriptionStatus(actor)).toMatchObject({ plan: 'pro-creator', heldBy: 'subscription' });
  });

  it('is still managed with a larger agreed plan, and not sold again afterwards', async () => {
    const actor = await billing.registerSubscriber('starter');
    await grant(actor, 'pro-creator');
    expect((await buy(actor, 'creator').expect(200)).body.url).toContain('/portal/');
    billing.account.cancelSubscription(actor.subscription.id);
    await billing.deliverEvents();
    expect((await buy(actor, 'creator').expect(409)).body.code).toBe('PLAN_INCLUDED');
    await grant(actor, 'free');
    await billing.startCheckout(actor, 'creator');
  });

  it.each([
    ['canceled', 'Your subscription has ended.'],
    ['unpaid', "You'll get your plan back as soon as you've paid."],
    ['incomplete', "You'll get your plan back as soon as you've paid."],
  ])('is described correctly in the email when it becomes %s', async (status, sentence) => {
    const actor = await billing.registerSubscriber('creator');
    billing.account.updateSubscription(actor.subscription.id, { status });
    await billing.deliverEvents();
    const { text } = await billing.world.waitForEmail(actor.email, ({ subject }) =>
      /now on the free plan/.test(subject),
    );
    expect(text).toContain(sentence);
    expect(text).toContain('Everything in your zones stays');
  });
});

describeInProcess('GET /api/admin/billing/figures', () => {
  let billing: BillingWorld;
  let admin: Actor;
  beforeAll(async () => {
    billing = await BillingWorld.open();
    admin = await registerUser(billing.world);
    await billing.query(`update users set role = 'admin' where id = ?`, [admin.id]);
  });
  afterAll(() => billing.close());

  const readFigures = async () => (await admin.client.get('/api/admin/billing/figures').expect(200)).body;

  it('counts plans, revenue, and started and ended subscriptions, each once', async () => {
    const month = billing.world.testApp.clock.now().toISOString().slice(0, 7);
    expect(await readFigures()).toMatchObject({ revenue: [], plans: [{ plan: 'free', people: 1 }] });
    const [remaining, leaving] = [
      await billing.registerSubscriber('creator'),
      await billing.registerSubscriber('starter'),
    ];
    await remaining.client.post('/api/subscription-status/refresh').expect(200);
    billing.account.cancelSubscription(leaving.subscription.id);
    await billing.deliverEvents();
    const figuresBefore = await readFigures();
    expect(figuresBefore.plans).toEqual([
      { plan: 'creator', people: 1 },
      { plan: 'free', people: 2 },
    ]);
    expect(figuresBefore.months).toHaveLength(12);
    expect(figuresBefore.months.at(-1)).toEqual({ month, started: 2, ended: 1, atStart: 0 });
    const paid = await billing.query<{ total: string }>('select sum(amount)::text as total from paid_invoices');
    expect(figuresBefore.revenue).toEqual([{ month, currency: 'USD', amount: Number(paid[0]!.total) }]);
    expect(await billing.query('select id from paid_invoices')).toHaveLength(2);
  });

  it('counts a subscription that ends with its account as ended once', async () => {
    const cancelling = await billing.registerSubscriber('creator');
    const { ended } = (await readFigures()).months.at(-1);
    await cancelling.client.delete('/api/user').send({ password: PASSWORD }).expect(204);
    await billing.world.testApp.drain();
    await billing.deliverEvents();
    expect((await readFigures()).months.at(-1).ended).toBe(ended + 1);
  });

  it('counts the subscriptions at the start of a month from earlier data', async () => {
    const before = (await readFigures()).months.at(-1).atStart as number;
    await billing.query(
      `insert into subscription_changes (plan_before, plan_after, changed_at)
       select 'free', 'starter', now() - interval '3 years' from generate_series(1, 5)`,
    );
    expect((await readFigures()).months.at(-1).atStart).toBe(before + 5);
  });

  it('is restricted to admins', async () => {
    const person = await registerUser(billing.world);
    await person.client.get('/api/admin/billing/figures').expect(403);
    await billing.world.createClient().get('/api/admin/billing/figures').expect(401);
  });
});
