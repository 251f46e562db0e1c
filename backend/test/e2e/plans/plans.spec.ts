import { selectDecisiveSubscription, type SubscriptionData } from '../../../src/modules/billing/billing.policy.js';
import { metrics, planIds, type SoldPlanId } from '../../../src/modules/plans/plan-catalogue.js';
import { enqueueLimitWarnings } from '../../../src/modules/plans/plans.jobs.js';
import { CronScheduler } from '../../../src/platform/jobs/cron/cron-scheduler.js';
import { createZone, joinPublicZone, registerUser, uniqueName, type Actor } from '../../support/people/actors.js';
import { describeInProcess } from '../../support/world.js';
import { runConcurrently, listAuditTypes, reauthenticate, countStatuses } from '../auth/account-helpers.js';
import { BillingWorld } from '../billing/billing-world.js';
import { uploadFile, postFiles } from '../files/upload/multipart-helpers.js';

const GB = 2 ** 30;
const MONTH = 31 * 86_400_000;

describeInProcess('Plans', () => {
  let billing: BillingWorld;
  let admin: Actor;
  beforeAll(async () => {
    billing = await BillingWorld.open();
    admin = await registerUser(billing.world);
    await billing.query('update users set is_super_admin = true where id = ?', [admin.id]);
  });
  afterAll(() => billing.close());

  const grant = (actor: Actor, body: object) => admin.client.patch(`/api/admin/users/${actor.id}/plan`).send(body);
  const setUsed = (actor: Actor, metric: string, used: number) =>
    billing.query('update usage set used = ? where owner_id = ? and metric = ?', [used, actor.id, metric]);
  const createZoneAs = (actor: Actor) =>
    actor.client.post('/api/zones').send({ name: uniqueName('Zone'), type: 'private' });
  const runWarningJob = async () => {
    const { app, clock, drain } = billing.world.testApp;
    clock.advance(3_600_000);
    await app.get(CronScheduler).enqueueCronRun(enqueueLimitWarnings, clock.now());
    await drain();
  };
  const listWarnings = async (actor: Actor) =>
    (await billing.world.listEmails(actor.email)).filter(({ subject }) => /You've used/.test(subject));

  it('are those of the price list', async () => {
    const { body } = await billing.world.createClient().get('/api/plans').expect(200);
    const rows = (
      body as Record<'id' | 'name' | 'monthlyPriceText' | 'yearlyPriceText' | 'limits' | 'popular', never>[]
    ).map((plan) => [
      plan.id,
      plan.name,
      plan.monthlyPriceText,
      plan.yearlyPriceText,
      ...Object.values(plan.limits),
      plan.popular,
    ]);
    expect(rows).toEqual([
      ['free', 'Always Free', '$0', '$0', 1, 100, GB, 100, 100, false],
      ['starter', 'Starter', '$3.99', '$39.90', 5, 1000, 5 * GB, 3000, 500, false],
      ['creator', 'Creator', '$7.99', '$79.90', 15, 5000, 25 * GB, 15_000, 2000, true],
      ['pro-creator', 'Pro Creator', '$14.99', '$149.90', 100, 25_000, 100 * GB, 75_000, 10_000, false],
      ['enterprise', 'Enterprise', null, null, null, null, null, null, null, false],
    ]);
    expect(body[1]).toMatchObject({ monthlyPrice: 399, yearlyPrice: 3990, currency: 'USD' });
    expect(body[1].intervals).toEqual(['monthly', 'yearly']);
  });

  it('keep their ranking after the API description is read', async () => {
    const limited = async () => {
      const { body } = await billing.world.createClient().get('/api/plans').expect(200);
      return (body as { id: string; limits: object; features: string[] }[]).map(({ id, limits, features }) => [
        id,
        Object.keys(limits),
        features,
      ]);
    };
    const before = await limited();
    const contract = (await billing.world.createClient().get('/api/openapi.json').expect(200)).body;
    await billing.world.createClient().get('/api/docs').expect(200);
    expect(contract.components.schemas.PlanDto.properties.id.enum).toEqual([...planIds].sort());
    expect([...planIds]).toEqual(['free', 'starter', 'creator', 'pro-creator', 'enterprise']);
    expect([...metrics]).toEqual(['zones', 'people', 'bytes', 'mails']);
    expect(await limited()).toEqual(before);
    // The larger plan applies although it is older; alphabetically the smaller would come first.
    const live = { status: 'active', interval: null, currentPeriodEnd: null, amount: null, currency: null };
    const subscriptionData = (plan: SoldPlanId, createdAt: number): SubscriptionData => ({
      ...live,
      id: plan,
      plan,
      cancelAtPeriodEnd: false,
      owedSince: null,
      paused: false,
      createdAt: new Date(createdAt),
    });
    expect(selectDecisiveSubscription([subscriptionData('starter', 1), subscriptionData('creator', 0)])?.plan).toBe(
      'creator',
    );
  });

  describe('with zones at the limit', () => {
    it('hold for parallel requests and follow the subscription', async () => {
      const actor = await registerUser(billing.world);
      await createZoneAs(actor).expect(201);
      const { body } = await createZoneAs(actor).expect(403);
      expect(body).toMatchObject({ code: 'PLAN_LIMIT', planLimit: true, limit: 'zones', used: 1, allowed: 1 });
      const subscription = billing.account.completeCheckout(await billing.startCheckout(actor, 'starter'));
      await billing.deliverEvents();
      expect(countStatuses(await runConcurrently(20, () => createZoneAs(actor)))).toEqual({ 201: 4, 403: 16 });
      billing.account.cancelSubscription(subscription.id);
      await billing.deliverEvents();
      expect((await createZoneAs(actor).expect(403)).body).toMatchObject({ used: 5, allowed: 1 });
      expect((await actor.client.get('/api/zones').expect(200)).body).toHaveLength(5);
      expect((await billing.readUsage(actor)).zones).toEqual({ metric: 'zones', used: 5, allowed: 1, warning: 100 });
    });

    it('never exceed the larger limit while the plan changes', async () => {
      const actor = await registerUser(billing.world);
      billing.account.completeCheckout(await billing.startCheckout(actor, 'starter'));
      const [, responses] = await Promise.all([
        billing.deliverEvents(),
        runConcurrently(30, () => createZoneAs(actor)),
      ]);
      const createdCount = responses.filter(({ status }) => status === 201).length;
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201, 403]));
      expect(createdCount).toBeGreaterThanOrEqual(1);
      expect(createdCount).toBeLessThanOrEqual(5);
      const rows = await billing.query<{ used: string; allowed: string }>(
        `select used, allowed from usage where owner_id = ? and metric = 'zones'`,
        [actor.id],
      );
      expect(rows.map(({ used, allowed }) => [Number(used), Number(allowed)])).toEqual([[createdCount, 5]]);
    });
  });

  it('limit people and allow more after an upgrade', async () => {
    const owner = await registerUser(billing.world);
    const zone = await createZone(owner);
    const [first, second, third] = [
      await registerUser(billing.world),
      await registerUser(billing.world),
      await registerUser(billing.world),
    ];
    await joinPublicZone(zone, first);
    await setUsed(owner, 'people', 99);
    await joinPublicZone(zone, second);
    const requestJoin = () =>
      third.client.post(`/api/public-zones/${zone.publicLink}/join`).send({ email: third.email, emailConsent: true });
    expect((await requestJoin().expect(403)).body.code).toBe('ZONE_FULL');
    await grant(owner, { plan: 'starter' }).expect(200);
    await requestJoin().expect(200);
    await grant(owner, { plan: 'free' }).expect(200);
    expect((await billing.readUsage(owner)).people).toMatchObject({ used: 101, allowed: 100, warning: 100 });
  });

  it('limit bytes to exactly the agreed number', async () => {
    const owner = await registerUser(billing.world);
    await grant(owner, { plan: 'enterprise', limits: { bytes: 1000, zones: 2 } }).expect(200);
    const zone = await createZone(owner);
    await uploadFile(owner.client, zone.id, 'fits', Buffer.alloc(999));
    const { body } = await postFiles(owner.client, zone.id, [{ name: 'over', body: Buffer.alloc(2) }]).expect(403);
    expect(body).toMatchObject({ limit: 'bytes', used: 999, allowed: 1000 });
    await uploadFile(owner.client, zone.id, 'last', Buffer.alloc(1));
    await createZoneAs(owner).expect(201);
    await createZoneAs(owner).expect(403);
    await grant(owner, { plan: 'enterprise', limits: { bytes: null, zones: 3 } }).expect(200);
    await uploadFile(owner.client, zone.id, 'more', Buffer.alloc(5000));
    await createZoneAs(owner).expect(201);
    expect((await billing.readUsage(owner)).bytes).toEqual({
      metric: 'bytes',
      used: 6000,
      allowed: null,
      warning: null,
    });
  });

  describe('granted by a super admin', () => {
    it('apply their own limits, are audited and can be revoked', async () => {
      const owner = await registerUser(billing.world);
      const limits = { zones: 7, people: 12, bytes: 34, mails: 56, invites: 9 };
      const { body } = await grant(owner, { plan: 'enterprise', limits }).expect(200);
      expect(body).toEqual({
        userId: owner.id,
        plan: 'enterprise',
        subscribedPlan: 'free',
        grantedPlan: 'enterprise',
        defaultPlan: 'free',
        maxFileBytes: 50 * 2 ** 30,
        limits,
      });
      const usage = await billing.readUsage(owner);
      expect(Object.values(usage).map(({ allowed }) => allowed)).toEqual([7, 12, 34, 56]);
      expect(await billing.readSubscriptionStatus(owner)).toMatchObject({
        plan: 'enterprise',
        heldBy: 'agreement',
        subscription: null,
        can: { upgrade: false, manage: true },
      });
      expect((await owner.client.post('/api/manage-subscription').expect(409)).body.code).toBe('PLAN_BY_AGREEMENT');
      await grant(owner, { plan: 'free' }).expect(200);
      expect(await billing.readSubscriptionStatus(owner)).toMatchObject({ plan: 'free', heldBy: null });
      expect((await billing.readUsage(owner)).zones!.allowed).toBe(1);
      const record = await listAuditTypes(billing.world, owner.id);
      expect(record.filter((type) => /^plan\./.test(type))).toEqual([
        'plan.granted',
        'plan.changed',
        'plan.granted',
        'plan.changed',
      ]);
    });

    it('apply alongside a subscription, whichever is larger', async () => {
      const owner = await billing.registerSubscriber('creator');
      expect((await grant(owner, { plan: 'starter' }).expect(200)).body.plan).toBe('creator');
      expect((await grant(owner, { plan: 'enterprise' }).expect(200)).body.plan).toBe('enterprise');
      billing.account.renewSubscription(owner.subscription.id);
      await billing.deliverEvents();
      expect((await billing.readSubscriptionStatus(owner)).plan).toBe('enterprise');
      expect((await grant(owner, { plan: 'free' }).expect(200)).body.plan).toBe('creator');
      billing.account.cancelSubscription(owner.subscription.id);
      await billing.deliverEvents();
      expect((await billing.readSubscriptionStatus(owner)).plan).toBe('free');
    });

    it.each([
      ['an unknown plan', { plan: 'gold' }],
      ['no plan', {}],
      ['limits of another plan', { plan: 'starter', limits: { zones: 3 } }],
      ['a negative limit', { plan: 'enterprise', limits: { zones: -1 } }],
      ['a fractional limit', { plan: 'enterprise', limits: { people: 1.5 } }],
      ['a limit beyond the integer range', { plan: 'enterprise', limits: { bytes: 2 ** 60 } }],
      ['a limit that is a string', { plan: 'enterprise', limits: { mails: '10' } }],
      ['an unknown limit', { plan: 'enterprise', limits: { cats: 1 } }],
      ['limits that are not an object', { plan: 'enterprise', limits: 5 }],
      ['limits that are null', { plan: 'enterprise', limits: null }],
    ])('are rejected with %s, changing nothing', async (_, body) => {
      const owner = await registerUser(billing.world);
      expect((await grant(owner, body).expect(400)).body.code).toBe('VALIDATION_FAILED');
      expect((await billing.readSubscriptionStatus(owner)).plan).toBe('free');
      expect(await listAuditTypes(billing.world, owner.id)).not.toContain('plan.granted');
    });

    it('can be read by admins and granted by super admins only', async () => {
      const [owner, helper, outsider] = [
        await registerUser(billing.world),
        await registerUser(billing.world),
        await registerUser(billing.world),
      ];
      await billing.query(`update users set role = 'admin' where id = ?`, [helper.id]);
      const path = `/api/admin/users/${owner.id}/plan`;
      const matrix: [Actor | null, number, number][] = [
        [admin, 200, 200],
        [helper, 200, 403],
        [owner, 403, 403],
        [outsider, 403, 403],
        [null, 401, 401],
      ];
      for (const [actor, canView, grants] of matrix) {
        const client = actor?.client ?? billing.world.createClient();
        await client.get(path).expect(canView);
        await client.patch(path).send({ plan: 'starter' }).expect(grants);
      }
      await admin.client.patch('/api/admin/users/999999/plan').send({ plan: 'starter' }).expect(404);
      await admin.client.get('/api/admin/users/999999/plan').expect(404);
    });
  });

  describe('with usage warnings', () => {
    it('show bytes as sizes and skip deactivated users and those below the limit again', async () => {
      const [owner, deletedUser] = [await registerUser(billing.world), await registerUser(billing.world)];
      for (const actor of [owner, deletedUser]) {
        await grant(actor, { plan: 'starter' }).expect(200);
        await setUsed(actor, 'bytes', 5 * GB);
      }
      await billing.query('update users set deactivated_at = now() where id = ?', [deletedUser.id]);
      await runWarningJob();
      expect((await listWarnings(owner))[0]!.text).toContain('5 GB of 5 GB');
      expect(await listWarnings(deletedUser)).toHaveLength(0);
    });

    it('warn at 80 and 100 per cent once a month each', async () => {
      const owner = await registerUser(billing.world);
      await reauthenticate(admin);
      await createZone(owner);
      await grant(owner, { plan: 'free' }).expect(200);
      await setUsed(owner, 'people', 79);
      await runWarningJob();
      expect(await listWarnings(owner)).toHaveLength(0);
      await setUsed(owner, 'people', 80);
      expect((await billing.readUsage(owner)).people).toMatchObject({ used: 80, allowed: 100, warning: 80 });
      await runWarningJob();
      await runWarningJob();
      expect((await listWarnings(owner)).map(({ subject }) => subject)).toEqual([
        "You've used most of the members and invitations of your plan",
      ]);
      await setUsed(owner, 'people', 100);
      await runWarningJob();
      await runWarningJob();
      expect(await listWarnings(owner)).toHaveLength(2);
      expect((await listWarnings(owner))[0]!.text).toContain('100 of 100');
      await setUsed(owner, 'people', 85);
      await runWarningJob();
      expect(await listWarnings(owner)).toHaveLength(2);
      billing.world.testApp.clock.advance(MONTH);
      await runWarningJob();
      expect(await listWarnings(owner)).toHaveLength(3);
    });
  });
});
