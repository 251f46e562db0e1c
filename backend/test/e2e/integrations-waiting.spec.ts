import { admitWaiting } from '../../src/modules/integrations/admit-waiting.job.js';
import { ClockJobs } from '../../src/platform/jobs/clock-jobs.js';
import { createZone, register, unique, type Actor, type TestZone } from '../support/actors.js';
import { deliver, order, SECRETS } from '../support/deliveries.js';
import { describeInProcess, World } from '../support/world.js';

describeInProcess('an order for a zone that is full or gone', () => {
  let world: World;
  let admin: Actor;
  let owner: Actor;
  let zone: TestZone;
  let product: number;
  let nextNumber = 5000;

  beforeAll(async () => {
    world = await World.open(SECRETS);
    admin = await register(world);
    await execute('update users set is_super_admin = true where id = ?', [admin.id]);
  });
  beforeEach(async () => {
    owner = await register(world);
    zone = await createZone(owner, { type: 'private' });
    product = nextNumber++;
    await map(zone);
  });
  afterAll(() => world.close());

  const execute = (sql: string, params: unknown[]) => world.inside.em().execute(sql, params);
  const map = ({ id }: { id: number }) =>
    admin.client
      .post('/api/woocommerce/product-mappings')
      .send({ productId: String(product), productName: 'A course', zoneId: id })
      .expect(201);
  const buyer = () => `${unique('buyer')}@example.com`;
  const members = async () => (await owner.client.get(`/api/zones/${zone.id}`).expect(200)).body.memberCount as number;
  const send = async (body: object) => {
    await deliver.woocommerce(world, body).expect(200);
    await world.inside.drain();
  };
  const log = async (q: string) =>
    (await admin.client.get('/api/woocommerce/webhook-logs').query({ q }).expect(200)).body as Record<
      string,
      unknown
    >[];
  const grant = (plan: string, actor = owner) =>
    admin.client.patch(`/api/admin/users/${actor.id}/plan`).send({ plan }).expect(200);
  /** The owner's plan has no place left. */
  const fill = async (actor = owner) => {
    await grant('free', actor);
    await execute(`update usage set used = allowed where owner_id = ? and metric = 'people'`, [actor.id]);
  };
  const tick = async () => {
    world.inside.clock.advance(5 * 60_000);
    await world.inside.app.get(ClockJobs).runClockJob(admitWaiting, world.inside.clock.now());
    await world.inside.drain();
  };
  /** Gone for everybody, while its files are not removed yet. */
  const markDeleted = ({ id }: { id: number }) => execute('update zones set deleted_at = now() where id = ?', [id]);

  it('waits, which the owner is told, and is let in after an upgrade', async () => {
    const email = buyer();
    await fill();
    await send(order({ id: nextNumber++, email, products: [product] }));
    await tick();
    expect(await members()).toBe(0);
    expect((await log(email))[0]).toMatchObject({
      status: 'pending',
      errorCode: 'ZONE_FULL',
      membershipCreated: false,
    });
    await grant('starter');
    await tick();
    expect(await members()).toBe(1);
    expect((await log(email))[0]).toMatchObject({ status: 'completed', membershipCreated: true, errorMessage: null });
    expect(await world.mails(email)).toHaveLength(1);
  });

  it('waits once, however often and at once it is delivered', async () => {
    const email = buyer();
    await fill();
    const body = order({ id: nextNumber++, email, products: [product] });
    await Promise.all(Array.from({ length: 10 }, () => deliver.woocommerce(world, body).expect(200)));
    await Promise.all([world.inside.drain(), world.inside.drain()]);
    const codes = (await log(email)).map(({ status, errorCode }) => `${String(status)} ${String(errorCode)}`).sort();
    expect(codes).toEqual([...Array<string>(9).fill('completed WAITS_ALREADY'), 'pending ZONE_FULL']);
    await grant('starter');
    await tick();
    expect(await members()).toBe(1);
    expect(await world.mails(email)).toHaveLength(1);
    expect((await log(email)).filter(({ membershipCreated }) => membershipCreated)).toHaveLength(1);
  });

  it('does not let in whose order was refunded meanwhile, nor says that it did', async () => {
    const email = buyer();
    const id = nextNumber++;
    await fill();
    await send(order({ id, email, products: [product] }));
    await send(order({ id, email, products: [product], status: 'refunded', modified: '2026-11-02T09:00:00' }));
    await grant('starter');
    await tick();
    expect(await members()).toBe(0);
    expect(await log(email)).toMatchObject([
      { status: 'completed', errorCode: null, membershipCreated: false },
      { status: 'completed', errorCode: 'SUPERSEDED', membershipCreated: false },
    ]);
    expect(await world.mails(email)).toEqual([]);
  });

  it('takes nobody else’s turn: a full owner before others keeps none of them out', async () => {
    const [full, email] = [buyer(), buyer()];
    const other = await register(world);
    const place = await createZone(other, { type: 'private' });
    await fill();
    await fill(other);
    await send(order({ id: nextNumber++, email: full, products: [product] }));
    product = nextNumber++;
    await map(place);
    await send(order({ id: nextNumber++, email, products: [product] }));
    await grant('starter', other);
    await tick();
    expect((await log(full))[0]).toMatchObject({ status: 'pending', errorCode: 'ZONE_FULL' });
    expect((await log(email))[0]).toMatchObject({ status: 'completed', membershipCreated: true });
  });

  it('passes a zone over that is deleted and not removed yet, opens the others, and says so', async () => {
    const email = buyer();
    const gone = await createZone(await register(world), { type: 'private' });
    await map(gone);
    await markDeleted(gone);
    await send(order({ id: nextNumber++, email, products: [product] }));
    expect(await members()).toBe(1);
    const [row] = await log(email);
    expect(row).toMatchObject({
      status: 'completed',
      errorCode: 'ZONE_PASSED_OVER',
      errorMessage: 'A zone of this purchase has been deleted and was passed over.',
      zoneId: zone.id,
      membershipCreated: true,
    });
  });

  it('whose only zone is deleted opens nothing, writes to nobody, and can be refunded', async () => {
    const email = buyer();
    const id = nextNumber++;
    await markDeleted(zone);
    await send(order({ id, email, products: [product] }));
    await send(order({ id, email, products: [product], status: 'refunded', modified: '2026-11-02T09:00:00' }));
    const rows = await log(email);
    expect(rows).toMatchObject([
      { status: 'completed', errorCode: 'ZONE_PASSED_OVER', membershipCreated: false, zoneId: null },
      { status: 'completed', errorCode: 'ZONE_PASSED_OVER', membershipCreated: false, zoneId: null },
    ]);
    expect(await world.mails(email)).toEqual([]);
    const list = await admin.client.get('/api/woocommerce/product-mappings').query({ q: product }).expect(200);
    expect(list.body).toEqual([]);
  });

  it.each([
    ['marked as deleted', 'ZONE_PASSED_OVER', () => markDeleted(zone)],
    ['removed', 'NO_MAPPED_PRODUCT', () => owner.client.delete(`/api/zones/${zone.id}`).expect(204)],
  ])('stops waiting when the zone is %s meanwhile', async (_, errorCode, remove) => {
    const email = buyer();
    await fill();
    await send(order({ id: nextNumber++, email, products: [product] }));
    await remove();
    await grant('starter');
    await tick();
    expect((await log(email))[0]).toMatchObject({ status: 'completed', errorCode, membershipCreated: false });
    expect(await world.mails(email)).toEqual([]);
  });
});
