import { register, type Actor } from '../support/actors.js';
import { describeInProcess } from '../support/world.js';
import { BillingWorld } from './billing-world.js';

describeInProcess('when something is wrong at Stripe', () => {
  let billing: BillingWorld;
  beforeAll(async () => {
    billing = await BillingWorld.open();
  });
  afterEach(() => billing.stripe.heal());
  afterAll(() => billing.close());

  const buy = (actor: Actor, planId = 'creator') =>
    actor.client.post('/api/create-subscription').send({ planId, billingInterval: 'monthly' });
  const manage = (actor: Actor) => actor.client.post('/api/manage-subscription');
  const refresh = (actor: Actor) => actor.client.post('/api/subscription-status/refresh');

  /** What may stand between us and Stripe, or come back from it. */
  const rubbish = [
    '<html>Please sign in to the network</html>',
    '',
    '{',
    '{}',
    'null',
    '[]',
    '"yes"',
    '{"object":"list"}',
  ];

  it.each(rubbish)('%j for an answer changes nothing, and is told as an outage', async (says) => {
    const [newcomer, subscriber] = [await register(billing.world), await billing.subscriber('creator')];
    const before = await billing.status(subscriber);
    const session = await billing.checkout(await register(billing.world));
    billing.stripe.fail(/./, { says }, 100);
    const answers = [
      await buy(newcomer),
      await refresh(subscriber),
      await manage(subscriber),
      await newcomer.client.get(`/api/checkout-session/${session}`),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([503, 'BILLING_UNAVAILABLE']));
    billing.stripe.heal();
    expect(await billing.status(subscriber)).toEqual(before);
    await newcomer.client.get('/api/user').expect(200);
    await billing.checkout(newcomer);
  });

  it.each(rubbish)('an event that is followed by %j is worked off later', async (says) => {
    const actor = await billing.subscriber('creator');
    billing.account.end(actor.subscription.id);
    billing.stripe.fail(/./, { says, status: 502 }, 100);
    await billing.deliver();
    expect((await billing.status(actor)).plan).toBe('creator');
    billing.stripe.heal();
    billing.world.inside.clock.advance(60_000);
    await billing.drainTolerantly();
    expect((await billing.status(actor)).plan).toBe('free');
  });

  it('a customer that was deleted there, of which nobody was told, has nothing to manage and can buy again', async () => {
    const actor = await billing.subscriber('creator');
    billing.account.deleteCustomer(actor.subscription.customer);
    billing.account.events.length = 0;
    expect((await manage(actor).expect(409)).body.code).toBe('NO_SUBSCRIPTION');
    expect(await billing.status(actor)).toMatchObject({ plan: 'free', subscription: null });
    await billing.checkout(actor);
  });

  it('a portal that is not set up is an outage, and the plan stays', async () => {
    const actor = await billing.subscriber('creator');
    billing.stripe.fail(/^POST \/v1\/billing_portal/, { status: 400 }, 100);
    for (const answer of [await manage(actor), await buy(actor, 'starter')]) {
      expect([answer.status, answer.body.code]).toEqual([503, 'BILLING_UNAVAILABLE']);
    }
    expect((await billing.status(actor)).plan).toBe('creator');
  });

  it('a customer that it does not know at all keeps the plan and is told of an outage', async () => {
    const actor = await billing.subscriber('creator');
    billing.account.customers.delete(actor.subscription.customer);
    for (const answer of [await manage(actor), await buy(actor)]) {
      expect([answer.status, answer.body.code]).toEqual([503, 'BILLING_UNAVAILABLE']);
    }
    expect((await billing.status(actor)).plan).toBe('creator');
  });
});

describeInProcess('a subscription', () => {
  let billing: BillingWorld;
  let admin: Actor;
  beforeAll(async () => {
    billing = await BillingWorld.open();
    admin = await register(billing.world);
    await billing.execute('update users set is_super_admin = true where id = ?', [admin.id]);
  });
  afterAll(() => billing.close());

  const grant = (actor: Actor, plan: string) =>
    admin.client.patch(`/api/admin/users/${actor.id}/plan`).send({ plan }).expect(200);
  const buy = (actor: Actor, planId: string) =>
    actor.client.post('/api/create-subscription').send({ planId, billingInterval: 'monthly' });

  it('is not sold to somebody who has that plan or a larger one by agreement', async () => {
    const actor = await register(billing.world);
    await grant(actor, 'creator');
    const customers = billing.account.customers.size;
    for (const plan of ['starter', 'creator']) {
      expect((await buy(actor, plan).expect(409)).body.code).toBe('PLAN_INCLUDED');
    }
    expect(billing.account.customers.size).toBe(customers);
    expect((await billing.status(actor)).can.buy).toEqual(['pro-creator']);
    billing.account.pay(await billing.checkout(actor, 'pro-creator'));
    await billing.deliver();
    expect(await billing.status(actor)).toMatchObject({ plan: 'pro-creator', heldBy: 'subscription' });
  });

  it('is managed all the same by whoever gets a larger plan by agreement, and not bought again after it', async () => {
    const actor = await billing.subscriber('starter');
    await grant(actor, 'pro-creator');
    expect((await buy(actor, 'creator').expect(200)).body.url).toContain('/portal/');
    billing.account.end(actor.subscription.id);
    await billing.deliver();
    expect((await buy(actor, 'creator').expect(409)).body.code).toBe('PLAN_INCLUDED');
    await grant(actor, 'free');
    await billing.checkout(actor, 'creator');
  });

  it.each([
    ['canceled', 'Your subscription has ended.'],
    ['unpaid', 'As soon as it is paid, your plan is back.'],
    ['incomplete', 'As soon as it is paid, your plan is back.'],
  ])('that becomes %s is told as what it is', async (status, sentence) => {
    const actor = await billing.subscriber('creator');
    billing.account.change(actor.subscription.id, { status });
    await billing.deliver();
    const { text } = await billing.world.mailTo(actor.email, ({ subject }) => /free plan now/.test(subject));
    expect(text).toContain(sentence);
    expect(text).toContain('Everything in your zones stays');
  });
});
