import { createZone, registerUser, uniqueName, type Actor } from '../../support/people/actors.js';
import {
  sendWebhook,
  buildOrder,
  buildPremiumEvent,
  WEBHOOK_SECRETS,
  buildStripeEvent,
} from '../../support/webhook-deliveries.js';
import { describeInProcess, World } from '../../support/world.js';

const SENDERS = ['woocommerce', 'acedumy', 'stripe-acedumy'];

describeInProcess('Purchase webhooks', () => {
  let world: World;
  let superAdmin: Actor;
  let admin: Actor;

  beforeAll(async () => {
    world = await World.open(WEBHOOK_SECRETS);
    superAdmin = await registerUser(world);
    admin = await registerUser(world);
    const em = world.testApp.em();
    await em.execute('update users set is_super_admin = true where id = ?', [superAdmin.id]);
    await em.execute(`update users set role = 'admin' where id = ?`, [admin.id]);
  });
  afterAll(() => world.close());

  const countWebhooks = async () => (await world.testApp.em().execute('select 1 from integration_webhooks')).length;
  const samples = {
    woocommerce: () => sendWebhook.woocommerce(world, buildOrder({ id: 5, email: 'nur@example.com' })),
    acedumy: () =>
      sendWebhook.acedumy(world, buildPremiumEvent('subscription.created', 'nur@example.com', { subscriptionId: 's' })),
    'stripe-acedumy': () =>
      sendWebhook.stripeAcedumy(world, buildStripeEvent('customer.subscription.created', { id: 's' })),
  };
  const headers = ['X-WC-Webhook-Signature', 'X-AcEdumy-Signature', 'Stripe-Signature'];

  it.each(SENDERS)('are rejected and only counted if the signature of %s is wrong or missing', async (sender) => {
    const before = await countWebhooks();
    for (const value of ['', 'wrong', 'a'.repeat(64), 't=1,v1=00', 'ı']) {
      const request = samples[sender as keyof typeof samples]();
      for (const header of headers) request.unset(header);
      if (value) for (const header of headers) request.set(header, Buffer.from(value).toString('latin1'));
      const { body } = await request.expect(401);
      expect(body.code).toBe('WEBHOOK_NOT_SIGNED');
    }
    expect(await countWebhooks()).toBe(before);
    const { body } = await admin.client.get(`/api/${sender}/webhook-logs/summary`).expect(200);
    expect(body).toMatchObject({ total: 0, refused: 5 });
  });

  it('are rejected if the bytes differ from those signed', async () => {
    const body = buildOrder({ id: 6, email: 'nur@example.com' });
    await sendWebhook
      .woocommerce(world, body)
      .send(`${JSON.stringify(body)} `)
      .expect(401);
  });

  it('are rejected above 5 MB', async () => {
    const body = { ...buildOrder({ id: 7, email: 'nur@example.com' }), note: 'x'.repeat(5 * 1024 * 1024) };
    await sendWebhook.woocommerce(world, body).expect(413);
  });

  it('return 503 if the sender has no secret', async () => {
    const other = await World.open();
    try {
      const { body } = await sendWebhook.acedumy(other, {}).expect(503);
      expect(body.code).toBe('INTEGRATION_NOT_CONFIGURED');
    } finally {
      await other.close();
    }
  });

  it('are visible to admins only: 403 for users, 401 for visitors', async () => {
    const user = await registerUser(world);
    const routes = SENDERS.flatMap((sender) => [
      `GET /api/${sender}/webhook-logs`,
      `GET /api/${sender}/webhook-logs/summary`,
      `GET /api/${sender}/webhook-logs/1`,
      `POST /api/${sender}/webhook-logs/1/replay`,
      `POST /api/${sender}/webhook-logs/replay`,
      `POST /api/${sender}/entitlements/1/revoke`,
      `POST /api/${sender}/entitlements/1/restore`,
      `GET /api/${sender}/integration-info`,
    ]);
    routes.push('GET /api/woocommerce/product-mappings', 'POST /api/woocommerce/product-mappings');
    routes.push('DELETE /api/woocommerce/product-mappings/1', 'GET /api/woocommerce/zones');
    routes.push('PATCH /api/woocommerce/product-mappings/1');
    for (const route of routes) {
      const [method, path] = route.split(' ') as ['GET' | 'POST' | 'PATCH' | 'DELETE', string];
      const sendRequest = ({ client }: { client: Actor['client'] }) =>
        ({
          GET: () => client.get(path),
          POST: () => client.post(path).send({}),
          PATCH: () => client.patch(path).send({}),
          DELETE: () => client.delete(path),
        })[method]();
      expect([route, (await sendRequest(user)).status]).toEqual([route, 403]);
      expect([route, (await sendRequest({ client: world.createClient() })).status]).toEqual([route, 401]);
    }
  });

  it('show the customer to super admins only', async () => {
    const email = `${uniqueName('buyer')}@example.com`;
    await sendWebhook.woocommerce(world, buildOrder({ id: 8, email })).expect(200);
    await world.testApp.drain();
    const { body: rows } = await admin.client.get('/api/woocommerce/webhook-logs').query({ q: email }).expect(200);
    const path = `/api/woocommerce/webhook-logs/${rows[0].id}`;
    const { body: masked } = await admin.client.get(path).expect(200);
    expect(masked.masked).toBe(true);
    for (const secret of [email, 'Nur', '+90', 'Sample street']) expect(masked.body).not.toContain(secret);
    expect(masked.body).toContain('Product 71');
    const { body: whole } = await superAdmin.client.get(path).expect(200);
    expect(JSON.parse(whole.body).billing.email).toBe(email);
    await admin.client.get(`/api/acedumy/webhook-logs/${rows[0].id}`).expect(404);
    await admin.client.post(`/api/acedumy/webhook-logs/${rows[0].id}/replay`).expect(404);
  });

  it('are filtered, sorted and paginated', async () => {
    const email = `${uniqueName('page')}@example.com`;
    for (const id of [901, 902, 903]) await sendWebhook.woocommerce(world, buildOrder({ id, email })).expect(200);
    await world.testApp.drain();
    const listPage = (query: object) => admin.client.get('/api/woocommerce/webhook-logs').query({ q: email, ...query });
    const first = await listPage({ perPage: 2, sort: 'orderId', order: 'asc' }).expect(200);
    expect(first.headers['x-total-count']).toBe('3');
    expect(first.body.map((row: { orderId: string }) => row.orderId)).toEqual(['901', '902']);
    const second = await listPage({ perPage: 2, page: 2, sort: 'orderId', order: 'asc' }).expect(200);
    expect(second.body.map((row: { orderId: string }) => row.orderId)).toEqual(['903']);
    expect((await listPage({ id: second.body[0].id }).expect(200)).body).toEqual(second.body);
    expect((await listPage({ status: 'failed' }).expect(200)).body).toEqual([]);
    expect((await listPage({ status: 'all' }).expect(200)).body).toHaveLength(3);
    expect((await listPage({ q: '%' }).expect(200)).body).toEqual([]);
    const wrong = [
      { sort: 'constructor' },
      { perPage: 0 },
      { page: 'x' },
      { status: 'odd' },
      { order: 'up' },
      { id: 0 },
    ];
    for (const query of wrong) await listPage(query).expect(400);
  });

  it('are found by customer, ignoring case and Turkish letters, and by whole numbers', async () => {
    const email = `${uniqueName('IPEK')}@example.com`;
    const body = buildOrder({ id: 77_001, email });
    Object.assign(body.billing, { first_name: 'İpek', last_name: 'Işık' });
    await sendWebhook.woocommerce(world, body).expect(200);
    await world.testApp.drain();
    const find = async (q: string) =>
      (await admin.client.get('/api/woocommerce/webhook-logs').query({ q }).expect(200)).body as { orderId: string }[];
    for (const q of ['ipek ışık', 'İPEK IŞIK', email.toLowerCase(), '77001', ' 77001 ']) {
      expect([q, (await find(q)).map(({ orderId }) => orderId)]).toEqual([q, ['77001']]);
    }
    for (const q of ['7700', 'ip_k', '%']) expect([q, await find(q)]).toEqual([q, []]);
  });

  it('are summarised', async () => {
    const readSummary = async () => (await admin.client.get('/api/woocommerce/webhook-logs/summary').expect(200)).body;
    const before = await readSummary();
    await sendWebhook.woocommerce(world, buildOrder({ id: 77_002, email: null })).expect(200);
    await sendWebhook.woocommerce(world, buildOrder({ id: 77_003, email: 'sum@example.com' })).expect(200);
    const received = await readSummary();
    expect(received).toMatchObject({ total: before.total + 2, pending: before.pending + 2 });
    await world.testApp.drain();
    expect(await readSummary()).toEqual({
      ...before,
      total: before.total + 2,
      successful: before.successful + 1,
      failed: before.failed + 1,
      lastReceivedAt: received.lastReceivedAt,
    });
    const { body: newest } = await admin.client.get('/api/woocommerce/webhook-logs?perPage=1').expect(200);
    expect(received.lastReceivedAt).toBe(newest[0].createdAt);
  });

  it('lose their personal data when the account is deleted', async () => {
    const member = await registerUser(world);
    await sendWebhook.woocommerce(world, buildOrder({ id: 10, email: member.email })).expect(200);
    await world.testApp.drain();
    const { body: rows } = await admin.client
      .get('/api/woocommerce/webhook-logs')
      .query({ q: member.email })
      .expect(200);
    const exported = await member.client.get('/api/user/export').expect(200);
    expect(JSON.stringify(exported.body)).toContain('purchaseWebhooks');
    await member.client.delete('/api/user').send({ password: member.password }).expect(204);
    await world.testApp.drain();
    const path = `/api/woocommerce/webhook-logs/${rows[0].id}`;
    expect((await superAdmin.client.get(path).expect(200)).body.body).toBeNull();
    const { body } = await admin.client.post(`${path}/replay`).expect(409);
    expect(body.code).toBe('WEBHOOK_DATA_GONE');
  });
});

