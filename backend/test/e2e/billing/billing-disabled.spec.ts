import { createZone, registerUser, uniqueName, type Actor } from '../../support/people/actors.js';
import { describeInProcess } from '../../support/world.js';
import { makeSuperAdmin } from '../admin/staff-helpers.js';
import { BillingWorld } from './billing-world.js';

describeInProcess('Installation without sales', () => {
  let billing: BillingWorld;
  let admin: Actor;
  let buyer: Awaited<ReturnType<BillingWorld['registerSubscriber']>>;
  let other: Actor;
  beforeAll(async () => {
    billing = await BillingWorld.open({ CONTACT_EMAIL: 'ask@example.org' });
    admin = await registerUser(billing.world);
    await makeSuperAdmin(billing.world, admin);
    buyer = await billing.registerSubscriber('creator');
    other = await registerUser(billing.world);
    await admin.client.patch('/api/admin/installation').send({ purpose: 'own' }).expect(200);
    await billing.drainToleratingFailures();
  });
  afterAll(() => billing.close());

  const manage = (actor: Actor, requestBody?: object) =>
    actor.client.post('/api/manage-subscription').send(requestBody);
  const buy = (actor: Actor) =>
    actor.client.post('/api/create-subscription').send({ planId: 'pro-creator', billingInterval: 'monthly' });

  it('shows no prices or plans and enforces no limits', async () => {
    const visitor = billing.world.createClient();
    expect((await visitor.get('/api/plans').expect(200)).body).toEqual([]);
    expect((await visitor.get('/api/site').expect(200)).body.sells).toBe(false);
    expect((await visitor.get('/sitemap.xml').expect(200)).text).not.toContain('/pricing');
    await createZone(other);
    await other.client
      .post('/api/zones')
      .send({ name: uniqueName('Zone'), type: 'private' })
      .expect(201);
    expect(await billing.readSubscriptionStatus(other)).toMatchObject({
      plan: 'enterprise',
      heldBy: null,
      can: { upgrade: false, buy: [], manage: false },
    });
    expect(Object.values(await billing.readUsage(other)).map(({ allowed }) => allowed)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('sells nothing, even to former buyers', async () => {
    const before = billing.stripe.calls.length;
    for (const actor of [buyer, other, admin]) {
      expect((await buy(actor).expect(409)).body).toMatchObject({
        code: 'NOTHING_SOLD',
        message: "This site doesn't sell plans.",
      });
      expect((await manage(actor, { planId: 'pro-creator' }).expect(409)).body.code).toBe('NOTHING_SOLD');
    }
    expect((await manage(other).expect(409)).body.code).toBe('NOTHING_SOLD');
    expect(billing.stripe.calls.slice(before)).toEqual([]);
  });

  it('lets subscribers see their plan and cancel it', async () => {
    expect(await billing.readSubscriptionStatus(buyer)).toMatchObject({
      plan: 'enterprise',
      subscription: { plan: 'creator' },
      hasInvoices: true,
      can: { upgrade: false, buy: [], manage: true },
    });
    expect((await manage(buyer).expect(200)).body.url).toContain('/portal/cus_');
    expect((await manage(buyer, { planId: 'free' }).expect(200)).body.url).toContain('/portal/cus_');
    expect((await buyer.client.get('/api/user/invoices').expect(200)).body).toHaveLength(1);
  });

  it('links subscribers to their settings instead of the pricing page', async () => {
    const portal = new URL((await manage(buyer).expect(200)).body.url).pathname.split('/').at(-1)!;
    expect(billing.account.portalReturnUrls.get(portal)).toMatch(/\/settings#plan$/);
    billing.account.failPayment(buyer.subscription.id);
    await billing.deliverEvents();
    const { text } = await billing.world.waitForEmail(buyer.email, ({ subject }) =>
      subject.includes("didn't go through"),
    );
    expect(text).toContain('/settings#plan');
    expect(text).not.toContain('/pricing');
  });
});
