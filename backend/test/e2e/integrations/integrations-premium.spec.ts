import { Logger } from '@nestjs/common';
import { WebhookProcessingService } from '../../../src/modules/integrations/webhooks/webhook-processing.service.js';
import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../support/people/actors.js';
import { sendWebhook, buildPremiumEvent, WEBHOOK_SECRETS, buildStripeEvent } from '../../support/webhook-deliveries.js';
import { describeInProcess, World } from '../../support/world.js';
import { reauthenticate } from '../auth/account-helpers.js';

/** Id of the first zone in a new database. */
const PREMIUM_ZONE = 1;

describeInProcess('Premium service', () => {
  let world: World;
  let admin: Actor;
  let owner: Actor;
  let zone: TestZone;

  beforeAll(async () => {
    world = await World.open({
      ...WEBHOOK_SECRETS,
      ACEDUMY_ZONE_ID: String(PREMIUM_ZONE),
      STRIPE_ACEDUMY_PRICE_MONTHLY_USD: 'price_premium_monthly_usd',
      STRIPE_PRICE_STARTER_MONTHLY: 'price_starter',
    });
    owner = await registerUser(world);
    zone = await createZone(owner, { type: 'private' });
    expect(zone.id).toBe(PREMIUM_ZONE);
    admin = await registerUser(world);
    await world.testApp.em().execute('update users set is_super_admin = true where id = ?', [admin.id]);
  });
  afterAll(() => world.close());

  const isMember = async (email: string) => {
    const sql = 'select 1 from zone_members where zone_id = ? and email = ?';
    return (await world.testApp.em().execute(sql, [zone.id, email])).length === 1;
  };
  const uniqueCustomer = () => `${uniqueName('premium')}@example.com`;
  const searchLog = async (name: string, q: string) =>
    (await admin.client.get(`/api/${name}/webhook-logs`).query({ q }).expect(200)).body as Record<string, unknown>[];

  describe('with its own webhooks', () => {
    const send = async (...args: Parameters<typeof buildPremiumEvent>) => {
      await sendWebhook.acedumy(world, buildPremiumEvent(...args)).expect(200);
      await world.testApp.drain();
    };

    it('adds a customer and removes them', async () => {
      const email = uniqueCustomer();
      const subscriptionId = uniqueName('sub');
      await send('subscription.created', email, { subscriptionId });
      expect(await isMember(email)).toBe(true);
      await send('subscription.activated', email, { subscriptionId, occurredAt: '2026-11-01T10:00:01Z' });
      await send('subscription.expired', email, { subscriptionId, occurredAt: '2026-12-01T10:00:00Z' });
      expect(await isMember(email)).toBe(false);
      expect(await world.listEmails(email)).toHaveLength(1);
      await send('subscription.activated', email, { subscriptionId, occurredAt: '2026-12-05T10:00:00Z' });
      expect(await isMember(email)).toBe(true);
      const rows = await searchLog('acedumy', email);
      expect(rows).toHaveLength(4);
      expect(rows[3]).toMatchObject({
        event: 'subscription.created',
        subscriptionId,
        customerName: 'Nur Ak',
        status: 'completed',
      });
    });

    it('applies the latest event, whatever the order of delivery', async () => {
      const email = uniqueCustomer();
      const subscriptionId = uniqueName('sub');
      await send('subscription.cancelled', email, { subscriptionId, occurredAt: '2026-12-01T10:00:00Z' });
      await send('subscription.created', email, { subscriptionId });
      expect(await isMember(email)).toBe(false);
    });

    it('keeps a subscription with its first address when the invoice address changes', async () => {
      const [email, invoices] = [uniqueCustomer(), uniqueCustomer()];
      const subscriptionId = uniqueName('sub');
      await send('subscription.created', email, { subscriptionId });
      await send('subscription.activated', invoices, { subscriptionId, occurredAt: '2026-11-02T10:00:00Z' });
      expect([await isMember(email), await isMember(invoices)]).toEqual([true, false]);
      expect(await world.listEmails(invoices)).toEqual([]);
      await send('subscription.expired', invoices, { subscriptionId, occurredAt: '2026-11-03T10:00:00Z' });
      expect(await isMember(email)).toBe(false);
    });

    it('parses a body with a byte order mark', async () => {
      const email = uniqueCustomer();
      const body = `\uFEFF${JSON.stringify(buildPremiumEvent('subscription.created', email, { subscriptionId: uniqueName('sub') }))}`;
      await sendWebhook.acedumy(world, body).expect(200);
      await world.testApp.drain();
      expect(await isMember(email)).toBe(true);
    });

    it('names the missing field', async () => {
      const email = uniqueCustomer();
      const { occurredAt: _time, ...timeless } = buildPremiumEvent('subscription.created', email, {
        subscriptionId: uniqueName('s'),
      });
      await sendWebhook.acedumy(world, timeless).expect(200);
      const { subscriptionId: _id, ...nameless } = buildPremiumEvent('subscription.created', email, {
        subscriptionId: 's',
      });
      await sendWebhook.acedumy(world, nameless).expect(200);
      await world.testApp.drain();
      expect((await searchLog('acedumy', email)).map(({ errorMessage }) => errorMessage)).toEqual([
        'The field “subscriptionId” is missing.',
        'The field “occurredAt” is missing.',
      ]);
    });

    it('stores an identical body once and ignores unknown events', async () => {
      const email = uniqueCustomer();
      const subscriptionId = uniqueName('sub');
      await send('subscription.created', email, { subscriptionId });
      await send('subscription.created', email, { subscriptionId });
      await send('subscription.renamed', email, { subscriptionId });
      expect((await searchLog('acedumy', email)).map(({ errorCode }) => errorCode)).toEqual(['NOTHING_TO_DO', null]);
    });
  });

  describe('with Stripe webhooks', () => {
    const send = async (...args: Parameters<typeof buildStripeEvent>) => {
      await sendWebhook.stripeAcedumy(world, buildStripeEvent(...args)).expect(200);
      await world.testApp.drain();
    };
    const buildSubscription = (email: string, id: string, status: string) => ({
      id,
      status,
      metadata: { email, name: 'Nur Ak' },
    });

    it('adds members with a paid or trial subscription and removes them in other states', async () => {
      const email = uniqueCustomer();
      const id = uniqueName('sub');
      let second = 1_793_000_000;
      for (const [status, inside] of [
        ['incomplete', false],
        ['trialing', true],
        ['active', true],
        ['past_due', false],
        ['active', true],
        ['unpaid', false],
      ] as const) {
        await send('customer.subscription.updated', buildSubscription(email, id, status), ++second);
        expect([status, await isMember(email)]).toEqual([status, inside]);
      }
      await send('customer.subscription.updated', buildSubscription(email, id, 'active'), ++second);
      await send('customer.subscription.deleted', buildSubscription(email, id, 'canceled'), ++second);
      expect(await isMember(email)).toBe(false);
      const [row] = await searchLog('stripe-acedumy', email);
      expect(row).toMatchObject({
        plan: 'Monthly USD',
        priceId: 'price_premium_monthly_usd',
        customerId: 'cus_premium',
      });
      expect(row!.stripeEventId).toMatch(/^evt_/);
    });

    it('prefers the more final of two events in one second', async () => {
      const [paid, ended] = [uniqueCustomer(), uniqueCustomer()];
      const [first, second] = [uniqueName('sub'), uniqueName('sub')];
      await send('customer.subscription.updated', buildSubscription(paid, first, 'active'));
      await send('customer.subscription.created', buildSubscription(paid, first, 'incomplete'));
      expect(await isMember(paid)).toBe(true);
      await send('customer.subscription.deleted', buildSubscription(ended, second, 'canceled'));
      await send('customer.subscription.updated', buildSubscription(ended, second, 'active'));
      expect(await isMember(ended)).toBe(false);
    });

    it('rejects signatures older than five minutes', async () => {
      const body = buildStripeEvent(
        'customer.subscription.created',
        buildSubscription(uniqueCustomer(), uniqueName('sub'), 'active'),
      );
      const now = Math.floor(Date.now() / 1000);
      await sendWebhook.stripeAcedumy(world, body, { timestamp: String(now - 301) }).expect(401);
      await sendWebhook.stripeAcedumy(world, body, { timestamp: String(now - 200) }).expect(200);
    });

    it('grants nothing for a plan of this service, which may use the same account', async () => {
      const email = uniqueCustomer();
      const id = uniqueName('sub');
      const items = (...prices: string[]) => ({ items: { data: prices.map((price) => ({ price: { id: price } })) } });
      const plan = { ...buildSubscription(email, id, 'active'), ...items('price_starter') };
      await send('customer.subscription.created', plan);
      expect(await isMember(email)).toBe(false);
      expect((await searchLog('stripe-acedumy', email))[0]).toMatchObject({
        status: 'completed',
        errorCode: 'OTHER_PRICE',
      });
      const both = { ...plan, ...items('price_starter', 'price_premium_monthly_usd') };
      await send('customer.subscription.updated', both, 1_793_000_001);
      expect(await isMember(email)).toBe(true);
      await send('customer.subscription.updated', { ...plan, status: 'canceled' }, 1_793_000_002);
      expect(await isMember(email)).toBe(false);
    });

    it('grants nothing for other products of the account when a price is configured', async () => {
      const email = uniqueCustomer();
      const id = uniqueName('sub');
      const other = { items: { data: [{ price: { id: 'price_of_another_product' } }] } };
      await send('customer.subscription.created', { ...buildSubscription(email, id, 'active'), ...other });
      expect(await isMember(email)).toBe(false);
      expect((await searchLog('stripe-acedumy', email))[0]).toMatchObject({
        status: 'completed',
        errorCode: 'OTHER_PRICE',
        plan: null,
        priceId: 'price_of_another_product',
      });
      const none = { ...buildSubscription(email, uniqueName('sub'), 'active'), items: { data: [] } };
      await send('customer.subscription.created', none);
      expect(await isMember(email)).toBe(false);
    });

    it('fails for an impossible time without retrying', async () => {
      for (const [created, errorCode] of [
        [1e18, 'WRONG_FIELD'],
        [-5, 'WRONG_FIELD'],
        [Number.NaN, 'MISSING_FIELD'],
      ] as const) {
        const id = uniqueName('sub');
        await send('customer.subscription.created', buildSubscription(uniqueCustomer(), id, 'active'), created);
        const { body } = await admin.client.get('/api/stripe-acedumy/webhook-logs?perPage=1').expect(200);
        expect(body[0]).toMatchObject({ status: 'failed', errorCode, errorField: 'created' });
      }
    });

    it('fails when the customer cannot be identified', async () => {
      const id = uniqueName('sub');
      await send('customer.subscription.created', { id, status: 'active' });
      const [row] = await searchLog('stripe-acedumy', id);
      expect(row).toMatchObject({ status: 'failed', errorCode: 'NO_EMAIL' });
    });
  });

  it('fails with a reason while the zone is missing, and a replay repairs it', async () => {
    const email = uniqueCustomer();
    const em = world.testApp.em();
    await em.execute('update zones set deleted_at = now() where id = ?', [zone.id]);
    await sendWebhook
      .acedumy(world, buildPremiumEvent('subscription.created', email, { subscriptionId: uniqueName('sub') }))
      .expect(200);
    await world.testApp.drain();
    const [row] = await searchLog('acedumy', email);
    expect(row).toMatchObject({ status: 'failed', errorCode: 'ZONE_GONE' });
    await em.execute('update zones set deleted_at = null where id = ?', [zone.id]);
    await admin.client.post(`/api/acedumy/webhook-logs/${row!.id}/replay`).expect(200);
    await world.testApp.drain();
    expect(await isMember(email)).toBe(true);
  });
});

