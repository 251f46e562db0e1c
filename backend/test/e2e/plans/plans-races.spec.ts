import { PlanService } from '../../../src/modules/plans/plan.service.js';
import { LimitWarningService } from '../../../src/modules/plans/warnings/limit-warning.service.js';
import { inTransaction } from '../../../src/platform/database/transaction.js';
import { createZone, registerUser, type Actor } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';

describeInProcess('Concurrent plan changes', () => {
  let world: World;
  let owner: Actor;
  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    owner = await registerUser(world);
    await createZone(owner);
  });
  afterAll(() => world.close());

  /** The enforced limit, not the displayed one. */
  const readEnforcedLimit = async (metric: string) => {
    const sql = 'select used::int, allowed::int from usage where owner_id = ? and metric = ?';
    const [row] = await world.testApp.em().execute<object[]>(sql, [owner.id, metric]);
    return row;
  };

  it('leave the limits of the last one, even if they are recalculated meanwhile', async () => {
    const plans = world.testApp.app.get(PlanService);
    const em = () => world.testApp.em().fork();
    let begin: () => void = () => undefined;
    // Created here, so that it doesn't run in the context of the other transaction.
    const started = new Promise<void>((resolve) => (begin = resolve));
    const follow = started.then(() =>
      inTransaction(em(), (second) => plans.syncOwnerPlan(second, owner.id, { why: 'role' })),
    );
    await inTransaction(em(), async (first) => {
      await plans.setSubscribedPlan(first, owner.id, 'creator');
      begin();
      // In milliseconds; long enough for the second to get as far as it can.
      await new Promise((resolve) => setTimeout(resolve, 300));
    });
    await follow;
    expect(await readEnforcedLimit('zones')).toEqual({ used: 1, allowed: 15 });
    expect((await owner.client.get('/api/user').expect(200)).body.plan).toBe('creator');
  });

  it('suppress a pending warning when usage is below the limit again', async () => {
    const setUsage = (used: number) =>
      world.testApp
        .em()
        .execute(`update usage set used = ? where owner_id = ? and metric = 'people'`, [used, owner.id]);
    const countWarnings = async () =>
      (await world.listEmails(owner.email)).filter(({ subject }) => /members and invitations/.test(subject)).length;
    const find = () =>
      world.testApp.app
        .get(LimitWarningService)
        .enqueueWarnings({} as never, { signal: new AbortController().signal } as never);
    const plans = world.testApp.app.get(PlanService);
    await inTransaction(world.testApp.em().fork(), (em) => plans.syncOwnerPlan(em, owner.id, { why: 'role' }));
    await setUsage(90);
    await find();
    await setUsage(10);
    await world.testApp.drain();
    expect(await countWarnings()).toBe(0);
    await setUsage(100);
    await find();
    await world.testApp.drain();
    expect(await countWarnings()).toBe(1);
  });
});
