import { registerUser, type Actor } from '../../support/people/actors.js';
import { describeInProcess } from '../../support/world.js';
import { BillingWorld } from './billing-world.js';

describeInProcess('Stripe portal', () => {
  let billing: BillingWorld;
  beforeAll(async () => {
    billing = await BillingWorld.open();
  });
  afterEach(() => billing.stripe.clearFaults());
  afterAll(() => billing.close());

  const manage = (actor: Actor, requestBody?: object) =>
    actor.client.post('/api/manage-subscription').send(requestBody);
  const grant = async (actor: Actor, plan: string) => {
    await billing.query('insert into owner_plans (owner_id, granted_plan, updated_at) values (?, ?, now())', [
      actor.id,
      plan,
    ]);
    await billing.query('update users set plan = ? where id = ?', [plan, actor.id]);
  };
  const flow = (customer: string) => billing.account.portalFlows.get(customer);

  it('is not opened for an agreed plan whose owner only viewed a checkout', async () => {
    const actor = await registerUser(billing.world);
    await billing.startCheckout(actor);
    await grant(actor, 'pro-creator');
    expect((await billing.readSubscriptionStatus(actor)).can.manage).toBe(true);
    expect((await manage(actor).expect(409)).body.code).toBe('PLAN_BY_AGREEMENT');
    expect(billing.stripe.calls).not.toContain('POST /v1/billing_portal/sessions');
  });

  it('is not opened for a user who only viewed a checkout', async () => {
    const actor = await registerUser(billing.world);
    await billing.startCheckout(actor);
    expect(await billing.readSubscriptionStatus(actor)).toMatchObject({ hasInvoices: false, can: { manage: false } });
    expect((await manage(actor).expect(409)).body.code).toBe('NO_SUBSCRIPTION');
  });

  it('opens for a user who has paid, even before the event', async () => {
    const actor = await registerUser(billing.world);
    billing.account.completeCheckout(await billing.startCheckout(actor));
    expect((await manage(actor).expect(200)).body.url).toContain('/portal/cus_');
    billing.account.events.length = 0;
  });

  it('stays available for invoices after a subscription has ended', async () => {
    const actor = await billing.registerSubscriber('creator');
    const { customer, id } = actor.subscription;
    billing.account.failPayment(id);
    billing.account.createInvoice(customer, 'paid').status = 'draft';
    billing.account.cancelSubscription(id);
    await billing.deliverEvents();
    expect(await billing.readSubscriptionStatus(actor)).toMatchObject({
      plan: 'free',
      hasInvoices: true,
      can: { manage: true },
    });
    expect((await manage(actor).expect(200)).body.url).toContain(`/portal/${customer}`);
    const { body: invoices } = await actor.client.get('/api/user/invoices').expect(200);
    expect(invoices).toMatchObject([
      { amount: 799, currency: 'USD', status: 'open' },
      { amount: 799, currency: 'USD', status: 'paid' },
    ]);
    expect(Object.keys(invoices[0]).sort()).toEqual([
      'amount',
      'createdAt',
      'currency',
      'id',
      'number',
      'status',
      'url',
    ]);
    const other = await registerUser(billing.world);
    await other.client.get('/api/user/invoices').expect(200, []);
    await billing.world.createClient().get('/api/user/invoices').expect(401);
  });

  it('returns 503 while Stripe is unavailable, as do invoices', async () => {
    const actor = await billing.registerSubscriber('starter');
    billing.stripe.injectFault(/^GET \/v1\/invoices/, { status: 500 }, 5);
    expect((await actor.client.get('/api/user/invoices').expect(503)).body.code).toBe('BILLING_UNAVAILABLE');
  });

  it('opens at the chosen plan and interval', async () => {
    const actor = await billing.registerSubscriber('creator');
    const { customer, id, items } = actor.subscription;
    await manage(actor, { planId: 'pro-creator', billingInterval: 'yearly' }).expect(200);
    expect(flow(customer)).toMatchObject({
      type: 'subscription_update_confirm',
      subscription_update_confirm: { subscription: id, items: [{ id: items.data[0]!.id, price: 'price_pro_year' }] },
      after_completion: { type: 'redirect' },
    });
    await manage(actor, { planId: 'free' }).expect(200);
    expect(flow(customer)).toMatchObject({ type: 'subscription_cancel', subscription_cancel: { subscription: id } });
    // A second window that still offers the checkout leads to the portal as well.
    const requestBody = { planId: 'starter', billingInterval: 'monthly' };
    await actor.client.post('/api/create-subscription').send(requestBody).expect(200);
    expect(flow(customer)).toMatchObject({
      subscription_update_confirm: { items: [{ price: 'price_starter_month' }] },
    });
    for (const wrong of [{ planId: 'enterprise' }, { planId: 'starter', billingInterval: 'weekly' }, { price: 1 }]) {
      await manage(actor, wrong).expect(400);
    }
  });

  it.each([
    ['no plan was selected', {}, undefined],
    ['the current plan was selected', {}, { planId: 'creator', billingInterval: 'monthly' }],
    ['a payment is overdue', { status: 'past_due' }, { planId: 'starter' }],
    ['the subscription is already cancelled', { cancel_at_period_end: true }, { planId: 'free' }],
  ])('opens at its first page when %s', async (_what, change, requestBody) => {
    const actor = await billing.registerSubscriber('creator');
    billing.account.updateSubscription(actor.subscription.id, change);
    await manage(actor, requestBody).expect(200);
    expect(billing.account.portalFlows.has(actor.subscription.customer)).toBe(true);
    expect(flow(actor.subscription.customer)).toBeUndefined();
    await billing.deliverEvents();
  });
});

describeInProcess('Installation settings', () => {
  const requestBody = { planId: 'creator', billingInterval: 'monthly' };
  const readCheckoutOptions = async (env: Record<string, string>) => {
    const billing = await BillingWorld.open(env);
    try {
      const actor = await registerUser(billing.world);
      const { options } = billing.account.getSession(await billing.startCheckout(actor));
      const { allow_promotion_codes, automatic_tax, tax_id_collection, customer_update } = options;
      return { allow_promotion_codes, automatic_tax, tax_id_collection, customer_update };
    } finally {
      await billing.close();
    }
  };

  it('enable promotion codes, taxes and tax IDs at the checkout only when set', async () => {
    expect(await readCheckoutOptions({})).toEqual({});
    expect(
      await readCheckoutOptions({ STRIPE_PROMOTION_CODES: 'on', STRIPE_AUTOMATIC_TAX: 'on', STRIPE_TAX_IDS: 'on' }),
    ).toEqual({
      allow_promotion_codes: 'true',
      automatic_tax: { enabled: 'true' },
      tax_id_collection: { enabled: 'true' },
      customer_update: { address: 'auto', name: 'auto' },
    });
  });

  it('open the portal at its first page if it does not know the price', async () => {
    const billing = await BillingWorld.open({ STRIPE_PRICE_STARTER_MONTHLY: 'price_gone' });
    try {
      const actor = await billing.registerSubscriber('creator');
      await actor.client
        .post('/api/manage-subscription')
        .send({ ...requestBody, planId: 'starter' })
        .expect(200);
      expect(billing.stripe.countCalls(/billing_portal/)).toBe(2);
      expect(billing.account.portalFlows.get(actor.subscription.customer)).toBeUndefined();
    } finally {
      await billing.close();
    }
  });
});