describeInProcess('Premium service whose zone is deleted', () => {
  let world: World;
  let admin: Actor;
  let owner: Actor;

  beforeEach(async () => {
    world = await World.open({ ...WEBHOOK_SECRETS, ACEDUMY_ZONE_ID: String(PREMIUM_ZONE) });
    owner = await registerUser(world);
    expect((await createZone(owner, { type: 'private' })).id).toBe(PREMIUM_ZONE);
    admin = await registerUser(world);
    await world.testApp.em().execute('update users set is_super_admin = true where id = ?', [admin.id]);
  });
  afterEach(() => world.close());

  const buy = async (email: string) => {
    await sendWebhook
      .acedumy(world, buildPremiumEvent('subscription.created', email, { subscriptionId: uniqueName('sub') }))
      .expect(200);
    await world.testApp.drain();
  };
  const readNewestLog = async () => (await admin.client.get('/api/acedumy/webhook-logs').expect(200)).body[0];
  const listOrders = async () => (await admin.client.get('/api/admin/integrations/attention').expect(200)).body.orders;

  it('warns the owner and the super admin before deletion', async () => {
    for (const [client, path] of [
      [owner.client, `/api/zones/${PREMIUM_ZONE}`],
      [admin.client, `/api/admin/zones/${PREMIUM_ZONE}`],
    ] as const) {
      await reauthenticate(admin);
      const { body } = await client.delete(path).expect(409);
      expect(body.code).toBe('ZONE_IN_USE');
      expect(body.message).toContain('the premium service (ACEDUMY_ZONE_ID)');
    }
    await owner.client.delete(`/api/zones/${PREMIUM_ZONE}?evenIfUsed=true`).expect(204);
  });

  it('fails webhooks with the reason and notifies super admins', async () => {
    await owner.client.delete(`/api/zones/${PREMIUM_ZONE}?evenIfUsed=true`).expect(204);
    await world.testApp.drain();
    await buy('nur@example.com');
    expect(await readNewestLog()).toMatchObject({ status: 'failed', errorCode: 'ZONE_GONE' });
    expect(await listOrders()).toMatchObject([{ source: 'acedumy', kind: 'failed', count: 1 }]);
    const mail = await world.waitForEmail(
      admin.email,
      ({ subject }) => subject === 'An order has failed or is waiting',
    );
    expect(mail.text).toContain('The zone no longer exists.');
  });

  it('keeps earlier failures when the zone is deleted afterwards', async () => {
    await world.testApp.em().execute('update zones set deleted_at = now() where id = ?', [PREMIUM_ZONE]);
    await buy('nur@example.com');
    await world.testApp.em().execute('update zones set deleted_at = null where id = ?', [PREMIUM_ZONE]);
    await owner.client.delete(`/api/zones/${PREMIUM_ZONE}?evenIfUsed=true`).expect(204);
    await world.testApp.drain();
    expect(await listOrders()).toMatchObject([{ source: 'acedumy', kind: 'failed', count: 1 }]);
  });

  it('records an internal error even if the notification cannot be recorded', async () => {
    const em = world.testApp.em();
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    await em.execute('alter table order_troubles add constraint refuses check (false) not valid');
    await em.execute('alter table entitlements add constraint refuses check (false) not valid');
    await sendWebhook
      .acedumy(world, buildPremiumEvent('subscription.created', 'nur@example.com', { subscriptionId: 's' }))
      .expect(200);
    const [remaining] = await em.execute<{ id: string }[]>('select id from integration_webhooks');
    const context = { id: 1, attempt: 3, isLastAttempt: true, signal: new AbortController().signal };
    const processing = world.testApp.app.get(WebhookProcessingService);
    await expect(processing.handleProcessWebhookJob({ webhookId: Number(remaining!.id) }, context)).rejects.toThrow(
      '"entitlements"',
    );
    expect(await readNewestLog()).toMatchObject({ status: 'failed', errorCode: 'INTERNAL' });
    expect(logged.mock.calls.map(([, text]: unknown[]) => text)).toEqual([
      "Couldn't record a failed webhook and whom to notify.",
    ]);
    logged.mockRestore();
  });
});

