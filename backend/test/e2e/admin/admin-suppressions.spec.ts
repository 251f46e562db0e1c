import { SuppressionRepository } from '../../../src/modules/zones/leaving/suppression.repository.js';
import { MINUTE } from '../../../src/platform/clock/clock.js';
import { registerUser, uniqueName, type Actor } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { listAuditEntriesBy, registerStaff } from './staff-helpers.js';

describeInProcess('Lifting suppressions as an admin', () => {
  let world: World;
  let admin: Actor;
  let owners: [Actor, Actor];

  beforeAll(async () => {
    world = await World.open();
    ({ admin } = await registerStaff(world));
  });
  beforeEach(async () => {
    owners = [await registerUser(world), await registerUser(world)];
  });
  afterAll(() => world.close());

  const lift = (body: object, by: Actor = admin) => by.client.post('/api/admin/suppressions/lift').send(body);
  const suppressions = () => world.testApp.app.get(SuppressionRepository, { strict: false });
  /** Suppresses an address of the owner after a failure or complaint; returns the address. */
  async function add(owner: Actor, reason: 'failed' | 'complaint' = 'failed'): Promise<string> {
    const email = `${uniqueName('gone')}@example.org`;
    await suppressions().addSuppression(world.testApp.em(), owner.id, email, reason);
    return email;
  }
  const entryOf = async (email: string): Promise<number | undefined> =>
    (await admin.client.get('/api/admin/suppressions').query({ q: email }).expect(200)).body[0]?.id;
  const notifications = async () =>
    (await listAuditEntriesBy(world, admin)).filter(({ type }) => type === 'suppression.many-lifted');

  it('lifts named failures and excludes earlier bounces for their owners', async () => {
    const [mine, other, complained, left] = [
      await add(owners[0]),
      await add(owners[1]),
      await add(owners[0], 'complaint'),
      await add(owners[0]),
    ];
    const ids = await Promise.all([mine, other, complained].map(entryOf));
    expect((await lift({ ids }).expect(200)).body).toEqual({ lifted: 2 });
    expect(await Promise.all([mine, other, complained, left].map(async (email) => !(await entryOf(email))))).toEqual([
      ...[true, true, false, false],
    ]);
    const em = world.testApp.em();
    expect([...(await suppressions().findLiftDates(em, owners[0].id, [mine, complained, left])).keys()]).toEqual([
      mine,
    ]);
    expect([...(await suppressions().findLiftDates(em, owners[1].id, [other])).keys()]).toEqual([other]);
    expect(await notifications()).toMatchObject(owners.map(({ id }) => ({ subject_id: id, params: { lifted: 1 } })));
    expect((await lift({ ids }).expect(200)).body).toEqual({ lifted: 0 });
    expect(await notifications()).toHaveLength(2);
  });

  it('lifts all failures since a time for all owners', async () => {
    const before = await add(owners[0]);
    world.testApp.clock.advance(5 * MINUTE);
    const failedSince = world.testApp.clock.now().toISOString();
    const since = [await add(owners[0]), await add(owners[0]), await add(owners[1]), await add(owners[1], 'complaint')];
    expect((await lift({ failedSince }).expect(200)).body).toEqual({ lifted: 3 });
    expect(await Promise.all([before, ...since].map(async (email) => !(await entryOf(email))))).toEqual([
      ...[false, true, true, true, false],
    ]);
    expect((await notifications()).slice(-2)).toMatchObject([
      { subject_id: owners[0].id, params: { lifted: 2, failedSince } },
      { subject_id: owners[1].id, params: { lifted: 1, failedSince } },
    ]);
  });

  it('lifts once for concurrent requests', async () => {
    const ids = await Promise.all([await add(owners[0]), await add(owners[1]), await add(owners[0])].map(entryOf));
    const responses = await Promise.all([ids, ids.toReversed(), ids].map((some) => lift({ ids: some }).expect(200)));
    expect(responses.reduce((sum, { body }) => sum + body.lifted, 0)).toBe(3);
  });

  it('requires exactly one of the two ways and admin rights', async () => {
    const failedSince = world.testApp.clock.now().toISOString();
    const wrong = [{}, { ids: [] }, { ids: [0] }, { ids: ['x'] }, { ids: null }, { failedSince: 'soon' }];
    for (const body of [...wrong, { failedSince: null }, { ids: [1], failedSince }, { ids: Array(1001).fill(1) }]) {
      await lift(body).expect(400);
    }
    await lift({ ids: [1] }, owners[0]).expect(403);
  });
});
