import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../support/people/actors.js';
import { sendWebhook, buildOrder, WEBHOOK_SECRETS } from '../../support/webhook-deliveries.js';
import { describeInProcess, type World } from '../../support/world.js';
import { SmtpSink, openWorldWithSink } from '../campaigns/campaign-helpers.js';

const wrong = ['WRONG_FIELD', 'date_modified_gmt'] as const;
const unnamed = ['MISSING_FIELD', 'line_items.product_id'] as const;

describeInProcess('WooCommerce webhooks', () => {
  let sink: SmtpSink;
  let world: World;
  let admin: Actor;
  let owner: Actor;
  let zone: TestZone;
  let product: number;
  let nextOrder = 1000;

  beforeAll(async () => {
    sink = await SmtpSink.listen();
    world = await openWorldWithSink(sink, WEBHOOK_SECRETS);
    admin = await registerUser(world);
    await world.testApp.em().execute('update users set is_super_admin = true where id = ?', [admin.id]);
  });
  beforeEach(async () => {
    owner = await registerUser(world);
    zone = await createZone(owner, { type: 'private' });
    product = nextOrder++;
    await mapProduct(product, zone);
  });
  afterAll(async () => {
    await world.close();
    await sink.stop();
  });

  const mapProduct = (productId: number, { id }: { id: number }) =>
    admin.client
      .post('/api/woocommerce/product-mappings')
      .send({ productId: String(productId), productName: 'A course', zoneId: id })
      .expect(201);
  const uniqueBuyer = () => `${uniqueName('buyer')}@example.com`;
  const countMembers = async () =>
    (await owner.client.get(`/api/zones/${zone.id}`).expect(200)).body.memberCount as number;
  const send = async (body: object, headers?: Record<string, string>) => {
    await sendWebhook.woocommerce(world, body, headers).expect(200, { received: true });
    await world.testApp.drain();
  };
  const searchLog = async (q: string) =>
    (await admin.client.get('/api/woocommerce/webhook-logs').query({ q }).expect(200)).body as Record<
      string,
      unknown
    >[];

  it('give a new customer access, who signs in with the emailed password', async () => {
    const email = uniqueBuyer();
    await send(buildOrder({ id: nextOrder, email, products: [product] }));
    expect(await countMembers()).toBe(1);
    const [row] = await searchLog(email);
    expect(row).toMatchObject({
      status: 'completed',
      orderId: String(nextOrder++),
      productId: String(product),
      customerEmail: email,
      customerName: 'Nur Ak',
      zoneId: zone.id,
      membershipCreated: true,
      emailSent: true,
      errorMessage: null,
    });
    const mail = await world.waitForEmail(email, ({ subject }) => subject.includes(zone.name));
    expect(mail.text).toMatch(/\/auth\?mode=login&email=[^\s]+&temp=true/);
    const password = /temporary password (\S+) and/.exec(mail.text)![1]!;
    expect(mail.text).toContain('“Email Me a Sign-In Link”');
    const client = world.createClient();
    const { body } = await client.post('/api/login').send({ email, password }).expect(200);
    expect(body).toMatchObject({ needsProfileCompletion: true, firstName: 'Nur' });
    await client.get(`/api/zones/${zone.id}`).expect(403);
  });

  it('give an existing user access with a notification and no password', async () => {
    const member = await registerUser(world);
    await send(
      buildOrder({ id: nextOrder++, email: member.email.toUpperCase(), status: 'processing', products: [product] }),
    );
    await member.client.get(`/api/zones/${zone.id}`).expect(200);
    const mail = await world.waitForEmail(member.email, ({ subject }) => subject.includes(zone.name));
    expect(mail.text).toContain(`/zones/${zone.id}`);
    expect(mail.text).not.toContain('password');
  });

  it('process one order once, however often it is delivered concurrently', async () => {
    const email = uniqueBuyer();
    const body = buildOrder({ id: nextOrder++, email, products: [product] });
    await Promise.all(Array.from({ length: 10 }, () => sendWebhook.woocommerce(world, body).expect(200)));
    await Promise.all([world.testApp.drain(), world.testApp.drain()]);
    await world.testApp.drain();
    expect(await countMembers()).toBe(1);
    expect(await world.listEmails(email)).toHaveLength(1);
    const rows = await searchLog(email);
    expect(rows).toHaveLength(10);
    expect(rows.filter(({ membershipCreated }) => membershipCreated)).toHaveLength(1);
    expect(rows.every(({ status }) => status === 'completed')).toBe(true);
  });

  it('store an identical delivery once', async () => {
    const email = uniqueBuyer();
    const body = buildOrder({ id: nextOrder++, email, products: [product] });
    const headers = { 'X-WC-Webhook-Delivery-ID': `delivery-${product}` };
    await send(body, headers);
    const entries = await searchLog(email);
    expect(entries).toHaveLength(1);
    world.testApp.clock.advance(60_000);
    for (let i = 0; i < 2; i++) await send(body, headers);
    expect(await searchLog(email)).toEqual(entries);
  });

  it.each(['refunded', 'cancelled'])('revoke access when an order is %s', async (status) => {
    const email = uniqueBuyer();
    const id = nextOrder++;
    await send(buildOrder({ id, email, products: [product] }));
    await send(buildOrder({ id, email, products: [product], status, modified: '2026-11-02T09:00:00' }));
    expect(await countMembers()).toBe(0);
  });

  it('end in the state of the shop when delivered out of order', async () => {
    const email = uniqueBuyer();
    const id = nextOrder++;
    await send(buildOrder({ id, email, products: [product], status: 'refunded', modified: '2026-11-02T09:00:00' }));
    await send(buildOrder({ id, email, products: [product], modified: '2026-11-01T09:00:00' }));
    expect(await countMembers()).toBe(0);
    expect(await world.listEmails(email)).toEqual([]);
    expect((await searchLog(email))[0]).toMatchObject({ status: 'completed', errorCode: 'SUPERSEDED' });
  });

  it('prefer the refund when both events have the same second', async () => {
    const email = uniqueBuyer();
    const id = nextOrder++;
    await send(buildOrder({ id, email, products: [product], status: 'refunded' }));
    await send(buildOrder({ id, email, products: [product] }));
    expect(await countMembers()).toBe(0);
  });

  it('keep a membership while another purchase grants it, even with concurrent refunds', async () => {
    const email = uniqueBuyer();
    const [first, second] = [nextOrder++, nextOrder++];
    await send(buildOrder({ id: first, email, products: [product] }));
    await send(buildOrder({ id: second, email, products: [product] }));
    const refund = (id: number, modified: string) =>
      buildOrder({ id, email, products: [product], status: 'refunded', modified });
    await send(refund(first, '2026-11-02T09:00:00'));
    expect(await countMembers()).toBe(1);
    await send(buildOrder({ id: first, email, products: [product], modified: '2026-11-03T09:00:00' }));
    await Promise.all([first, second].map((id) => sendWebhook.woocommerce(world, refund(id, '2026-11-04T09:00:00'))));
    await Promise.all([world.testApp.drain(), world.testApp.drain()]);
    expect(await countMembers()).toBe(0);
  });

  it('keep access after a partial refund, which an admin can revoke', async () => {
    const email = uniqueBuyer();
    const id = nextOrder++;
    const refunds = [{ id: 5, total: '-3.00' }];
    await send(buildOrder({ id, email, products: [product] }));
    await send(buildOrder({ id, email, products: [product], refunds, modified: '2026-11-02T09:00:00' }));
    expect(await countMembers()).toBe(1);
    const [row] = await searchLog(email);
    expect(row).toMatchObject({ status: 'completed', errorCode: 'PARTIAL_REFUND' });
    const { body } = await admin.client.get(`/api/woocommerce/webhook-logs/${row!.id}`).expect(200);
    expect(body.entitlements).toMatchObject([{ zoneId: zone.id, state: 'granted' }]);
    await admin.client.post(`/api/woocommerce/entitlements/${body.entitlements[0].id}/revoke`).expect(204);
    expect(await countMembers()).toBe(0);
    await admin.client.post(`/api/woocommerce/webhook-logs/${row!.id}/replay`).expect(200);
    await world.testApp.drain();
    expect(await countMembers()).toBe(0);
  });

  it('do not restore a member whom the owner removed', async () => {
    const member = await registerUser(world);
    const id = nextOrder++;
    await send(buildOrder({ id, email: member.email, status: 'processing', products: [product] }));
    await owner.client.delete(`/api/zones/${zone.id}/members/${member.id}`).expect(204);
    await send(buildOrder({ id, email: member.email, products: [product], modified: '2026-11-02T09:00:00' }));
    const [row] = await searchLog(member.email);
    await admin.client.post(`/api/woocommerce/webhook-logs/${row!.id}/replay`).expect(200);
    await world.testApp.drain();
    await member.client.get(`/api/zones/${zone.id}`).expect(404);
  });

  it('report an order without a mapping, which a mapping and a replay repair', async () => {
    const email = uniqueBuyer();
    const unknown = nextOrder++;
    await send(buildOrder({ id: nextOrder++, email, products: [unknown] }));
    const [row] = await searchLog(email);
    expect(row).toMatchObject({ status: 'completed', errorCode: 'NO_MAPPED_PRODUCT', membershipCreated: false });
    await mapProduct(unknown, zone);
    await admin.client.post(`/api/woocommerce/webhook-logs/${row!.id}/replay`).expect(200);
    await world.testApp.drain();
    expect(await countMembers()).toBe(1);
  });

  it.each([
    ['an order without an address', buildOrder({ id: 1, email: null, products: [1] }), 'NO_EMAIL', 'billing.email'],
    ['an invalid address', buildOrder({ id: 2, email: 'none', products: [1] }), 'NO_EMAIL', 'billing.email'],
    ['an invalid date', { ...buildOrder({ id: 3, email: 'a@b.example' }), date_modified_gmt: 'x' }, ...wrong],
    ['an order without a number', { ...buildOrder({ id: 4, email: 'a@b.example' }), id: null }, 'MISSING_FIELD', 'id'],
    ['an invalid number', { ...buildOrder({ id: 4, email: 'a@b.example' }), id: {} }, 'WRONG_FIELD', 'id'],
    [
      'an order without lines',
      { ...buildOrder({ id: 5, email: 'a@b.example' }), line_items: undefined },
      'MISSING_FIELD',
      'line_items',
    ],
    ['a line without a product', { ...buildOrder({ id: 6, email: 'a@b.example' }), line_items: [{}] }, ...unnamed],
    ['a list', [1, 2] as object, 'NOT_JSON', null],
  ])('fail for %s with a reason that names the field', async (_what, body, errorCode, errorField) => {
    await send(body);
    const { body: rows } = await admin.client.get('/api/woocommerce/webhook-logs?status=failed&perPage=1').expect(200);
    expect(rows[0]).toMatchObject({ status: 'failed', errorCode, errorField });
    expect(rows[0].errorMessage).not.toContain('{');
    if (errorField) expect(rows[0].errorMessage).toContain(errorField);
  });

  it('show order and customer even if a field is unreadable', async () => {
    const email = uniqueBuyer();
    await send({ ...buildOrder({ id: nextOrder, email }), date_modified_gmt: 'x' });
    const shown = { orderId: String(nextOrder++), event: 'order.updated', customerEmail: email };
    expect((await searchLog(email))[0]).toMatchObject({ ...shown, status: 'failed', errorField: 'date_modified_gmt' });
  });

  it('use the arrival time of an order without dates', async () => {
    const email = uniqueBuyer();
    const id = nextOrder++;
    const dates = { date_created_gmt: undefined, date_modified_gmt: undefined };
    const dateless = (status?: string) => ({
      ...buildOrder({ id, email, products: [product], ...(status && { status }) }),
      ...dates,
    });
    await send(dateless());
    expect(await countMembers()).toBe(1);
    world.testApp.clock.advance(1000);
    await send({ ...dateless('refunded'), date_modified_gmt: null, date_created_gmt: '' });
    expect(await countMembers()).toBe(0);
    // When replayed, the older delivery is still treated as the older one.
    const paid = (await searchLog(email)).at(-1)!;
    await admin.client.post(`/api/woocommerce/webhook-logs/${paid.id}/replay`).expect(200);
    await world.testApp.drain();
    expect(await countMembers()).toBe(0);
  });

  it('grant nothing by a disabled mapping until it is enabled', async () => {
    const email = uniqueBuyer();
    const path = '/api/woocommerce/product-mappings';
    const { body: found } = await admin.client
      .get(path)
      .query({ q: String(product) })
      .expect(200);
    const mapping = found.find(({ zoneId }: { zoneId: number }) => zoneId === zone.id);
    const { body: off } = await admin.client.patch(`${path}/${mapping.id}`).send({ isActive: false }).expect(200);
    expect(off).toEqual({ ...mapping, isActive: false });
    await send(buildOrder({ id: nextOrder++, email, products: [product] }));
    expect([await countMembers(), (await searchLog(email))[0]!.errorCode]).toEqual([0, 'NO_MAPPED_PRODUCT']);
    for (let i = 0; i < 2; i++) await admin.client.patch(`${path}/${mapping.id}`).send({ isActive: true }).expect(200);
    await admin.client.post(`/api/woocommerce/webhook-logs/${(await searchLog(email))[0]!.id}/replay`).expect(200);
    await world.testApp.drain();
    expect(await countMembers()).toBe(1);
    const { body: entries } = await admin.client.get('/api/admin/audit-log?type=mapping.switched').expect(200);
    expect(entries.map(({ params }: { params: object }) => params)).toEqual([
      { id: mapping.id, isActive: true },
      { id: mapping.id, isActive: false },
    ]);
    await admin.client.patch(`${path}/999999`).send({ isActive: true }).expect(404);
    await admin.client.patch(`${path}/${mapping.id}`).send({}).expect(400);
  });

  it('replay a selection, skipping entries without a body or of other senders', async () => {
    const [one, two] = [uniqueBuyer(), uniqueBuyer()];
    const later = nextOrder++;
    for (const email of [one, two]) await send(buildOrder({ id: nextOrder++, email, products: [later] }));
    await mapProduct(later, zone);
    const ids = [(await searchLog(one))[0]!.id, (await searchLog(two))[0]!.id] as number[];
    const path = '/api/woocommerce/webhook-logs/replay';
    await admin.client
      .post('/api/acedumy/webhook-logs/replay')
      .send({ ids })
      .expect(200, { replayed: 0, passedOver: 2 });
    const em = world.testApp.em();
    await em.execute('update integration_webhooks set webhook_data = null where id = ?', [ids[1]]);
    const requestedIds = [...ids, ids[0], 999_999_999];
    await admin.client.post(path).send({ ids: requestedIds }).expect(200, { replayed: 1, passedOver: 2 });
    await world.testApp.drain();
    expect(await countMembers()).toBe(1);
    expect((await searchLog(one))[0]).toMatchObject({ status: 'completed', errorCode: null, emailSent: true });
    expect((await searchLog(two))[0]).toMatchObject({ status: 'completed', errorCode: 'NO_MAPPED_PRODUCT' });
    for (const wrongIds of [[], ['1'], [0], Array.from({ length: 101 }, (_, i) => i + 1), 'x', undefined]) {
      await admin.client.post(path).send({ ids: wrongIds }).expect(400);
    }
  });

  it('audit a replayed selection in one statement', async () => {
    const emails = [uniqueBuyer(), uniqueBuyer(), uniqueBuyer()];
    for (const email of emails) await send(buildOrder({ id: nextOrder++, email, products: [product] }));
    const ids = await Promise.all(emails.map(async (email) => (await searchLog(email))[0]!.id as number));
    await admin.client.post('/api/woocommerce/webhook-logs/replay').send({ ids }).expect(200);
    // Rows inserted by one statement of a transaction share xmin and cmin.
    const [row] = await world.testApp.em().execute(
      `select count(*)::int as facts, count(distinct (xmin::text, cmin::text))::int as statements
         from audit_log where type = 'webhook.replayed' and (params ->> 'webhookId')::int in (?, ?, ?)`,
      ids,
    );
    expect(row).toEqual({ facts: 3, statements: 1 });
  });

  it('ignore deleted and unpaid orders', async () => {
    await send({ id: nextOrder });
    const email = uniqueBuyer();
    await send(buildOrder({ id: nextOrder++, email, status: 'pending', products: [product] }));
    expect(await countMembers()).toBe(0);
    expect((await searchLog(email))[0]).toMatchObject({ status: 'completed', errorCode: 'NOTHING_TO_DO' });
  });

  it('do not fail for a deleted zone, whose mapping is deleted too', async () => {
    const email = uniqueBuyer();
    const deletedZone = await createZone(await registerUser(world), { type: 'private' });
    await mapProduct(product, deletedZone);
    await world.testApp.em().execute('delete from zones where id = ?', [deletedZone.id]);
    await send(buildOrder({ id: nextOrder++, email, products: [product] }));
    expect((await searchLog(email))[0]).toMatchObject({ status: 'completed', zoneId: zone.id });
  });

  it('answer the unsigned ping that the shop sends for a new webhook', async () => {
    const sendPing = () => world.createClient().post('/api/webhooks/woocommerce').unset('Sec-Fetch-Site').type('form');
    await sendPing().send('webhook_id=15').expect(200);
    await sendPing().send('webhook_id=15&more=1').expect(401);
  });
});