describeInProcess('Premium service without a price', () => {
  it('grants access for every Stripe subscription except plans of this service', async () => {
    const world = await World.open({
      ...WEBHOOK_SECRETS,
      ACEDUMY_ZONE_ID: '1',
      STRIPE_PRICE_STARTER_MONTHLY: 'price_starter',
    });
    try {
      const owner = await registerUser(world);
      await createZone(owner, { type: 'private' });
      const buy = async (price: string) => {
        const email = `${uniqueName('premium')}@example.com`;
        const items = { data: [{ price: { id: price } }] };
        const subscription = { id: uniqueName('sub'), status: 'active', metadata: { email }, items };
        await sendWebhook
          .stripeAcedumy(world, buildStripeEvent('customer.subscription.created', subscription))
          .expect(200);
        await world.testApp.drain();
        return (await world.testApp.em().execute('select 1 from zone_members where email = ?', [email])).length;
      };
      expect([await buy('price_of_anything'), await buy('price_starter')]).toEqual([1, 0]);
    } finally {
      await world.close();
    }
  });
});

describeInProcess('Premium service without a zone', () => {
  it('fails with a reason', async () => {
    const world = await World.open(WEBHOOK_SECRETS);
    try {
      const admin = await registerUser(world);
      await world.testApp.em().execute('update users set is_super_admin = true where id = ?', [admin.id]);
      const body = buildPremiumEvent('subscription.created', 'nur@example.com', { subscriptionId: 'sub_1' });
      await sendWebhook.acedumy(world, body).expect(200);
      await world.testApp.drain();
      const { body: rows } = await admin.client.get('/api/acedumy/webhook-logs').expect(200);
      expect(rows).toMatchObject([{ status: 'failed', errorCode: 'ZONE_NOT_CONFIGURED' }]);
      const info = await admin.client.get('/api/acedumy/integration-info').expect(200);
      expect(info.body).toMatchObject({ isConfigured: true, zoneId: null, secretVariable: 'ACEDUMY_WEBHOOK_SECRET' });
    } finally {
      await world.close();
    }
  });
});
