import { RequestContext } from '@mikro-orm/core';
import { ActivityPartitionService } from '../../../src/modules/activity/activity-partition.service.js';
import { ActivityService } from '../../../src/modules/activity/activity.service.js';
import { inTransaction } from '../../../src/platform/database/transaction.js';
import { whileTransactionOpen } from '../../support/while-transaction-open.js';
import { createZone, joinPublicZone, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { waitUntil } from '../../support/wait-until.js';
import { describeInProcess, World } from '../../support/world.js';
import { uploadFile } from '../files/upload/multipart-helpers.js';

const MONTH = 31 * 24 * 3600_000;

describeInProcess('Activity log', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;
  let member: Actor;

  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world, { firstName: 'Ada', lastName: 'Lovelace' });
    zone = await createZone(owner, { name: 'Yoga' });
    member = await registerUser(world, { firstName: 'Rosa', lastName: 'Luz' });
    await joinPublicZone(zone, member);
  });
  afterAll(() => world.close());

  const service = () => world.testApp.app.get(ActivityService);
  const execute = (sql: string, params: unknown[] = []) => world.testApp.em().getConnection().execute(sql, params);
  const inContext = <T>(work: () => Promise<T>) => RequestContext.create(world.testApp.em(), work);
  const listLatest = (limit = 10, language: 'en' | 'tr' = 'en') =>
    inContext(() => service().listLatestForOwner(owner.id, limit, language));
  const listPartitions = async () => {
    const sql = `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'activity'::regclass order by 1`;
    return ((await execute(sql)) as { name: string }[]).map(({ name }) => name);
  };

  it('lists the latest activity for the owner in their language', async () => {
    const { id } = await uploadFile(owner.client, zone.id, 'plan.pdf', '%PDF-1.4');
    await member.client.get(`/api/files/${id}/view`).expect(200);
    await member.client.get(`/api/files/${id}/download`).expect(200);
    await owner.client.patch(`/api/files/${id}/rename`).send({ originalName: 'new' }).expect(200);
    await owner.client.delete(`/api/files/${id}`).expect(204);
    const items = await listLatest(5);
    expect(items.map(({ message }) => message)).toEqual([
      'Ada Lovelace moved “new.pdf” in “Yoga” to the trash',
      'Ada Lovelace renamed “plan.pdf” to “new.pdf” in “Yoga”',
      'Rosa Luz downloaded “plan.pdf” from “Yoga”',
      'Rosa Luz viewed “plan.pdf” in “Yoga”',
      'Ada Lovelace uploaded “plan.pdf” to “Yoga”',
    ]);
    expect(items[0]).toMatchObject({
      type: 'file.deleted',
      userEmail: owner.email,
      createdAt: expect.stringMatching(/Z$/),
    });
    expect((await listLatest(1, 'tr'))[0]!.message).toBe(
      'Ada Lovelace, “Yoga” bölgesindeki “new.pdf” dosyasını çöp kutusuna taşıdı',
    );
    expect(await inContext(() => service().listLatestForOwner(owner.id + 1, 5, 'en'))).toEqual([]);
  });

  it('shows a user without a last name by the first name', async () => {
    await member.client.put('/api/user/profile').send({ firstName: 'Rosa', lastName: '' }).expect(200);
    const { id } = await uploadFile(owner.client, zone.id, 'solo.pdf', '%PDF-1.4');
    await member.client.get(`/api/files/${id}/view`).expect(200);
    expect((await listLatest(1))[0]!.message).toBe('Rosa viewed “solo.pdf” in “Yoga”');
  });

  it('contains only committed events', async () => {
    const before = (await listLatest(1000)).length;
    const params = { zoneName: 'Yoga' };
    const broken = inTransaction(world.testApp.em(), async (em) => {
      await service().record(em, { type: 'member.left', ownerId: owner.id, params });
      throw new Error('no');
    });
    await expect(broken).rejects.toThrow('no');
    expect(await listLatest(1000)).toHaveLength(before);
    const entry = { type: 'member.left' as const, ownerId: owner.id, params };
    await inTransaction(world.testApp.em(), (em) => service().record(em, entry, entry));
    expect((await listLatest(2)).map(({ message }) => message)).toEqual(['Someone left “Yoga”', 'Someone left “Yoga”']);
  });

  it('deletes view markers once unused but keeps the counts', async () => {
    const { id } = await uploadFile(owner.client, zone.id, 'seen.txt', 'x');
    await member.client.get(`/api/files/${id}/view`).expect(200);
    const run = () => inContext(() => world.testApp.app.get(ActivityService, { strict: false }).purgeViewings());
    await run();
    expect(await execute('select 1 from viewings where file_id = ?', [id])).toHaveLength(1);
    world.testApp.clock.advance(26 * 3600_000);
    await run();
    expect(await execute('select 1 from viewings')).toHaveLength(0);
    expect(await execute('select views from file_stats where file_id = ?', [id])).toEqual([{ views: 1 }]);
  });

  it('creates partitions for this month and the next three and moves earlier rows there', async () => {
    const record = (zoneName: string) =>
      service().record(world.testApp.em(), { type: 'member.joined', ownerId: owner.id, params: { zoneName } });
    // On the last day of a month, these rows are in the previous month's partition, because the clock advances by over
    // a day.
    await record('Earlier');
    const left = () =>
      execute(`select 1 from activity_default where created_at >= date_trunc('month', ?::timestamptz, 'UTC')`, [
        world.testApp.clock.now(),
      ]);
    const before = await listLatest(1000);
    const run = () =>
      inContext(() => world.testApp.app.get(ActivityPartitionService, { strict: false }).createPartitions());
    expect(await listPartitions()).toEqual(['activity_default']);
    expect((await left()).length).toBeGreaterThan(0);
    await run();
    const partitions = await listPartitions();
    expect(partitions).toHaveLength(5);
    expect(partitions).toContain(`activity_${world.testApp.clock.now().toISOString().slice(0, 7).replace('-', '_')}`);
    expect(await left()).toHaveLength(0);
    expect(await listLatest(1000)).toEqual(before);
    await run();
    expect(await listPartitions()).toEqual(partitions);
    world.testApp.clock.advance(2 * MONTH);
    await run();
    expect((await listPartitions()).length).toBeGreaterThanOrEqual(partitions.length + 1);
    await record('Later');
    expect(await left()).toHaveLength(0);
    expect((await listLatest(1))[0]!.message).toContain('Later');
  });

  it('accepts inserts while the partition of their month is created', async () => {
    world.testApp.clock.advance(6 * MONTH);
    const record = () =>
      service().record(world.testApp.em(), {
        type: 'member.joined',
        ownerId: owner.id,
        params: { zoneName: 'Meanwhile' },
      });
    const listWaitingStatements = async () =>
      (await execute(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )) as unknown[];
    // An open transaction writes to the default partition; the partition is created after it, while another one writes.
    await whileTransactionOpen(
      world,
      { sql: 'lock table activity_default in row exclusive mode' },
      async () => {
        const creation = inContext(() =>
          world.testApp.app.get(ActivityPartitionService, { strict: false }).createPartitions(),
        );
        await waitUntil(
          'creating the partition waits for the lock',
          async () => (await listWaitingStatements()).length > 0,
        );
        await Promise.all([creation, record()]);
      },
      2,
    );
    expect((await listLatest(1))[0]!.message).toContain('Meanwhile');
    expect(await listPartitions()).toContain(
      `activity_${world.testApp.clock.now().toISOString().slice(0, 7).replace('-', '_')}`,
    );
  });
});
