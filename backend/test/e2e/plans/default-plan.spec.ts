import { UsageService } from '../../../src/modules/plans/usage.service.js';
import { inTransaction } from '../../../src/platform/database/transaction.js';
import { createZone, registerUsers, registerUser, uniqueName, type Actor } from '../../support/people/actors.js';
import { describeInProcess } from '../../support/world.js';
import { createTestApp } from '../../support/test-app.js';
import { waitUntil } from '../../support/wait-until.js';
import { makeSuperAdmin } from '../admin/staff-helpers.js';
import { listAuditTypes } from '../auth/account-helpers.js';
import { BillingWorld } from '../billing/billing-world.js';

describeInProcess('Default plan', () => {
  let billing: BillingWorld;
  let admin: Actor;
  beforeAll(async () => {
    billing = await BillingWorld.open();
    admin = await registerUser(billing.world);
    await makeSuperAdmin(billing.world, admin);
  });
  afterEach(() => set({ purpose: null, defaultPlan: null }));
  afterAll(() => billing.close());

  const change = (body: object) => admin.client.patch('/api/admin/installation').send(body);
  const set = async (body: object) => {
    await change(body).expect(200);
    await billing.drainToleratingFailures();
  };
  const grant = (actor: Actor, plan: string, limits?: object) =>
    admin.client.patch(`/api/admin/users/${actor.id}/plan`).send({ plan, limits }).expect(200);
  const createZoneAs = (actor: Actor) =>
    actor.client.post('/api/zones').send({ name: uniqueName('Zone'), type: 'private' });
  /** The enforced limit, not the displayed one. */
  const readEnforcedLimit = async ({ id }: Actor) => {
    const rows = await billing.query<{ used: number; allowed: number | null }>(
      `select used::int, allowed::int from usage where owner_id = ? and metric = 'zones'`,
      [id],
    );
    return rows[0];
  };
  /** Statements waiting for a lock. */
  const countWaitingStatements = async () => {
    const [row] = await billing.query<{ count: number }>(
      `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row!.count;
  };
  const storedPlan = async ({ id }: Actor) => {
    const [row] = await billing.query(
      'select u.plan, o.granted_plan as granted from users u left join owner_plans o on o.owner_id = u.id where u.id = ?',
      [id],
    );
    return row;
  };

  it('raises the limits of existing and new users and lowers them like a downgrade', async () => {
    const before = await registerUser(billing.world);
    await createZone(before);
    await createZoneAs(before).expect(403);
    await set({ defaultPlan: 'starter' });
    const after = await registerUser(billing.world);
    for (const owner of [before, after]) {
      await createZoneAs(owner).expect(201);
      await createZoneAs(owner).expect(201);
      expect(await billing.readSubscriptionStatus(owner)).toMatchObject({
        plan: 'starter',
        heldBy: null,
        can: { manage: false },
      });
      expect((await billing.readSubscriptionStatus(owner)).can.buy).toEqual(['creator', 'pro-creator']);
    }
    await set({ defaultPlan: null });
    for (const [owner, used] of [
      [before, 3],
      [after, 2],
    ] as const) {
      expect(await readEnforcedLimit(owner)).toEqual({ used, allowed: 1 });
      expect((await createZoneAs(owner).expect(403)).body).toMatchObject({ limit: 'zones', used, allowed: 1 });
      // The plan was never granted to them, so neither a grant nor a plan change is recorded.
      expect(await storedPlan(owner)).toEqual({ plan: 'free', granted: null });
      expect(await listAuditTypes(billing.world, owner.id)).not.toContain('plan.changed');
    }
  });

  it('keeps plans granted or bought while it applied', async () => {
    await set({ defaultPlan: 'starter' });
    const [given, taken] = [await registerUser(billing.world), await registerUser(billing.world)];
    await grant(given, 'creator');
    await grant(taken, 'creator');
    await grant(taken, 'free');
    const buyer = await billing.registerSubscriber('pro-creator');
    await set({ purpose: 'own' });
    for (const owner of [given, taken, buyer]) {
      await createZoneAs(owner).expect(201);
      expect(await readEnforcedLimit(owner)).toEqual({ used: 1, allowed: null });
    }
    await set({ purpose: 'service', defaultPlan: null });
    expect(await storedPlan(given)).toEqual({ plan: 'creator', granted: 'creator' });
    expect(await storedPlan(taken)).toEqual({ plan: 'free', granted: null });
    expect(await storedPlan(buyer)).toEqual({ plan: 'pro-creator', granted: null });
    expect([await readEnforcedLimit(given), await readEnforcedLimit(taken), await readEnforcedLimit(buyer)]).toEqual([
      { used: 1, allowed: 15 },
      { used: 1, allowed: 1 },
      { used: 1, allowed: 100 },
    ]);
    expect(await billing.readSubscriptionStatus(buyer)).toMatchObject({ plan: 'pro-creator', heldBy: 'subscription' });
  });

  it('applies to a subscriber again when the subscription ends', async () => {
    const buyer = await billing.registerSubscriber('creator');
    await createZone(buyer);
    await set({ purpose: 'own' });
    billing.account.cancelSubscription(buyer.subscription.id);
    await billing.deliverEvents();
    expect(await billing.readSubscriptionStatus(buyer)).toMatchObject({ plan: 'enterprise', heldBy: null });
    expect(await readEnforcedLimit(buyer)).toEqual({ used: 1, allowed: null });
    await set({ purpose: 'service' });
    expect(await readEnforcedLimit(buyer)).toEqual({ used: 1, allowed: 1 });
  });

  it('overrides agreed limits while it is unlimited', async () => {
    const owner = await registerUser(billing.world);
    await createZone(owner);
    await grant(owner, 'enterprise', { zones: 1 });
    await createZoneAs(owner).expect(403);
    await set({ purpose: 'own' });
    await createZoneAs(owner).expect(201);
    await set({ purpose: 'service' });
    expect(await readEnforcedLimit(owner)).toEqual({ used: 2, allowed: 1 });
  });

  it('applies to a user whose usage row is created concurrently', async () => {
    const owner = await registerUser(billing.world);
    const usage = billing.world.testApp.app.get(UsageService);
    let begin: () => void = () => undefined;
    // Created here, so that it doesn't run in the context of the transaction below.
    const started = new Promise<void>((resolve) => (begin = resolve));
    let isDone = false;
    const changed = started.then(() => set({ defaultPlan: 'creator' })).then(() => void (isDone = true));
    await inTransaction(billing.world.testApp.em(), async (em) => {
      await usage.addUsage(em, owner.id, 'zones', 1);
      begin();
      await waitUntil(
        'the change waits for the transaction or has completed',
        async () => isDone || (await countWaitingStatements()) > 0,
      );
    });
    await changed;
    expect(await readEnforcedLimit(owner)).toEqual({ used: 1, allowed: 15 });
  });

  it('is consistent for zones created while it changes', async () => {
    const owners = await registerUsers(billing.world, 6);
    const requests = owners.flatMap((owner) => [createZoneAs(owner), createZoneAs(owner), createZoneAs(owner)]);
    const [responses] = await Promise.all([Promise.all(requests), set({ defaultPlan: 'starter' })]);
    await billing.drainToleratingFailures();
    for (const [n, owner] of owners.entries()) {
      const used = responses.slice(n * 3, n * 3 + 3).filter(({ status }) => status === 201).length;
      expect(used).toBeGreaterThan(0);
      expect(await readEnforcedLimit(owner)).toEqual({ used, allowed: 5 });
    }
  });

  it('follows the environment variable at the next start and ends without it', async () => {
    const owner = await registerUser(billing.world);
    await createZone(owner);
    const start = async (env: Record<string, string>) => {
      const other = await createTestApp(env, [], billing.world.testApp.connection);
      await other.close();
      await billing.drainToleratingFailures();
    };
    await start({ DEFAULT_PLAN: 'pro-creator' });
    expect(await readEnforcedLimit(owner)).toEqual({ used: 1, allowed: 100 });
    await start({});
    expect(await readEnforcedLimit(owner)).toEqual({ used: 1, allowed: 1 });
  });

  it('does not limit super admins, including those set by a variable later', async () => {
    const owner = await registerUser(billing.world);
    await createZone(owner);
    expect(await readEnforcedLimit(owner)).toEqual({ used: 1, allowed: 1 });
    await createZoneAs(owner).expect(403);
    const other = await createTestApp({ SUPER_ADMIN_EMAIL: owner.email }, [], billing.world.testApp.connection);
    await other.close();
    expect(await readEnforcedLimit(owner)).toEqual({ used: 1, allowed: null });
    await createZoneAs(owner).expect(201);
    const { body } = await owner.client.get('/api/user/usage').expect(200);
    const limits = (body as { metric: string; allowed: number | null }[]).map(({ allowed }) => allowed);
    expect(limits).toEqual([null, null, null, null]);
  });

  it('ends in one state after two concurrent changes', async () => {
    await set({ purpose: 'own' });
    const responses = await Promise.all([change({ purpose: 'service' }), change({ defaultPlan: 'creator' })]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await billing.query('select plan from default_plan')).toEqual([{ plan: 'creator' }]);
  });
});
