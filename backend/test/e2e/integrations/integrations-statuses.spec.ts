import { order } from '../../support/deliveries.js';
import { describeInProcess } from '../../support/world.js';
import { LATER, LATEST, newBuyer, newNumber, Shop } from './shop-world.js';

const KEPT = [1, 1] as const;
const TAKEN = [1, 0] as const;

describeInProcess('the status of an order', () => {
  let shop: Shop;
  let zone: Awaited<ReturnType<Shop['zone']>>;
  let product: number;
  let email: string;
  let id: number;

  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterAll(() => shop.world.close());
  beforeEach(async () => {
    zone = await shop.zone();
    [product, id, email] = [newNumber(), newNumber(), newBuyer()];
    await shop.map(product, zone);
    // Mails about orders are sent at most once an hour.
    shop.world.inside.clock.advance(3_600_001);
  });

  const of = (status: string, modified?: string, more: object = {}) => ({
    ...order({ id, email, products: [product], status, ...(modified && { modified }) }),
    ...more,
  });
  const refunds = (...totals: string[]) => ({ refunds: totals.map((total, at) => ({ id: at + 1, total })) });
  const isIn = async () => Number(await shop.isMember(zone, email));
  const newest = async () => (await shop.log(String(id)))[0]!;
  const mailsToOwner = async () =>
    (await shop.world.mails(zone.owner.email)).filter(({ subject }) => subject.includes('decide'));

  it.each([
    ['refunded', {}, null, TAKEN],
    ['cancelled', {}, null, TAKEN],
    ['failed', {}, 'PAYMENT_FAILED', TAKEN],
    ['completed', refunds('-40.10'), 'FULL_REFUND', TAKEN],
    ['processing', refunds('-20.05', '-20.05'), 'FULL_REFUND', TAKEN],
    ['completed', { ...refunds('-0.10', '-0.20'), total: '0.30' }, 'FULL_REFUND', TAKEN],
    ['completed', refunds('-40.09'), 'PARTIAL_REFUND', KEPT],
    ['completed', { ...refunds('-40.10'), total: undefined }, 'PARTIAL_REFUND', KEPT],
    ['on-hold', {}, 'ORDER_ON_HOLD', KEPT],
    ['pending', {}, 'ORDER_UNPAID', KEPT],
    ['draft', {}, 'ORDER_UNPAID', KEPT],
    ['checkout-draft', {}, 'ORDER_UNPAID', KEPT],
    ['trash', {}, 'ORDER_DELETED', KEPT],
    ['shipped', {}, 'UNKNOWN_STATUS', KEPT],
    ['wc-failed', {}, 'PAYMENT_FAILED', TAKEN],
  ])('after payment: %s with %j is %s', async (status, more, errorCode, [before, after]) => {
    await shop.send(of('completed'));
    expect(await isIn()).toBe(before);
    await shop.send(of(status, LATER, more));
    expect(await isIn()).toBe(after);
    expect(await newest()).toMatchObject({ status: 'completed', errorCode });
  });

  it.each([
    ['on-hold', 'NOTHING_TO_DO'],
    ['pending', 'NOTHING_TO_DO'],
    ['trash', 'NOTHING_TO_DO'],
    ['failed', 'PAYMENT_FAILED'],
  ])(
    'before payment: %s opens nothing and asks nobody, and payment opens the zone afterwards',
    async (status, code) => {
      await shop.send(of(status));
      expect([await isIn(), (await newest()).errorCode]).toEqual([0, code]);
      expect(await mailsToOwner()).toEqual([]);
      await shop.send(of('processing', LATER));
      expect(await isIn()).toBe(1);
    },
  );

  it.each([
    ['on-hold', {}, 'put on hold, for example because of a dispute'],
    ['completed', refunds('-1.00'), 'partially refunded'],
  ])('asks the owner and the super admins once to decide about %s with %j', async (status, more, said) => {
    await shop.send(of('completed'));
    await shop.send(of(status, LATER, more));
    await shop.send(of(status, LATEST, more));
    const [mail, ...others] = await mailsToOwner();
    expect(mail).toMatchObject({ subject: 'Please decide about a purchase' });
    expect(mail!.text).toContain(`${id} · ${zone.name}: ${said}`);
    expect(others).toEqual([]);
    const toStaff = await shop.world.mailTo(shop.admin.email, ({ text }) => text.includes(String(id)));
    expect(toStaff.subject).toBe('An order needs a decision');
  });

  it('asks about an order that the shop has deleted, of which it sends the number alone', async () => {
    await shop.send(of('completed'));
    shop.world.inside.clock.advance(1000);
    await shop.send({ id });
    expect([await isIn(), (await newest()).errorCode]).toEqual([1, 'ORDER_DELETED']);
    expect((await mailsToOwner())[0]!.text).toContain('deleted in the shop');
  });

  it('keeps the question open when an older delivery is replayed, and closes it when the order is paid again', async () => {
    const open = async () => {
      const sql = `select kind from order_troubles where purchase_id = ? and resolved_at is null`;
      return (await shop.execute(sql, [String(id)])).map(({ kind }) => kind);
    };
    await shop.send(of('completed'));
    const paid = await newest();
    await shop.send(of('on-hold', LATER));
    await shop.replay(paid);
    expect(await open()).toEqual(['decide']);
    await shop.send(of('processing', LATEST));
    expect([await open(), await isIn()]).toEqual([[], 1]);
  });

  it('closes the question when an admin takes the purchase back', async () => {
    await shop.send(of('completed'));
    await shop.send(of('on-hold', LATER));
    const [opened] = await shop.opened(String(id));
    await shop.takeBack(opened!).expect(204);
    const sql = 'select 1 from order_troubles where purchase_id = ? and resolved_at is null';
    expect([await isIn(), await shop.execute(sql, [String(id)])]).toEqual([0, []]);
  });

  it('names a status that it does not know', async () => {
    await shop.send(of('completed'));
    await shop.send(of('awaiting-pickup', LATER));
    const { body } = await shop.admin.client
      .get('/api/woocommerce/webhook-logs')
      .query({ q: String(id) })
      .expect(200);
    expect(body[0].errorMessage).toBe('The order status “awaiting-pickup” is unknown. Nothing was changed.');
  });

  it('opens the zone of a mapping whose product id was given as a number', async () => {
    const another = newNumber();
    const mapping = { productId: another, productName: 'A course', zoneId: zone.id };
    const { body } = await shop.admin.client.post('/api/woocommerce/product-mappings').send(mapping).expect(201);
    expect(body.productId).toBe(String(another));
    await shop.send(order({ id, email, products: [another] }));
    expect(await isIn()).toBe(1);
    for (const productId of [1.5, 2 ** 60, true, {}]) {
      await shop.admin.client
        .post('/api/woocommerce/product-mappings')
        .send({ ...mapping, productId })
        .expect(400);
    }
  });
});
