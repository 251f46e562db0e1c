import { buildOrder } from '../../support/webhook-deliveries.js';
import { describeInProcess } from '../../support/world.js';
import { LATER, LATEST, uniqueBuyerEmail, createNumber, Shop } from './shop.js';

const MEMBERSHIP_KEPT = [1, 1] as const;
const TAKEN = [1, 0] as const;

describeInProcess('Order status', () => {
  let shop: Shop;
  let zone: Awaited<ReturnType<Shop['createZone']>>;
  let product: number;
  let email: string;
  let id: number;

  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterAll(() => shop.world.close());
  beforeEach(async () => {
    zone = await shop.createZone();
    [product, id, email] = [createNumber(), createNumber(), uniqueBuyerEmail()];
    await shop.mapProduct(product, zone);
    // Emails about orders are sent at most once an hour.
    shop.world.testApp.clock.advance(3_600_001);
  });

  const withStatus = (status: string, modified?: string, more: object = {}) => ({
    ...buildOrder({ id, email, products: [product], status, ...(modified && { modified }) }),
    ...more,
  });
  const refunds = (...totals: string[]) => ({ refunds: totals.map((total, index) => ({ id: index + 1, total })) });
  const isIn = async () => Number(await shop.isMember(zone, email));
  const readNewestLog = async () => (await shop.searchLog(String(id)))[0]!;
  const listEmailsToOwner = async () =>
    (await shop.world.listEmails(zone.owner.email)).filter(({ subject }) => subject.includes('decide'));

  it.each([
    ['refunded', {}, null, TAKEN],
    ['cancelled', {}, null, TAKEN],
    ['failed', {}, 'PAYMENT_FAILED', TAKEN],
    ['completed', refunds('-40.10'), 'FULL_REFUND', TAKEN],
    ['processing', refunds('-20.05', '-20.05'), 'FULL_REFUND', TAKEN],
    ['completed', { ...refunds('-0.10', '-0.20'), total: '0.30' }, 'FULL_REFUND', TAKEN],
    ['completed', refunds('-40.09'), 'PARTIAL_REFUND', MEMBERSHIP_KEPT],
    ['completed', { ...refunds('-40.10'), total: undefined }, 'PARTIAL_REFUND', MEMBERSHIP_KEPT],
    ['on-hold', {}, 'ORDER_ON_HOLD', MEMBERSHIP_KEPT],
    ['pending', {}, 'ORDER_UNPAID', MEMBERSHIP_KEPT],
    ['draft', {}, 'ORDER_UNPAID', MEMBERSHIP_KEPT],
    ['checkout-draft', {}, 'ORDER_UNPAID', MEMBERSHIP_KEPT],
    ['trash', {}, 'ORDER_DELETED', MEMBERSHIP_KEPT],
    ['shipped', {}, 'UNKNOWN_STATUS', MEMBERSHIP_KEPT],
    ['wc-failed', {}, 'PAYMENT_FAILED', TAKEN],
  ])('after payment: %s with %j is %s', async (status, more, errorCode, [before, after]) => {
    await shop.sendOrder(withStatus('completed'));
    expect(await isIn()).toBe(before);
    await shop.sendOrder(withStatus(status, LATER, more));
    expect(await isIn()).toBe(after);
    expect(await readNewestLog()).toMatchObject({ status: 'completed', errorCode });
  });

  it.each([
    ['on-hold', 'NOTHING_TO_DO'],
    ['pending', 'NOTHING_TO_DO'],
    ['trash', 'NOTHING_TO_DO'],
    ['failed', 'PAYMENT_FAILED'],
  ])('before payment: %s grants nothing, and payment grants access', async (status, code) => {
    await shop.sendOrder(withStatus(status));
    expect([await isIn(), (await readNewestLog()).errorCode]).toEqual([0, code]);
    expect(await listEmailsToOwner()).toEqual([]);
    await shop.sendOrder(withStatus('processing', LATER));
    expect(await isIn()).toBe(1);
  });

  it.each([
    ['on-hold', {}, 'put on hold, for example because of a dispute'],
    ['completed', refunds('-1.00'), 'partially refunded'],
  ])('asks the owner and super admins once to decide about %s with %j', async (status, more, expectedText) => {
    await shop.sendOrder(withStatus('completed'));
    await shop.sendOrder(withStatus(status, LATER, more));
    await shop.sendOrder(withStatus(status, LATEST, more));
    const [mail, ...others] = await listEmailsToOwner();
    expect(mail).toMatchObject({ subject: 'Please decide about a purchase' });
    expect(mail!.text).toContain(`${id} · ${zone.name}: ${expectedText}`);
    expect(others).toEqual([]);
    const toStaff = await shop.world.waitForEmail(shop.admin.email, ({ text }) => text.includes(String(id)));
    expect(toStaff.subject).toBe('An order needs a decision');
  });

  it('asks about an order deleted in the shop, which sends only its number', async () => {
    await shop.sendOrder(withStatus('completed'));
    shop.world.testApp.clock.advance(1000);
    await shop.sendOrder({ id });
    expect([await isIn(), (await readNewestLog()).errorCode]).toEqual([1, 'ORDER_DELETED']);
    expect((await listEmailsToOwner())[0]!.text).toContain('deleted in the shop');
  });

  it('keeps the question open on a replay and closes it on payment', async () => {
    const listOpenQuestions = async () => {
      const sql = `select kind from order_troubles where purchase_id = ? and resolved_at is null`;
      return (await shop.query(sql, [String(id)])).map(({ kind }) => kind);
    };
    await shop.sendOrder(withStatus('completed'));
    const paid = await readNewestLog();
    await shop.sendOrder(withStatus('on-hold', LATER));
    await shop.replayWebhook(paid);
    expect(await listOpenQuestions()).toEqual(['decide']);
    await shop.sendOrder(withStatus('processing', LATEST));
    expect([await listOpenQuestions(), await isIn()]).toEqual([[], 1]);
  });

  it('closes the question when an admin revokes the purchase', async () => {
    await shop.sendOrder(withStatus('completed'));
    await shop.sendOrder(withStatus('on-hold', LATER));
    const [opened] = await shop.listEntitlements(String(id));
    await shop.revokeEntitlement(opened!).expect(204);
    const sql = 'select 1 from order_troubles where purchase_id = ? and resolved_at is null';
    expect([await isIn(), await shop.query(sql, [String(id)])]).toEqual([0, []]);
  });

  it('is named in the error when unknown', async () => {
    await shop.sendOrder(withStatus('completed'));
    await shop.sendOrder(withStatus('awaiting-pickup', LATER));
    const { body } = await shop.admin.client
      .get('/api/woocommerce/webhook-logs')
      .query({ q: String(id) })
      .expect(200);
    expect(body[0].errorMessage).toBe('The order status “awaiting-pickup” is unknown. Nothing was changed.');
  });

  it('grants access by a mapping whose product ID was a number', async () => {
    const another = createNumber();
    const mapping = { productId: another, productName: 'A course', zoneId: zone.id };
    const { body } = await shop.admin.client.post('/api/woocommerce/product-mappings').send(mapping).expect(201);
    expect(body.productId).toBe(String(another));
    await shop.sendOrder(buildOrder({ id, email, products: [another] }));
    expect(await isIn()).toBe(1);
    for (const productId of [1.5, 2 ** 60, true, {}]) {
      await shop.admin.client
        .post('/api/woocommerce/product-mappings')
        .send({ ...mapping, productId })
        .expect(400);
    }
  });
});
