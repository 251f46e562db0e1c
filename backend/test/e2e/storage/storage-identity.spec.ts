import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppConfig } from '../../../src/platform/config/app-config.js';
import { InstallationRepository } from '../../../src/platform/installation/installation.repository.js';
import { CronScheduler } from '../../../src/platform/jobs/cron/cron-scheduler.js';
import { DiskProbe } from '../../../src/platform/storage/disk-reserve.js';
import { renewStorageMark, StorageCheck } from '../../../src/platform/storage/ownership/storage-check.js';
import { StorageOwnershipGuard } from '../../../src/platform/storage/ownership/storage-ownership-guard.js';
import { serializeMark, parseMark } from '../../../src/platform/storage/ownership/storage-mark.js';
import { LocalStorage } from '../../../src/platform/storage/local/local-storage.js';
import { newObjectKey, Storage } from '../../../src/platform/storage/storage.js';
import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../support/people/actors.js';
import { createTestApp } from '../../support/test-app.js';
import { describeInProcess, World } from '../../support/world.js';
import { uploadFile, postFiles } from '../files/upload/multipart-helpers.js';
import { toChunkStream } from './storage.contract.js';

const HOUR = 3_600_000;

describeInProcess('Storage ownership mark', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;
  let root: string;

  beforeEach(async () => {
    world = await World.open();
    owner = await registerUser(world);
    zone = await createZone(owner);
    root = join(world.testApp.config.dataDir, 'files');
  });
  afterEach(() => world.close());

  const upload = () => postFiles(owner.client, zone.id, [{ name: uniqueName('file'), body: 'text' }]);
  const getReadiness = () => world.createClient().get('/readyz');
  const readMark = async () => parseMark((await world.testApp.app.get(Storage).readMark())!)!;
  const setMark = (text: string) => writeFile(join(root, 'zonary-installation'), text);
  const readClaim = () => world.testApp.app.get(InstallationRepository).readStorageClaim();
  const execute = <T extends object>(sql: string, params: unknown[] = []) =>
    world.testApp.em().execute<T[]>(sql, params);
  const startAnother = (env: Record<string, string> = {}) => createTestApp(env, [], world.testApp.connection);
  const expectStartRejected = async (env: Record<string, string>, sentence: RegExp) => {
    await expect(startAnother(env)).rejects.toThrow(sentence);
  };

  it('is written at the first start and recorded in the database', async () => {
    const { id, markedAt } = await readClaim();
    expect(await readMark()).toMatchObject({ installation: id, turn: 0 });
    expect(markedAt).toBeInstanceOf(Date);
  });

  it.each(['gone', 'an empty folder'])(
    'protects a missing disk (%s): uploads fail with 503 and work again afterwards',
    async (how) => {
      const { id } = await uploadFile(owner.client, zone.id, 'before.txt', 'before');
      await rename(root, `${root}-aside`);
      if (how !== 'gone') await mkdir(root);
      const { body } = await upload().expect(503);
      expect(body.code).toBe('STORAGE_UNAVAILABLE');
      await owner.client.get(`/api/files/${id}/view`).expect(503);
      const response = await getReadiness().expect(503);
      expect(response.body.error.storage).toMatchObject({ status: 'down', state: 'missing' });
      expect(response.body.error.storage.reason).toContain('not mounted');
      if (how !== 'gone') expect(await readdir(root)).toEqual([]);
      await rm(root, { recursive: true, force: true });
      await rename(`${root}-aside`, root);
      await upload().expect(201);
      await owner.client.get(`/api/files/${id}/view`).expect(200);
      await getReadiness().expect(200);
    },
  );

  it.each(['gone', 'an empty folder'])(
    'protects a disk lost (%s) during an upload, leaving nothing in its place',
    async (how) => {
      const storage = world.testApp.app.get(Storage);
      const key = newObjectKey('files');
      const interrupted = async function* () {
        yield Buffer.from('the beginning');
        await rename(root, `${root}-aside`);
        if (how !== 'gone') await mkdir(root);
        yield Buffer.from('the end');
      };
      await expect(storage.write(key, interrupted())).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
      await upload().expect(503);
      if (how === 'gone') await expect(readdir(root)).rejects.toMatchObject({ code: 'ENOENT' });
      // A disk can't be mounted over a non-empty folder.
      else await rmdir(root);
      await rename(`${root}-aside`, root);
      await getReadiness().expect(200);
      expect(await storage.stat(key)).toBeNull();
      await upload().expect(201);
    },
  );

  it('protects a disk lost while an object is moved, leaving nothing in its place', async () => {
    const driver = new LocalStorage(root);
    await driver.readMark();
    await driver.write('files/aa/one', toChunkStream(Buffer.from('text')));
    await rename(root, `${root}-aside`);
    await mkdir(join(root, 'files/aa'), { recursive: true });
    await writeFile(join(root, 'files/aa/one'), 'of another disk');
    await expect(driver.move('files/aa/one', 'quarantine/files/aa/one')).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    });
    expect(await readdir(root)).toEqual(['files']);
  });

  it('prevents a heartbeat in place of a disk that has just disappeared', async () => {
    const { app, clock } = world.testApp;
    const record = app.get(InstallationRepository);
    const recordHeartbeat = record.recordHeartbeat.bind(record);
    jest.spyOn(record, 'recordHeartbeat').mockImplementationOnce(async (...all) => {
      const claim = await recordHeartbeat(...all);
      await rename(root, `${root}-aside`);
      await mkdir(root);
      return claim;
    });
    clock.advance(HOUR);
    await app.get(StorageCheck).checkAndBeat();
    await rmdir(root);
    await rename(`${root}-aside`, root);
    await upload().expect(201);
  });

  it('prevents deletions and missing-object reports while the disk is unmounted', async () => {
    await uploadFile(owner.client, zone.id, 'kept.txt', 'kept');
    const [row] = await execute<{ key: string }>('select object_key as key from files');
    const storage = world.testApp.app.get(Storage);
    await rename(root, `${root}-aside`);
    await mkdir(root);
    await expect(storage.delete(row!.key)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await expect(storage.stat(row!.key)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await expect(storage.move(row!.key, 'elsewhere')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await expect(storage.list('files/')[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    });
    await rm(root, { recursive: true });
    await rename(`${root}-aside`, root);
    expect(await storage.stat(row!.key)).not.toBeNull();
  });

  it('prevents a second process with another folder and allows one with the same', async () => {
    const elsewhere = join(world.testApp.config.dataDir, 'elsewhere');
    await mkdir(elsewhere);
    await expectStartRejected(
      { STORAGE_URL: `file://${elsewhere}` },
      /is not the one of this installation.*adopt-storage/,
    );
    expect(await readdir(elsewhere)).toEqual([]);
    const second = await startAnother();
    expect(second.config.storageUrl).toBe(world.testApp.config.storageUrl);
    await second.close();
  });

  it('prevents another installation from starting on it and stops an earlier one', async () => {
    const url = world.testApp.config.storageUrl;
    await expect(createTestApp({ STORAGE_URL: url })).rejects.toThrow(
      /belongs to another installation.*separate STORAGE_URL/,
    );
    const before = await readdir(root);
    await setMark(serializeMark({ installation: 'of-somebody-else', turn: 0 }));
    await upload().expect(503);
    expect((await getReadiness().expect(503)).body.error.storage.state).toBe('foreign');
    await setMark('no mark at all');
    await upload().expect(503);
    expect(await readdir(root)).toEqual(before);
  });

  it('detects an older database copy by its counter', async () => {
    const { app, clock } = world.testApp;
    const sendHeartbeat = async () => {
      clock.advance(HOUR);
      await app.get(CronScheduler).enqueueCronRun(renewStorageMark, clock.now());
      await world.testApp.drain();
    };
    await sendHeartbeat();
    expect((await readMark()).turn).toBe(0);
    await sendHeartbeat();
    await sendHeartbeat();
    expect((await readMark()).turn).toBe(2);
    await upload().expect(201);
    // The state a copy made an hour ago would have.
    await execute('update installation set storage_turn = 1');
    await expectStartRejected({}, /older copy.*adopt-storage/);
    await app.get(StorageOwnershipGuard).adopt();
    expect((await readMark()).turn).toBe(3);
    await upload().expect(201);
    await (await startAnother()).close();
  });

  it('can be restored by adopting the storage', async () => {
    await rm(join(root, 'zonary-installation'));
    await upload().expect(503);
    await world.testApp.app.get(StorageOwnershipGuard).adopt();
    await upload().expect(201);
  });

  describe('at the first start after an upgrade', () => {
    beforeEach(async () => {
      await uploadFile(owner.client, zone.id, 'old.txt', 'old');
      await rm(join(root, 'zonary-installation'));
      await execute('update installation set storage_marked_at = null');
    });

    it('is written where objects are that the database references', async () => {
      await (await startAnother()).close();
      expect((await readMark()).installation).toBe((await readClaim()).id);
    });

    it('is not written where objects are unknown or missing', async () => {
      const elsewhere = join(world.testApp.config.dataDir, 'elsewhere');
      await mkdir(join(elsewhere, 'files/aa'), { recursive: true });
      await expectStartRejected(
        { STORAGE_URL: `file://${join(elsewhere, 'files')}` },
        /is not the one of this installation|are unknown to this installation/,
      );
      await writeFile(join(elsewhere, 'files/aa/strange'), 'x');
      await expectStartRejected(
        { STORAGE_URL: `file://${elsewhere}` },
        /contains objects that are unknown to this installation/,
      );
      expect(await readdir(elsewhere)).toEqual(['files']);
    });
  });

  it('rejects a folder whose parent does not exist', async () => {
    await expect(createTestApp({ STORAGE_URL: 'file:///nowhere/at/all' })).rejects.toThrow(
      /The folder \/nowhere\/at, .* doesn't exist/,
    );
  });

  it('creates no folder above the data folder', async () => {
    const above = join(world.testApp.config.dataDir, 'unmounted');
    const env = { DATA_DIR: join(above, 'data') };
    await expect(createTestApp(env)).rejects.toThrow(/The folder .*unmounted, which contains DATA_DIR, doesn't exist/);
    expect(() => AppConfig.from(env)).toThrow(/which contains DATA_DIR, doesn't exist/);
    await expect(readdir(above)).rejects.toMatchObject({ code: 'ENOENT' });
    await mkdir(above);
    expect(AppConfig.from(env).appSecret).toHaveLength(64);
  });

  describe('disk reserve', () => {
    const GIB = 2 ** 30;
    const mockFreeBytes = (free: number) =>
      jest.spyOn(world.testApp.app.get(DiskProbe), 'measure').mockResolvedValue({ free, total: 100 * GIB });

    it('rejects uploads with 507 before the disk is full, and nothing else', async () => {
      mockFreeBytes(GIB);
      const { body } = await upload().expect(507);
      expect(body).toMatchObject({ code: 'DISK_FULL', message: expect.stringContaining('run out of disk space') });
      await owner.client.post(`/api/zones/${zone.id}/folders`).send({ name: 'Still possible' }).expect(201);
      const { body: state } = await getReadiness().expect(200);
      expect(state.info.disk).toMatchObject({ freeBytes: GIB, reserveBytes: GIB });
      mockFreeBytes(GIB + 1);
      await upload().expect(201);
    });

    it('checks the reserve during a large upload', async () => {
      mockFreeBytes(10 * GIB);
      const storage = world.testApp.app.get(Storage);
      const large = async function* () {
        for (let index = 0; index < 40; index++) {
          if (index === 2) mockFreeBytes(0);
          yield Buffer.alloc(2 ** 20);
        }
      };
      await expect(storage.write('files/aa/large', large())).rejects.toMatchObject({ code: 'DISK_FULL', status: 507 });
      expect(await storage.stat('files/aa/large')).toBeNull();
    });
  });
});
