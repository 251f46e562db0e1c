import { registerUser } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { runConcurrently, countStatuses } from '../auth/account-helpers.js';
import { BillingWorld } from './billing-world.js';

describeInProcess('Buying a plan', () => {
  let billing: BillingWorld;
  beforeAll(async () => {
    billing = await BillingWorld.open();
  });
  afterEach(() => billing.stripe.clearFaults());
  afterAll(() => billing.close());

  const planRequest = (planId: unknown = 'creator', billingInterval: unknown = 'monthly') => ({
    planId,
    billingInterval,
  });

  it('opens the checkout, and the plan is active after payment', async () => {
    const actor = await registerUser(billing.world);
    expect(await billing.readSubscriptionStatus(actor)).toEqual({
      plan: 'free',
      planName: 'Always Free',
      subscriptionStatus: 'active',
      subscription: null,
      hasInvoices: false,
      heldBy: null,
      contactEmail: null,
      can: { upgrade: true, buy: ['starter', 'creator', 'pro-creator'], manage: false },
    });
    const sessionId = await billing.startCheckout(actor, 'starter', 'yearly');
    const session = billing.account.getSession(sessionId);
    expect(session).toMatchObject({
      price: 'price_starter_year',
      client_reference_id: String(actor.id),
      metadata: { userId: String(actor.id), planId: 'starter', billingInterval: 'yearly' },
      subscription_metadata: { planId: 'starter' },
    });
    expect(session.success_url).toContain('/checkout?success=true&session_id={CHECKOUT_SESSION_ID}');
    const { body: open } = await actor.client.get(`/api/checkout-session/${sessionId}`).expect(200);
    expect(open).toEqual({ planId: 'starter', status: 'open', paid: false });
    const { items } = billing.account.completeCheckout(sessionId);
    const { body: paid } = await actor.client.get(`/api/checkout-session/${sessionId}`).expect(200);
    expect(paid).toEqual({ planId: 'starter', status: 'complete', paid: true });
    // The state requested right after the payment is current, although the webhook arrives later.
    const status = await billing.readSubscriptionStatus(actor);
    await billing.deliverEvents();
    expect(await billing.readSubscriptionStatus(actor)).toEqual(status);
    expect(status).toMatchObject({
      plan: 'starter',
      subscriptionStatus: 'active',
      heldBy: 'subscription',
      subscription: {
        plan: 'starter',
        amount: 3990,
        currency: 'USD',
        cancelAtPeriodEnd: false,
        currentPeriodEnd: items.data[0]!.current_period_end,
        billingInterval: 'yearly',
        pastDueUntil: null,
      },
      can: { upgrade: true, manage: true },
    });
    expect((await actor.client.get('/api/user').expect(200)).body.plan).toBe('starter');
  });

  it('activates the plan at once for a user who returns before the event', async () => {
    const actor = await registerUser(billing.world);
    billing.account.completeCheckout(await billing.startCheckout(actor));
    const { body } = await actor.client.post('/api/subscription-status/refresh').expect(200);
    expect(body).toMatchObject({ plan: 'creator', heldBy: 'subscription' });
    await billing.deliverEvents();
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('creator');
  });

  it('creates one customer and one open checkout for concurrent requests', async () => {
    const actor = await registerUser(billing.world);
    const from = billing.stripe.calls.length;
    const responses = await runConcurrently(50, () =>
      actor.client.post('/api/create-subscription').send(planRequest()),
    );
    expect(countStatuses(responses)).toEqual({ 200: 50 });
    expect(new Set(responses.map(({ body }) => body.url)).size).toBe(1);
    const calls = billing.stripe.calls.slice(from);
    expect(calls.filter((call) => call === 'POST /v1/customers')).toHaveLength(1);
    expect(calls.filter((call) => call === 'POST /v1/checkout/sessions')).toHaveLength(1);
  });

  it('leaves one checkout open for concurrent requests for different plans', async () => {
    const actor = await registerUser(billing.world);
    const plans = ['starter', 'creator', 'pro-creator'];
    const responses = await runConcurrently(12, (n) =>
      actor.client.post('/api/create-subscription').send(planRequest(plans[n % 3])),
    );
    expect(countStatuses(responses)).toEqual({ 200: 12 });
    const [row] = await billing.query<{ customer: string }>(
      'select stripe_customer_id as customer from users where id = ?',
      [actor.id],
    );
    const sessions = [...billing.account.sessions.values()].filter((session) => session.customer === row!.customer);
    expect(sessions.filter(({ status }) => status === 'open')).toHaveLength(1);
    billing.account.completeCheckout(sessions.find(({ status }) => status === 'open')!.id);
    for (const other of sessions) expect(() => billing.account.completeCheckout(other.id)).toThrow('session_closed');
  });

  it('sends a subscriber to the portal instead of a second checkout, even before the event', async () => {
    const actor = await registerUser(billing.world);
    const sessionId = await billing.startCheckout(actor, 'starter');
    billing.account.completeCheckout(sessionId);
    const before = billing.stripe.countCalls(/^POST \/v1\/checkout\/sessions$/);
    for (const plan of ['starter', 'creator']) {
      const { body } = await actor.client.post('/api/create-subscription').send(planRequest(plan)).expect(200);
      expect(body.url).toContain('/portal/cus_');
    }
    expect(billing.stripe.countCalls(/^POST \/v1\/checkout\/sessions$/)).toBe(before);
    await billing.deliverEvents();
    const { body } = await actor.client.post('/api/manage-subscription').expect(200);
    expect(body.url).toContain('/portal/cus_');
  });

  it('lets a former subscriber buy again as the same customer', async () => {
    const actor = await billing.registerSubscriber('creator');
    billing.account.cancelSubscription(actor.subscription.id);
    await billing.deliverEvents();
    expect(await billing.readSubscriptionStatus(actor)).toMatchObject({
      plan: 'free',
      subscription: null,
      subscriptionStatus: 'canceled',
    });
    const again = billing.account.completeCheckout(await billing.startCheckout(actor, 'pro-creator'));
    await billing.deliverEvents();
    expect(again.customer).toBe(actor.subscription.customer);
    expect(await billing.readSubscriptionStatus(actor)).toMatchObject({
      plan: 'pro-creator',
      subscriptionStatus: 'active',
    });
  });

  it('creates a new customer when the old one was deleted at Stripe', async () => {
    const actor = await billing.registerSubscriber();
    billing.account.deleteCustomer(actor.subscription.customer);
    billing.account.events.length = 0;
    const subscription = billing.account.completeCheckout(await billing.startCheckout(actor));
    expect(subscription.customer).not.toBe(actor.subscription.customer);
    await billing.deliverEvents();
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('creator');
  });

  it.each([
    ['an unknown plan', planRequest('gold'), 400, 'PLAN_NOT_SOLD'],
    ['the free plan', planRequest('free'), 400, 'PLAN_NOT_SOLD'],
    ['enterprise', planRequest('enterprise'), 400, 'PLAN_NOT_SOLD'],
    ['no plan', { billingInterval: 'monthly' }, 400, 'VALIDATION_FAILED'],
    ['a plan that is not a string', planRequest(['creator']), 400, 'VALIDATION_FAILED'],
    ['an unknown interval', planRequest('creator', 'weekly'), 400, 'VALIDATION_FAILED'],
    ['an unknown field', { ...planRequest(), price: 1 }, 400, 'VALIDATION_FAILED'],
  ])('rejects %s', async (_, body, status, code) => {
    const actor = await registerUser(billing.world);
    const from = billing.stripe.calls.length;
    const answer = await actor.client.post('/api/create-subscription').send(body as object);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(billing.stripe.calls.slice(from)).toEqual([]);
  });

  it('is not offered to enterprise users and super admins', async () => {
    for (const change of [`plan = 'enterprise'`, 'is_super_admin = true']) {
      const actor = await registerUser(billing.world);
      await billing.query(`update users set ${change} where id = ?`, [actor.id]);
      const { body } = await actor.client.post('/api/create-subscription').send(planRequest()).expect(409);
      expect(body.code).toBe('UPGRADE_NOT_OFFERED');
    }
  });

  it('hides checkouts of others and unknown ones', async () => {
    const [owner, outsider] = [await registerUser(billing.world), await registerUser(billing.world)];
    const sessionId = await billing.startCheckout(owner);
    await outsider.client.get(`/api/checkout-session/${sessionId}`).expect(404);
    await owner.client.get('/api/checkout-session/cs_test_nothing').expect(404);
    await owner.client.get('/api/checkout-session/..%2Fcustomers').expect(404);
    await billing.world.createClient().get(`/api/checkout-session/${sessionId}`).expect(401);
  });

  it('continues after a lost response without a second customer or checkout', async () => {
    const actor = await registerUser(billing.world);
    billing.stripe.injectFault(/^POST \/v1\/customers/, 'lost answer');
    billing.stripe.injectFault(/^POST \/v1\/checkout\/sessions$/, 'lost answer');
    const before = billing.account.customers.size;
    const sessionId = await billing.startCheckout(actor);
    expect(billing.account.customers.size).toBe(before + 1);
    expect([...billing.account.sessions.values()].filter((session) => session.id === sessionId)).toHaveLength(1);
  });

  it('recovers from a failure that Stripe repeats for the idempotency key', async () => {
    const actor = await registerUser(billing.world);
    billing.stripe.injectFault(/^POST \/v1\/customers/, 'kept failure');
    const subscribe = () => actor.client.post('/api/create-subscription').send(planRequest());
    expect((await subscribe().expect(503)).body.code).toBe('BILLING_UNAVAILABLE');
    await subscribe().expect(503);
    billing.world.testApp.clock.advance(3_600_000);
    await subscribe().expect(200);
  });

  it.each([500, 503, 429])('returns 503 while Stripe returns %d, and recovers afterwards', async (status) => {
    const actor = await registerUser(billing.world);
    billing.stripe.injectFault(/./, { status }, 100);
    const { body } = await actor.client.post('/api/create-subscription').send(planRequest()).expect(503);
    expect(body.code).toBe('BILLING_UNAVAILABLE');
    expect(body.message).toContain("You haven't been charged");
    billing.stripe.clearFaults();
    await billing.startCheckout(actor);
  });

  it('does not claim that nothing was charged after a payment while Stripe is down', async () => {
    const actor = await registerUser(billing.world);
    const sessionId = await billing.startCheckout(actor);
    billing.account.completeCheckout(sessionId);
    billing.stripe.injectFault(/./, { status: 500 }, 100);
    const response = await actor.client.get(`/api/checkout-session/${sessionId}`).expect(503);
    const refreshed = await actor.client.post('/api/subscription-status/refresh').expect(503);
    for (const { body } of [response, refreshed]) {
      expect(body.code).toBe('BILLING_UNAVAILABLE');
      expect(body.message).not.toContain('charged');
    }
  });

  it('returns 503 in time when Stripe does not respond', async () => {
    const actor = await registerUser(billing.world);
    billing.stripe.injectFault(/./, 'silence', 100);
    const startedAt = Date.now();
    const { body } = await actor.client.post('/api/create-subscription').send(planRequest()).expect(503);
    expect(body.code).toBe('BILLING_UNAVAILABLE');
    expect(Date.now() - startedAt).toBeLessThan(20_000);
    billing.stripe.clearFaults();
    await billing.startCheckout(actor);
  });

  it('waits for a slow Stripe', async () => {
    const actor = await registerUser(billing.world);
    billing.stripe.injectFault(/^POST \/v1\/checkout/, { delayMs: 1500 });
    const responses = await runConcurrently(2, () => actor.client.post('/api/create-subscription').send(planRequest()));
    expect(countStatuses(responses)).toEqual({ 200: 2 });
    expect(responses[0]!.body.url).toBe(responses[1]!.body.url);
  });

  it('returns NO_SUBSCRIPTION on the free plan and PLAN_BY_AGREEMENT for an agreed plan', async () => {
    const actor = await registerUser(billing.world);
    const manage = () => actor.client.post('/api/manage-subscription').expect(409);
    expect((await manage()).body.code).toBe('NO_SUBSCRIPTION');
    await billing.query(`update users set plan = 'enterprise' where id = ?`, [actor.id]);
    expect((await manage()).body.code).toBe('PLAN_BY_AGREEMENT');
  });

  it('requires a signed-in user', async () => {
    const client = billing.world.createClient();
    await client.get('/api/subscription-status').expect(401);
    await client.post('/api/create-subscription').send(planRequest()).expect(401);
    await client.post('/api/manage-subscription').expect(401);
    await client.post('/api/subscription-status/refresh').expect(401);
  });
});

