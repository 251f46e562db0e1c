import { registerUser, type Actor } from '../../support/people/actors.js';
import { describeInProcess } from '../../support/world.js';
import { BillingWorld } from './billing-world.js';

describeInProcess('Billing emails to subscribers', () => {
  let billing: BillingWorld;
  beforeAll(async () => {
    billing = await BillingWorld.open();
  });
  afterAll(() => billing.close());

  const listSubjects = async (actor: Actor) =>
    (await billing.world.listEmails(actor.email)).map(({ subject }) => subject).reverse();

  it('are sent when a plan starts and when it changes', async () => {
    const actor = await billing.registerSubscriber('starter');
    billing.account.renewSubscription(actor.subscription.id);
    await billing.deliverEvents();
    expect(await listSubjects(actor)).toEqual(['Your Starter plan has started']);
    billing.account.changePrice(actor.subscription.id, 'price_pro_month');
    await billing.deliverEvents();
    expect(await listSubjects(actor)).toEqual(['Your Starter plan has started', 'Your Pro Creator plan has started']);
    const mail = await billing.world.waitForEmail(actor.email, ({ subject }) => subject.includes('Starter'));
    expect(mail.text).toContain('It renews on ');
    expect(mail.text).toContain('/settings#plan');
  });

  it('are sent once per cancellation with the end date, unless it was withdrawn', async () => {
    const actor = await billing.registerSubscriber('creator');
    const { id } = actor.subscription;
    billing.account.updateSubscription(id, { cancel_at_period_end: true });
    await billing.deliverEvents();
    billing.account.updateSubscription(id, {});
    await billing.deliverEvents();
    const ends = (await listSubjects(actor)).filter((subject) => / ends on /.test(subject));
    expect(ends).toEqual([expect.stringMatching(/^Your Creator plan ends on \w+ \d+, \d{4}$/)]);
    billing.account.updateSubscription(id, { cancel_at_period_end: false });
    await billing.deliverEvents();
    billing.account.updateSubscription(id, { cancel_at_period_end: true });
    billing.account.updateSubscription(id, { cancel_at_period_end: false });
    await billing.deliverEvents();
    expect((await listSubjects(actor)).filter((subject) => / ends on /.test(subject))).toHaveLength(1);
  });

  it('report a successful payment only after reporting its failure', async () => {
    const actor = await billing.registerSubscriber('creator');
    const { id } = actor.subscription;
    billing.account.failPayment(id);
    await billing.deliverEvents();
    billing.account.payLatestInvoice(id);
    await billing.deliverEvents();
    expect((await listSubjects(actor)).slice(1)).toEqual([
      "Your payment didn't go through",
      'Your payment went through',
    ]);
    // The payment failed and succeeded before any email was sent, so there is nothing to report.
    billing.account.failPayment(id);
    billing.account.payLatestInvoice(id);
    await billing.deliverEvents();
    expect(await listSubjects(actor)).toHaveLength(3);
  });

  it("use the subscriber's language", async () => {
    const actor = await registerUser(billing.world);
    await billing.query(`update users set language = 'tr' where id = ?`, [actor.id]);
    const { id } = billing.account.completeCheckout(await billing.startCheckout(actor));
    await billing.deliverEvents();
    billing.account.updateSubscription(id, { cancel_at_period_end: true });
    await billing.deliverEvents();
    expect(await listSubjects(actor)).toEqual([
      'Creator planınız başladı',
      expect.stringMatching(/^Creator planınızın bitiş tarihi: \d+ \S+ \d{4}$/),
    ]);
  });
});

describeInProcess('GET /api/admin/billing', () => {
  let billing: BillingWorld;
  let admin: Actor;
  beforeAll(async () => {
    billing = await BillingWorld.open();
    admin = await registerUser(billing.world);
    await billing.query(`update users set role = 'admin' where id = ?`, [admin.id]);
  });
  afterAll(() => billing.close());

  const readBillingState = async () => (await admin.client.get('/api/admin/billing').expect(200)).body;

  it('lists users with several subscriptions', async () => {
    const actor = await billing.registerSubscriber('creator');
    expect(await readBillingState()).toMatchObject({ isConfigured: true, takesEvents: true, severalSubscriptions: [] });
    const second = billing.account.createSubscription(actor.subscription.customer, 'price_starter_month');
    await billing.deliverEvents();
    expect((await readBillingState()).severalSubscriptions).toEqual([
      { userId: actor.id, email: actor.email, live: 2 },
    ]);
    billing.account.cancelSubscription(second.id);
    await billing.deliverEvents();
    expect((await readBillingState()).severalSubscriptions).toEqual([]);
  });

  it('counts rejected webhooks and lists events with their outcome', async () => {
    const actor = await billing.registerSubscriber('creator');
    const before = (await readBillingState()).refused as number;
    const { body, headers } = billing.stripe.signEvent({ id: 'evt_forged', type: 'invoice.paid' });
    const forged = { ...headers, 'Stripe-Signature': 't=1,v1=00' };
    for (let i = 0; i < 2; i++) {
      const response = await fetch(`${billing.world.url}/api/webhooks/stripe`, {
        method: 'POST',
        headers: forged,
        body,
      });
      expect(response.status).toBe(400);
    }
    expect(await readBillingState()).toMatchObject({ refused: before + 2, lastRefusedAt: expect.any(String) });
    await billing.deliverEvents([billing.account.emitEvent('price.created', { id: 'price_x' })]);
    const listEvents = async (query: object) =>
      (await admin.client.get('/api/admin/billing/events').query(query).expect(200)).body as object[];
    expect(await listEvents({ outcome: 'unknown-type' })).toMatchObject([
      { type: 'price.created', outcome: 'unknown-type', userId: null, userEmail: null },
    ]);
    expect((await listEvents({ q: 'checkout.session.completed' }))[0]).toMatchObject({
      outcome: 'taken',
      userId: actor.id,
      userEmail: actor.email,
    });
    await admin.client.get('/api/admin/billing/events?outcome=odd').expect(400);
    for (const path of ['/api/admin/billing', '/api/admin/billing/events']) await actor.client.get(path).expect(403);
  });
});
