import { PersonalDataErasureService } from '../../../src/modules/account/personal-data/personal-data-erasure.service.js';
import { registerUser } from '../../support/people/actors.js';
import { sendWebhook, buildOrder } from '../../support/webhook-deliveries.js';
import { describeInProcess } from '../../support/world.js';
import { LATER, LATEST, uniqueBuyerEmail, createNumber, Shop } from './shop.js';

describeInProcess('Order of a customer who deleted the account', () => {
  let shop: Shop;
  let zone: Awaited<ReturnType<Shop['createZone']>>;
  let product: number;
  let id: number;
  let email: string;

  beforeAll(async () => {
    shop = await Shop.open();
  });
  beforeEach(async () => {
    zone = await shop.createZone();
    product = createNumber();
    id = createNumber();
    email = uniqueBuyerEmail();
    await shop.mapProduct(product, zone);
  });
  afterAll(() => shop.world.close());

  const sendCompleted = (more: object = {}) => shop.sendOrder({ id, email, products: [product], ...more });

  it('creates no account again, sends no email and can be refunded', async () => {
    const member = await registerUser(shop.world);
    await sendCompleted({ email: member.email });
    const ofZone = async () =>
      (await shop.world.listEmails(member.email)).filter(({ subject }) => subject.includes(zone.name));
    expect(await ofZone()).toHaveLength(1);
    await member.client.delete('/api/user').send({ password: member.password }).expect(204);
    await sendCompleted({ email: member.email, modified: LATER });
    expect(await shop.hasAccount(member.email)).toBe(false);
    await shop.world.testApp.drain();
    await sendCompleted({ email: member.email, modified: LATEST });
    expect(await shop.hasAccount(member.email)).toBe(false);
    expect((await shop.searchLog(member.email))[0]).toMatchObject({ errorCode: 'WITHHELD', membershipCreated: false });
    expect((await shop.listEntitlements(member.email))[0]).toMatchObject({ state: 'revoked', canBeGivenBack: false });
    await shop.restoreEntitlement((await shop.listEntitlements(member.email))[0]!).expect(409);
    expect(await ofZone()).toHaveLength(1);
    await sendCompleted({ email: member.email, status: 'refunded', modified: '2026-11-04T09:00:00' });
    expect((await shop.searchLog(member.email))[0]).toMatchObject({ status: 'completed', errorCode: null });
    await shop.sendOrder({ id: createNumber(), email: member.email, products: [product] });
    expect(await shop.isMember(zone, member.email)).toBe(true);
  });

  it('creates no account while the data is still being deleted', async () => {
    const member = await registerUser(shop.world);
    await sendCompleted({ email: member.email });
    await member.client.delete('/api/user').send({ password: member.password }).expect(204);
    const condition = `name = 'account.erase-account'`;
    await shop.query(`update jobs set run_at = run_at + interval '1 hour' where ${condition}`);
    await sendCompleted({ email: member.email, modified: LATER });
    expect(await shop.hasAccount(member.email)).toBe(false);
    await shop.query(`update jobs set run_at = run_at - interval '1 hour' where ${condition}`);
    await shop.world.testApp.drain();
  });

  it('keeps later webhooks for a new owner of the address', async () => {
    const member = await registerUser(shop.world);
    const { clock, app } = shop.world.testApp;
    const requestedAt = clock.now();
    clock.advance(1000);
    await sendCompleted({ email: member.email });
    const erased = { id: 0, email: member.email, requestedAt };
    await app.get(PersonalDataErasureService).eraseAll(erased, new AbortController().signal);
    expect(await shop.searchLog(member.email)).toHaveLength(1);
  });

  it('is not processed if it was still pending', async () => {
    const member = await registerUser(shop.world);
    await sendWebhook.woocommerce(shop.world, buildOrder({ id, email: member.email, products: [product] })).expect(200);
    expect(await shop.searchLog(member.email)).toMatchObject([{ status: 'pending', membershipCreated: false }]);
    const personal = shop.world.testApp.app.get(PersonalDataErasureService);
    const erased = { id: member.id, email: member.email, requestedAt: shop.world.testApp.clock.now() };
    await personal.eraseAll(erased, new AbortController().signal);
    await shop.world.testApp.drain();
    expect(await shop.isMember(zone, member.email)).toBe(false);
    expect(await shop.searchLog(member.email)).toEqual([]);
  });

  it('no longer waits for room in the zone', async () => {
    const member = await registerUser(shop.world);
    await shop.exhaustPeopleLimit(zone);
    await sendCompleted({ email: member.email });
    expect(await shop.listEntitlements(member.email)).toMatchObject([{ state: 'waiting' }]);
    await member.client.delete('/api/user').send({ password: member.password }).expect(204);
    await shop.world.testApp.drain();
    const rows = await shop.query('select state, user_id from entitlements where zone_id = ?', [zone.id]);
    expect(rows).toEqual([{ state: 'revoked', user_id: null }]);
  });
});
