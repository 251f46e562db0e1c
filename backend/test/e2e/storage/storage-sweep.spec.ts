import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { emptyQuarantine, sweepObjects } from '../../../src/modules/files/files.jobs.js';
import { ComparisonLimits } from '../../../src/modules/files/objects/quarantine/object-comparison.service.js';
import { CronScheduler } from '../../../src/platform/jobs/cron/cron-scheduler.js';
import { newObjectKey, Storage } from '../../../src/platform/storage/storage.js';
import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../support/people/actors.js';
import { FakeGcs } from '../../support/fakes/fake-gcs.js';
import { S3FaultProxy } from '../../support/fakes/s3-fault-proxy.js';
import { S3Server } from '../../support/fakes/s3-server.js';
import { describeInProcess, World } from '../../support/world.js';
import { signIn } from '../auth/account-helpers.js';
import { listAuditEntriesBy, registerStaff } from '../admin/staff-helpers.js';
import { uploadFile } from '../files/upload/multipart-helpers.js';
import { listKeys } from './storage.contract.js';

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;

/** Access to a storage behind its driver. */
interface StorageUnderTest {
  readonly env: Record<string, string>;
  /** Stores an unreferenced object of a given age. */
  place(key: string, age: number, world: World): Promise<void>;
  /** Changes an object's age. */
  makeOld(key: string, age: number, world: World): Promise<void>;
  /** Deletes an object but keeps its row. */
  lose(key: string, world: World): Promise<void>;
  fail(world: World): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const local: StorageUnderTest = {
  env: {},
  async place(key, age, world) {
    await mkdir(dirname(pathOf(world, key)), { recursive: true });
    await writeFile(pathOf(world, key), 'stray');
    await this.makeOld(key, age, world);
  },
  async makeOld(key, age, world) {
    const at = new Date(Date.now() - age);
    await utimes(pathOf(world, key), at, at);
  },
  lose: (key, world) => rm(pathOf(world, key)),
  async fail(world) {
    const [folder, movedAway] = [pathOf(world, 'files'), pathOf(world, 'aside')];
    await rename(folder, movedAway);
    await writeFile(folder, '');
    return async () => {
      await rm(folder);
      await rename(movedAway, folder);
    };
  },
  close: async () => undefined,
};

const pathOf = (world: World, key: string) => join(world.testApp.config.dataDir, 'files', key);

async function gcs(): Promise<StorageUnderTest> {
  const fake = await FakeGcs.start();
  const storageUnderTest: StorageUnderTest = {
    env: { STORAGE_URL: 'gs://zonary-test/objects', STORAGE_API_URL: fake.url },
    async place(key, age, world) {
      fake.bucket.putObject(`objects/${key}`, Buffer.from('stray'));
      await this.makeOld(key, age, world);
    },
    async makeOld(key, age) {
      fake.bucket.objects.get(`objects/${key}`)!.createdAt = new Date(Date.now() - age);
    },
    lose: async (key) => void fake.bucket.objects.delete(`objects/${key}`),
    async fail() {
      fake.injectFault('list', { status: 403 }, Infinity);
      return async () => fake.clearFaults();
    },
    close: () => fake.close(),
  };
  return storageUnderTest;
}

async function s3(): Promise<StorageUnderTest> {
  process.env.AWS_ACCESS_KEY_ID = S3Server.credentials.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = S3Server.credentials.secretAccessKey;
  const server = await S3Server.start('zonary-test');
  const proxy = await S3FaultProxy.start(server.url);
  const storageUnderTest: StorageUnderTest = {
    env: { STORAGE_URL: `s3://zonary-test/objects?endpoint=${proxy.url}` },
    async place(key, age, world) {
      await world.testApp.app.get(Storage).write(key, Readable.from([Buffer.from('stray')]));
      await this.makeOld(key, age, world);
    },
    async makeOld(key, age) {
      const at = new Date(Date.now() - age);
      await utimes(server.objectPath('zonary-test', `objects/${key}`), at, at);
    },
    lose: (key) => rm(server.objectPath('zonary-test', `objects/${key}`)),
    async fail() {
      proxy.injectFault('list', { status: 403, code: 'AccessDenied' }, Infinity);
      return async () => proxy.clearFaults();
    },
    async close() {
      await proxy.close();
      await server.close();
      delete process.env.AWS_ACCESS_KEY_ID;
      delete process.env.AWS_SECRET_ACCESS_KEY;
    },
  };
  return storageUnderTest;
}

describeInProcess.each([
  ['a folder', async () => local, 10_000],
  ['a folder with many files', async () => local, 0],
  ['a Google bucket', gcs, 10_000],
  ['an S3 bucket', s3, 10_000],
])('Weekly orphan sweep in %s', (_name, openStorage, maxRowsAtOnce) => {
  let storageUnderTest: StorageUnderTest;
  let world: World;
  let owner: Actor;
  let zone: TestZone;

  beforeAll(async () => {
    storageUnderTest = await openStorage();
    world = await World.open(storageUnderTest.env);
    Object.assign(world.testApp.app.get(ComparisonLimits), { maxRowsAtOnce });
    owner = await registerUser(world);
    zone = await createZone(owner);
  });
  afterAll(async () => {
    await world.close();
    await storageUnderTest.close();
  });

  const execute = <T extends object>(sql: string, params: unknown[] = []) =>
    world.testApp.em().execute<T[]>(sql, params);
  const listObjects = () => listKeys(world.testApp.app.get(Storage).list(''));
  const listReports = async () =>
    (await execute<{ params: object }>(`select params from audit_log where type = 'storage.swept' order by id`)).map(
      ({ params }) => params,
    );
  const listEmptyings = async () =>
    (await execute<{ params: object }>(`select params from audit_log where type = 'quarantine.emptied'`)).map(
      ({ params }) => params,
    );
  const uploadNewFile = async () => {
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('file'), 'text');
    const [row] = await execute<{ key: string }>('select object_key as key from files where id = ?', [id]);
    return { id, key: row!.key };
  };
  const runSweep = async () => {
    // s3rver fails to list an object that is being written, so the pages of uploaded files are stored before.
    await world.testApp.drain();
    world.testApp.clock.advance(WEEK);
    const { app, clock } = world.testApp;
    expect(await app.get(CronScheduler).enqueueCronRun(sweepObjects, clock.now())).toBe(true);
    await world.testApp.drain();
  };

  /** Runs the next night's job. */
  const empty = async () => {
    world.testApp.clock.advance(24 * HOUR);
    const { app, clock } = world.testApp;
    expect(await app.get(CronScheduler).enqueueCronRun(emptyQuarantine, clock.now())).toBe(true);
    await world.testApp.drain();
  };
  const age = (key: string) =>
    execute(`update quarantined_objects set found_at = found_at - interval '40 days' where object_key = ?`, [key]);
  /** An unreferenced object that the sweep has quarantined. */
  const quarantineOrphan = async () => {
    const key = newObjectKey('files');
    await storageUnderTest.place(key, 49 * HOUR, world);
    await runSweep();
    expect(await listObjects()).toContain(`quarantine/${key}`);
    const [row] = await execute<{ id: string }>('select id from quarantined_objects where object_key = ?', [key]);
    return { key, id: Number(row!.id) };
  };

  it('moves old orphans to quarantine and reports their number', async () => {
    const { key } = await uploadNewFile();
    await storageUnderTest.makeOld(key, 30 * WEEK, world);
    const before = await listObjects();
    const [old, young, uploading, otherFamily] = [
      newObjectKey('files'),
      newObjectKey('files'),
      newObjectKey('files'),
      newObjectKey('other'),
    ];
    await storageUnderTest.place(old, 49 * HOUR, world);
    await storageUnderTest.place(young, 47 * HOUR, world);
    await storageUnderTest.place(uploading, 49 * HOUR, world);
    await storageUnderTest.place(otherFamily, 49 * HOUR, world);
    await execute(
      `insert into uploads (object_key, owner_id, lease_until, created_at) values (?, ?, now() + interval '1 year', now())`,
      [uploading, owner.id],
    );
    await runSweep();
    expect(await listObjects()).toEqual([...before, young, uploading, otherFamily, `quarantine/${old}`].sort());
    expect(await listReports()).toEqual([{ moved: 1, restored: 0, missing: 0, fileIds: [] }]);
    await execute('delete from uploads where object_key = ?', [uploading]);
    await runSweep();
    const quarantined = [old, uploading].map((key) => `quarantine/${key}`);
    expect(await listObjects()).toEqual([...before, young, otherFamily, ...quarantined].sort());
    await execute(`update quarantined_objects set found_at = found_at - interval '21 days'`);
    await empty();
    expect(await listObjects()).toEqual([...before, young, otherFamily, ...quarantined].sort());
    await empty();
    // The older one has been in quarantine for 30 days now.
    expect(await listObjects()).toEqual([...before, young, otherFamily, quarantined[1]!].sort());
    expect(await listEmptyings()).toEqual([{ removed: 1, restored: 0 }]);
  });

  it('reports nothing when all objects are referenced, including those in the trash', async () => {
    const before = await listReports();
    const { id, key } = await uploadNewFile();
    await storageUnderTest.makeOld(key, 49 * HOUR, world);
    await owner.client.delete(`/api/files/${id}`).expect(204);
    await runSweep();
    expect(await listObjects()).toContain(key);
    expect(await listReports()).toEqual(before);
  });

  it('reports files with missing objects by ID only and keeps them', async () => {
    const before = await listReports();
    const [lostKey, otherLostKey, elsewhere] = [await uploadNewFile(), await uploadNewFile(), await uploadNewFile()];
    for (const { key } of [lostKey, otherLostKey, elsewhere]) await storageUnderTest.lose(key, world);
    const other = world.testApp.app.get(Storage).type === 'gcs' ? 'local' : 'gcs';
    await execute('update files set storage_type = ? where id = ?', [other, elsewhere.id]);
    await runSweep();
    expect((await listReports()).slice(before.length)).toEqual([
      { moved: 0, restored: 0, missing: 2, fileIds: [lostKey.id, otherLostKey.id] },
    ]);
    await owner.client.get(`/api/files/${lostKey.id}/view`).expect(503);
    await execute('delete from files where id in (?, ?)', [lostKey.id, otherLostKey.id]);
  });

  it('moves and reports nothing while the storage fails, and is retried', async () => {
    const before = await listReports();
    const { key } = await uploadNewFile();
    const orphan = newObjectKey('files');
    await storageUnderTest.place(orphan, 49 * HOUR, world);
    const recover = await storageUnderTest.fail(world);
    await expect(runSweep()).rejects.toThrow('STORAGE_UNAVAILABLE');
    expect(await listReports()).toEqual(before);
    await recover();
    expect(await listObjects()).toEqual(expect.arrayContaining([key, orphan]));
    await execute(`update jobs set run_at = now() where name = 'files.sweep-objects'`);
    await world.testApp.drain();
    expect(await listObjects()).not.toContain(orphan);
    expect((await listReports()).slice(before.length)).toEqual([{ moved: 1, restored: 0, missing: 0, fileIds: [] }]);
  });

  it('restores objects that are referenced again or chosen by a super admin', async () => {
    const { superAdmin, admin } = await registerStaff(world);
    const { id, key } = await uploadNewFile();
    await storageUnderTest.makeOld(key, 49 * HOUR, world);
    await execute(`update files set object_key = 'files/aa/elsewhere' where id = ?`, [id]);
    const orphan = newObjectKey('files');
    await storageUnderTest.place(orphan, 49 * HOUR, world);
    await runSweep();
    expect(await listObjects()).toEqual(expect.arrayContaining([`quarantine/${key}`, `quarantine/${orphan}`]));
    await execute('update files set object_key = ? where id = ?', [key, id]);
    await runSweep();
    expect(await listObjects()).toContain(key);
    await owner.client.get(`/api/files/${id}/view`).expect(200);
    // The administrators' sessions have expired in these days.
    const [asAdmin, asSuperAdmin] = [await signIn(world, admin.email), await signIn(world, superAdmin.email)];
    const { body } = await asAdmin.get('/api/admin/quarantine').expect(200);
    const row = (body as { id: number; key: string; size: number }[]).find((object) => object.key === orphan)!;
    expect(row.size).toBe(5);
    await asAdmin.post(`/api/admin/quarantine/${row.id}/restore`).expect(403);
    await asSuperAdmin.post(`/api/admin/quarantine/${row.id}/restore`).expect(204);
    expect(await listObjects()).toContain(orphan);
    expect(await listAuditEntriesBy(world, superAdmin)).toMatchObject([{ type: 'quarantine.restored' }]);
    const { body: again } = await asSuperAdmin.post(`/api/admin/quarantine/${row.id}/restore`).expect(404);
    expect(again.code).toBe('QUARANTINED_NOT_FOUND');
    await storageUnderTest.lose(orphan, world);
  });

  it('lets a super admin delete objects permanently unless they are referenced', async () => {
    const { superAdmin, admin } = await registerStaff(world);
    const { key, id } = await quarantineOrphan();
    const file = await uploadNewFile();
    const [asAdmin, asSuperAdmin] = [await signIn(world, admin.email), await signIn(world, superAdmin.email)];
    await asAdmin.delete(`/api/admin/quarantine/${id}`).expect(403);
    await execute('update files set object_key = ? where id = ?', [key, file.id]);
    const { body: rejected } = await asSuperAdmin.delete(`/api/admin/quarantine/${id}`).expect(409);
    expect(rejected.code).toBe('QUARANTINED_IS_NAMED');
    await execute('update files set object_key = ? where id = ?', [file.key, file.id]);
    expect(await listObjects()).toContain(`quarantine/${key}`);
    await asSuperAdmin.delete(`/api/admin/quarantine/${id}`).expect(204);
    expect(await listObjects()).not.toContain(`quarantine/${key}`);
    expect(await listAuditEntriesBy(world, superAdmin)).toMatchObject([{ type: 'quarantine.removed' }]);
    await asSuperAdmin.delete(`/api/admin/quarantine/${id}`).expect(404);
  });

  it('restores referenced objects instead of emptying them from quarantine', async () => {
    const [{ key }, file] = [await quarantineOrphan(), await uploadNewFile()];
    await age(key);
    await execute('update files set object_key = ? where id = ?', [key, file.id]);
    await empty();
    expect(await listObjects()).toContain(key);
    expect((await listEmptyings()).at(-1)).toMatchObject({ restored: 1 });
    await execute('update files set object_key = ? where id = ?', [file.key, file.id]);
    await storageUnderTest.lose(key, world);
  });

  it('stops when more than one per cent would move, and notifies super admins', async () => {
    const { key: old } = await quarantineOrphan();
    await age(old);
    const { superAdmin } = await registerStaff(world);
    const before = await listReports();
    const orphans = Array.from({ length: 21 }, () => newObjectKey('files'));
    for (const key of orphans) await storageUnderTest.place(key, 49 * HOUR, world);
    await runSweep();
    expect(await listObjects()).toEqual(expect.arrayContaining(orphans));
    expect(await listReports()).toEqual(before);
    const [stop] = await execute<{ params: { strays: number } }>(
      `select params from audit_log where type = 'storage.sweep-stopped'`,
    );
    expect(stop!.params.strays).toBe(21);
    expect((await world.waitForEmail(superAdmin.email)).text).toContain('21');
    const { body } = await (await signIn(world, superAdmin.email)).get('/api/admin/system').expect(200);
    expect(body.storage.comparison).toMatchObject({ strays: 21, moved: 0, stopped: true });
    await empty();
    expect(await listObjects()).toContain(`quarantine/${old}`);
    // One fewer is below the absolute threshold, whatever their share.
    await storageUnderTest.lose(orphans.pop()!, world);
    await runSweep();
    expect(await listObjects()).toEqual(expect.arrayContaining(orphans.map((key) => `quarantine/${key}`)));
    await empty();
    expect(await listObjects()).not.toContain(`quarantine/${old}`);
  });
});
