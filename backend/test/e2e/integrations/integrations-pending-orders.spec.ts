import { admitWaitingCustomers } from '../../../src/modules/integrations/integrations.jobs.js';
import { EntitlementService } from '../../../src/modules/integrations/entitlements/entitlement.service.js';
import { CronScheduler } from '../../../src/platform/jobs/cron/cron-scheduler.js';
import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../support/people/actors.js';
import { sendWebhook, buildOrder, WEBHOOK_SECRETS } from '../../support/webhook-deliveries.js';
import { describeInProcess, World } from '../../support/world.js';
import { reauthenticate } from '../auth/account-helpers.js';

describeInProcess('Order for a full or deleted zone', () => {
  let world: World;
  let admin: Actor;
  let owner: Actor;
  let zone: TestZone;
  let product: number;
  let nextNumber = 5000;

  beforeAll(async () => {
    world = await World.open(WEBHOOK_SECRETS);
    admin = await registerUser(world);
    await execute('update users set is_super_admin = true where id = ?', [admin.id]);
  });
  beforeEach(async () => {
    owner = await registerUser(world);
    zone = await createZone(owner, { type: 'private' });
    product = nextNumber++;
    await mapProduct(zone);
    await execute('delete from order_troubles', []);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.close());

  const listSubjects = async (email: string) => (await world.listEmails(email)).map(({ subject }) => subject);
  const listOrderNotices = async ({ email }: Actor) =>
    (await world.listEmails(email)).filter(({ subject }) => /customers? ha|orders? ha/.test(subject));
  const readAttention = async () =>
    (await admin.client.get('/api/admin/integrations/attention').expect(200)).body as { orders: object[] };
  const advanceOneHour = async () => {
    world.testApp.clock.advance(61 * 60_000);
    await world.testApp.drain();
  };
  const execute = (sql: string, params: unknown[]) => world.testApp.em().execute(sql, params);
  const mapProduct = ({ id }: { id: number }) =>
    admin.client
      .post('/api/woocommerce/product-mappings')
      .send({ productId: String(product), productName: 'A course', zoneId: id })
      .expect(201);
  const uniqueBuyer = () => `${uniqueName('buyer')}@example.com`;
  const countMembers = async () =>
    (await owner.client.get(`/api/zones/${zone.id}`).expect(200)).body.memberCount as number;
  const send = async (body: object) => {
    await sendWebhook.woocommerce(world, body).expect(200);
    await world.testApp.drain();
  };
  const searchLog = async (q: string) =>
    (await admin.client.get('/api/woocommerce/webhook-logs').query({ q }).expect(200)).body as Record<
      string,
      unknown
    >[];
  const setPlan = async (plan: string, actor = owner) => {
    await reauthenticate(admin);
    await admin.client.patch(`/api/admin/users/${actor.id}/plan`).send({ plan }).expect(200);
  };
  /** Uses up the member quota of the owner's plan. */
  const fillMemberQuota = async (actor = owner) => {
    await setPlan('free', actor);
    await execute(`update usage set used = allowed where owner_id = ? and metric = 'people'`, [actor.id]);
  };
  const runWaitingListJob = async () => {
    world.testApp.clock.advance(5 * 60_000);
    await world.testApp.app.get(CronScheduler).enqueueCronRun(admitWaitingCustomers, world.testApp.clock.now());
    await world.testApp.drain();
  };
  /** Marks a zone as deleted before the job removes its files. */
  const markDeleted = ({ id }: { id: number }) => execute('update zones set deleted_at = now() where id = ?', [id]);

  it('waits, notifies the owner and is completed after an upgrade', async () => {
    const email = uniqueBuyer();
    await fillMemberQuota();
    await send(buildOrder({ id: nextNumber++, email, products: [product] }));
    await runWaitingListJob();
    expect(await countMembers()).toBe(0);
    expect((await searchLog(email))[0]).toMatchObject({
      status: 'pending',
      errorCode: 'ZONE_FULL',
      membershipCreated: false,
    });
    await setPlan('starter');
    await runWaitingListJob();
    expect(await countMembers()).toBe(1);
    expect((await searchLog(email))[0]).toMatchObject({
      status: 'completed',
      membershipCreated: true,
      errorMessage: null,
    });
    const mails = (await world.listEmails(email)).map(({ subject }) => subject);
    expect(mails).toEqual([expect.stringContaining('Your access to'), 'Your access is being prepared']);
  });

  it('waits once, however often it is delivered concurrently', async () => {
    const email = uniqueBuyer();
    await fillMemberQuota();
    const body = buildOrder({ id: nextNumber++, email, products: [product] });
    await Promise.all(Array.from({ length: 10 }, () => sendWebhook.woocommerce(world, body).expect(200)));
    await Promise.all([world.testApp.drain(), world.testApp.drain()]);
    const codes = (await searchLog(email))
      .map(({ status, errorCode }) => `${String(status)} ${String(errorCode)}`)
      .sort();
    expect(codes).toEqual([...Array<string>(9).fill('completed WAITS_ALREADY'), 'pending ZONE_FULL']);
    await setPlan('starter');
    await runWaitingListJob();
    expect(await countMembers()).toBe(1);
    expect(await world.listEmails(email)).toHaveLength(2);
    expect((await searchLog(email)).filter(({ membershipCreated }) => membershipCreated)).toHaveLength(1);
  });

  it('does not add a member whose order was refunded meanwhile', async () => {
    const email = uniqueBuyer();
    const id = nextNumber++;
    await fillMemberQuota();
    await send(buildOrder({ id, email, products: [product] }));
    await send(buildOrder({ id, email, products: [product], status: 'refunded', modified: '2026-11-02T09:00:00' }));
    await setPlan('starter');
    await runWaitingListJob();
    expect(await countMembers()).toBe(0);
    expect(await searchLog(email)).toMatchObject([
      { status: 'completed', errorCode: null, membershipCreated: false },
      { status: 'completed', errorCode: 'SUPERSEDED', membershipCreated: false },
    ]);
    expect(await listSubjects(email)).toEqual(['Your access is being prepared']);
  });

  it('does not block the orders of other owners', async () => {
    const [full, email] = [uniqueBuyer(), uniqueBuyer()];
    const other = await registerUser(world);
    const otherZone = await createZone(other, { type: 'private' });
    await fillMemberQuota();
    await fillMemberQuota(other);
    await send(buildOrder({ id: nextNumber++, email: full, products: [product] }));
    product = nextNumber++;
    await mapProduct(otherZone);
    await send(buildOrder({ id: nextNumber++, email, products: [product] }));
    await setPlan('starter', other);
    await runWaitingListJob();
    expect((await searchLog(full))[0]).toMatchObject({ status: 'pending', errorCode: 'ZONE_FULL' });
    expect((await searchLog(email))[0]).toMatchObject({ status: 'completed', membershipCreated: true });
  });

  it('skips a deleted zone, grants access to the others and reports it', async () => {
    const email = uniqueBuyer();
    const deletedZone = await createZone(await registerUser(world), { type: 'private' });
    await mapProduct(deletedZone);
    await markDeleted(deletedZone);
    await send(buildOrder({ id: nextNumber++, email, products: [product] }));
    expect(await countMembers()).toBe(1);
    const [row] = await searchLog(email);
    expect(row).toMatchObject({
      status: 'completed',
      errorCode: 'ZONE_PASSED_OVER',
      errorMessage: 'A zone of this purchase has been deleted and was skipped.',
      zoneId: zone.id,
      membershipCreated: true,
    });
  });

  it('grants nothing if its only zone is deleted, sends no email and can be refunded', async () => {
    const email = uniqueBuyer();
    const id = nextNumber++;
    await markDeleted(zone);
    await send(buildOrder({ id, email, products: [product] }));
    await send(buildOrder({ id, email, products: [product], status: 'refunded', modified: '2026-11-02T09:00:00' }));
    const rows = await searchLog(email);
    expect(rows).toMatchObject([
      { status: 'completed', errorCode: 'ZONE_PASSED_OVER', membershipCreated: false, zoneId: null },
      { status: 'completed', errorCode: 'ZONE_PASSED_OVER', membershipCreated: false, zoneId: null },
    ]);
    expect(await world.listEmails(email)).toEqual([]);
    const list = await admin.client.get('/api/woocommerce/product-mappings').query({ q: product }).expect(200);
    expect(list.body).toEqual([]);
  });

  it.each([
    ['marked as deleted', 'ZONE_PASSED_OVER', () => markDeleted(zone)],
    ['removed', 'NO_MAPPED_PRODUCT', () => owner.client.delete(`/api/zones/${zone.id}?evenIfUsed=true`).expect(204)],
  ])('stops waiting when the zone is %s meanwhile', async (_, errorCode, remove) => {
    const email = uniqueBuyer();
    await fillMemberQuota();
    await send(buildOrder({ id: nextNumber++, email, products: [product] }));
    await remove();
    await setPlan('starter');
    await runWaitingListJob();
    expect((await searchLog(email))[0]).toMatchObject({ status: 'completed', errorCode, membershipCreated: false });
    expect(await listSubjects(email)).toEqual(['Your access is being prepared']);
    expect(await readAttention()).toMatchObject({ orders: [] });
  });

  it('is emailed hourly to the owner and super admins and listed for attention', async () => {
    await advanceOneHour();
    await fillMemberQuota();
    const numbers = [nextNumber++, nextNumber++, nextNumber++];
    const before = (await listOrderNotices(admin)).length;
    await send(buildOrder({ id: numbers[0]!, email: uniqueBuyer(), products: [product] }));
    await send(buildOrder({ id: numbers[1]!, email: uniqueBuyer(), products: [product] }));
    await send(buildOrder({ id: numbers[2]!, email: uniqueBuyer(), products: [product] }));
    expect(await listOrderNotices(owner)).toMatchObject([
      { subject: "A customer hasn't received access to your zone" },
    ]);
    expect((await listOrderNotices(owner))[0]!.text).toContain(
      `${numbers[0]} · ${zone.name}: waiting for room in the zone`,
    );
    const staff = (await listOrderNotices(admin)).slice(0, -before || undefined);
    expect(staff).toMatchObject([{ subject: 'An order has failed or is waiting' }]);
    expect(staff[0]!.text).toContain(`WooCommerce · ${numbers[0]} · “${zone.name}”: The zone is full.`);
    expect(await readAttention()).toMatchObject({ orders: [{ source: 'woocommerce', kind: 'waiting', count: 3 }] });
    await send(
      buildOrder({
        id: numbers[1]!,
        email: uniqueBuyer(),
        products: [product],
        status: 'refunded',
        modified: '2026-11-02T09:00:00',
      }),
    );
    await advanceOneHour();
    for (const actor of [owner, admin]) {
      const [latest] = await listOrderNotices(actor);
      expect(latest!.text).toContain(String(numbers[2]));
      expect(latest!.text).not.toContain(String(numbers[1]));
    }
    expect(await listOrderNotices(owner)).toHaveLength(2);
    await setPlan('starter');
    await runWaitingListJob();
    expect(await readAttention()).toMatchObject({ orders: [] });
    await advanceOneHour();
    expect(await listOrderNotices(owner)).toHaveLength(2);
  });

  it('is reported once on failure and cleared after a later success', async () => {
    await advanceOneHour();
    const [id, email] = [nextNumber++, uniqueBuyer()];
    const before = (await listOrderNotices(admin)).length;
    await send(buildOrder({ id, email: null, products: [product] }));
    await send(buildOrder({ id, email: null, products: [product], modified: '2026-11-01T10:06:00' }));
    await advanceOneHour();
    expect((await listOrderNotices(admin)).length - before).toBe(1);
    expect(await listOrderNotices(owner)).toHaveLength(1);
    expect((await listOrderNotices(owner))[0]!.text).toContain(`${id} · ${zone.name}: couldn't be processed`);
    const listAttention = async () => (await owner.client.get('/api/dashboard/attention').expect(200)).body as object[];
    expect(await listAttention()).toMatchObject([{ kind: 'failed_orders', count: 1, zoneId: zone.id }]);
    expect(await readAttention()).toMatchObject({ orders: [{ source: 'woocommerce', kind: 'failed', count: 1 }] });
    await send(buildOrder({ id, email, products: [product], modified: '2026-11-01T10:07:00' }));
    expect(await countMembers()).toBe(1);
    expect(await listAttention()).toEqual([]);
    expect(await readAttention()).toMatchObject({ orders: [] });
    expect(await listSubjects(email)).toHaveLength(1);
  });

  it('is reported to all parties on an internal error and continues on replay', async () => {
    await advanceOneHour();
    const email = uniqueBuyer();
    const grants = world.testApp.app.get(EntitlementService);
    jest.spyOn(grants, 'grantEntitlement').mockRejectedValue(new Error('broken on purpose'));
    await sendWebhook.woocommerce(world, buildOrder({ id: nextNumber++, email, products: [product] })).expect(200);
    for (let tries = 0; tries < 10; tries++) {
      await expect(world.testApp.drain()).rejects.toThrow('broken on purpose');
      world.testApp.clock.advance(60 * 60_000);
    }
    await world.testApp.drain();
    const [row] = await searchLog(email);
    expect(row).toMatchObject({ status: 'failed', errorCode: 'INTERNAL' });
    expect(await listSubjects(email)).toEqual(['Your access is being prepared']);
    expect(await listOrderNotices(owner)).toHaveLength(1);
    jest.restoreAllMocks();
    await admin.client.post(`/api/woocommerce/webhook-logs/${String(row!.id)}/replay`).expect(200);
    await world.testApp.drain();
    expect(await countMembers()).toBe(1);
    expect(await listSubjects(email)).toHaveLength(2);
    expect(await readAttention()).toMatchObject({ orders: [] });
  });

  it('is listed for attention to admins only', async () => {
    await owner.client.get('/api/admin/integrations/attention').expect(403);
    await world.createClient().get('/api/admin/integrations/attention').expect(401);
  });
});