describeInProcess('Buying a plan with a given configuration', () => {
  let world: World;
  afterEach(() => world.close());

  it('returns 503 with a reason without a Stripe key, and everything else works', async () => {
    world = await World.open({ CONTACT_EMAIL: 'plans@example.com' });
    const actor = await registerUser(world);
    const requestBody = { planId: 'creator', billingInterval: 'monthly' };
    const { body } = await actor.client.post('/api/create-subscription').send(requestBody).expect(503);
    expect(body.code).toBe('BILLING_NOT_CONFIGURED');
    await actor.client.get('/api/subscription-status').expect(200);
    await actor.client.post('/api/subscription-status/refresh').expect(200);
    const { body: plans } = await world.createClient().get('/api/plans').expect(200);
    expect((plans as { intervals: string[] }[]).every(({ intervals }) => intervals.length === 0)).toBe(true);
    expect(plans[4]).toMatchObject({ id: 'enterprise', contactEmail: 'plans@example.com', monthlyPrice: null });
    await world.createClient().post('/api/webhooks/stripe').send({ id: 'evt_1' }).expect(503);
  });

  it('sells only plans with a price and reports the others', async () => {
    world = await World.open({ STRIPE_SECRET_KEY: 'sk_test_none', STRIPE_PRICE_CREATOR_MONTHLY: 'price_1' });
    const { body: plans } = await world.createClient().get('/api/plans').expect(200);
    const sold = (plans as { id: string; intervals: string[] }[]).map(({ id, intervals }) => [id, intervals]);
    expect(sold).toEqual([
      ['free', []],
      ['starter', []],
      ['creator', ['monthly']],
      ['pro-creator', []],
      ['enterprise', []],
    ]);
    const actor = await registerUser(world);
    const requestBody = { planId: 'creator', billingInterval: 'yearly' };
    const { body } = await actor.client.post('/api/create-subscription').send(requestBody).expect(503);
    expect(body.code).toBe('PRICE_NOT_CONFIGURED');
  });

  it('returns 503 with a reason for a key or price unknown to Stripe', async () => {
    const billing = await BillingWorld.open({ STRIPE_PRICE_STARTER_MONTHLY: 'price_gone' });
    world = billing.world;
    const actor = await registerUser(world);
    const subscribe = () =>
      actor.client.post('/api/create-subscription').send({ planId: 'starter', billingInterval: 'monthly' });
    expect((await subscribe().expect(503)).body.code).toBe('PRICE_NOT_CONFIGURED');
    billing.stripe.injectFault(/./, { status: 401 }, 100);
    expect((await subscribe().expect(503)).body.code).toBe('BILLING_NOT_CONFIGURED');
    await billing.stripe.close();
  });
});