describeInProcess('Product mappings', () => {
  let world: World;
  let admin: Actor;
  beforeAll(async () => {
    world = await World.open();
    admin = await registerUser(world);
    await world.testApp.em().execute(`update users set role = 'admin' where id = ?`, [admin.id]);
  });
  afterAll(() => world.close());

  const path = '/api/woocommerce/product-mappings';

  it('are created once, listed and deleted', async () => {
    const zone = await createZone(await registerUser(world));
    const mapping = { productId: '42', productName: 'Kurs', zoneId: zone.id };
    const { body } = await admin.client.post(path).send(mapping).expect(201);
    expect(body).toMatchObject({ ...mapping, zoneName: zone.name, isActive: true });
    const twins = await Promise.all([1, 2, 3].map(() => admin.client.post(path).send({ ...mapping, productId: '43' })));
    expect(twins.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const list = await admin.client.get(path).query({ sort: 'productId', order: 'asc' }).expect(200);
    expect(list.headers['x-total-count']).toBe('2');
    expect(list.body.map((row: { productId: string }) => row.productId)).toEqual(['42', '43']);
    await admin.client.delete(`${path}/${body.id}`).expect(204);
    await admin.client.delete(`${path}/${body.id}`).expect(404);
  });

  it.each([
    [{ productName: 'a', zoneId: 1 }, 'productId', 'Please enter the product id'],
    [{ productId: null, productName: 'a', zoneId: 1 }, 'productId', 'Please enter the product id'],
    [{ productId: '', productName: 'a', zoneId: 1 }, 'productId', 'Please enter the product id'],
    [{ productId: [42], productName: 'a', zoneId: 1 }, 'productId', 'The product id must be text, such as "42"'],
    [{ productId: 'x'.repeat(65), productName: 'a', zoneId: 1 }, 'productId', 'The product id is too long'],
    [{ productId: '1', zoneId: 1 }, 'productName', 'Please enter the product name'],
    [{ productId: '1', productName: 7, zoneId: 1 }, 'productName', 'The product name must be text'],
    [{ productId: '1', productName: 'a' }, 'zoneId', 'Please choose a zone'],
    [{ productId: '1', productName: 'a', zoneId: '1' }, 'zoneId', 'The zone must be given by its id, a number'],
    [{ productId: '1', productName: 'a', zoneId: 1.5 }, 'zoneId', 'The zone must be given by its id, a number'],
    [{ productId: '1', productName: 'a', zoneId: 1, more: true }, 'more', 'Unknown field.'],
  ])('are rejected with the invalid field: %j', async (mapping, field, sentence) => {
    const { body } = await admin.client.post(path).send(mapping).expect(400);
    expect(body.errors).toEqual({ [field]: [sentence] });
  });

  it('are rejected with a name of two lines', async () => {
    await admin.client.post(path).send({ productId: '1', productName: 'a\nb', zoneId: 1 }).expect(400);
  });

  it('require an existing zone', async () => {
    const { body } = await admin.client
      .post(path)
      .send({ productId: '1', productName: 'a', zoneId: 999_999 })
      .expect(404);
    expect(body.code).toBe('MAPPING_ZONE_NOT_FOUND');
  });

  it('find zones by part of the name and by ID', async () => {
    const zone = await createZone(await registerUser(world), { name: uniqueName('Ürünler 100%') });
    for (const q of [zone.name.slice(2), zone.name.toUpperCase(), String(zone.id), '100%']) {
      const { body } = await admin.client.get('/api/woocommerce/zones').query({ q }).expect(200);
      expect(body).toContainEqual(expect.objectContaining({ id: zone.id, name: zone.name }));
    }
  });
});
