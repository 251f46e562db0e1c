import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buffer } from 'node:stream/consumers';
import { createBackup } from '../../../src/cli/backup/create-backup.js';
import { QuarantineService } from '../../../src/modules/files/objects/quarantine/quarantine.service.js';
import { HOUR } from '../../../src/platform/clock/clock.js';
import { InstanceRegistryService } from '../../../src/platform/health/instances/instance-registry.service.js';
import { DiskProbe } from '../../../src/platform/storage/disk-reserve.js';
import { CurrentStorage } from '../../../src/platform/storage/move/current-storage.js';
import { MoveTimings, StorageMoveService } from '../../../src/platform/storage/move/storage-move.service.js';
import { MARK_OBJECT_NAME, parseMark, serializeMark } from '../../../src/platform/storage/ownership/storage-mark.js';
import { StorageDrivers } from '../../../src/platform/storage/storage-drivers.js';
import { newObjectKey, Storage } from '../../../src/platform/storage/storage.js';
import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../support/people/actors.js';
import { S3FaultProxy } from '../../support/fakes/s3-fault-proxy.js';
import { S3Server } from '../../support/fakes/s3-server.js';
import { createTestApp } from '../../support/test-app.js';
import { describeInProcess, World } from '../../support/world.js';
import { createUpload, sendChunk } from '../files/upload/files-tus.js';
import { PNG, uploadFile } from '../files/upload/multipart-helpers.js';
import { replaceFile } from '../files/versions/version-helpers.js';
import { TempFolders } from '../operations/backup-helpers.js';
import { listKeys, toChunkStream } from './storage.contract.js';

const job = [{ slot: '' }, { signal: new AbortController().signal } as never] as const;
const denied = { status: 403, code: 'AccessDenied' };
const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describeInProcess('Moving the files to another storage', () => {
  const backups = new TempFolders();
  let server: S3Server;
  let proxy: S3FaultProxy;
  let folder: string;
  let world: World;
  let owner: Actor;
  let zone: TestZone;
  let prefixes = 0;

  beforeAll(async () => {
    process.env.AWS_ACCESS_KEY_ID = S3Server.credentials.accessKeyId;
    process.env.AWS_SECRET_ACCESS_KEY = S3Server.credentials.secretAccessKey;
    server = await S3Server.start('zonary-test');
    proxy = await S3FaultProxy.start(server.url);
  });
  afterAll(async () => {
    await proxy.close();
    await server.close();
    delete process.env.AWS_ACCESS_KEY_ID;
    delete process.env.AWS_SECRET_ACCESS_KEY;
    backups.removeAll();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zonary-move-'));
    world = await World.open();
    Object.assign(get(MoveTimings), { checkInterval: 5, retryPauses: [] });
    owner = await registerUser(world);
    zone = await createZone(owner);
  });
  afterEach(async () => {
    proxy.clearFaults();
    jest.restoreAllMocks();
    await world.close();
    await rm(folder, { recursive: true });
  });

  const get = <T>(type: { readonly prototype: T }): T => world.testApp.app.get(type as never);
  const execute = <T extends object>(sql: string) => world.testApp.em().execute<T[]>(sql);
  const sourceUrl = () => world.testApp.config.storageUrl;
  const newFolder = () => pathToFileURL(join(folder, 'new')).href;
  const newBucket = (endpoint = proxy.url) => `s3://zonary-test/p${(prefixes += 1)}?endpoint=${endpoint}`;
  const move = (targetUrl: string | null, print: (line: string) => void = () => undefined) =>
    get(StorageMoveService).move(targetUrl, print);
  const finish = () => get(StorageMoveService).finish(...job);
  const refresh = () => get(CurrentStorage).refresh();
  const open = (url: string) => get(StorageDrivers).open(url);
  const digests = async (storage: Storage) => {
    const found: Record<string, string> = {};
    for (const key of await listKeys(storage.list(''))) found[key] = digestOf(await buffer(await storage.read(key)));
    return found;
  };
  const upload = async (bytes: Buffer | string = randomBytes(1000)) =>
    (await uploadFile(owner.client, zone.id, `${uniqueName('file')}.bin`, bytes)).id;
  const keyOf = async (id: number) =>
    (await execute<{ object_key: string }>(`select object_key from files where id = ${id}`))[0]!.object_key;
  const download = async (id: number): Promise<Buffer> => {
    const response = await owner.client.get(`/api/files/${id}/download`).redirects(1).buffer(true).expect(200);
    return response.body as Buffer;
  };
  const removeObject = async (id: number) => {
    const key = await keyOf(id);
    await get(Storage).delete(key);
    return key;
  };
  /** Runs `work` before the target stores its first object. */
  const beforeFirstCopy = async (targetUrl: string, work: (key: string) => Promise<unknown>) => {
    const target = await open(targetUrl);
    const write = target.write.bind(target);
    let isFirst = true;
    jest.spyOn(target, 'write').mockImplementation(async (key, source, options) => {
      if (isFirst && key.startsWith('files/')) {
        isFirst = false;
        await work(key);
      }
      return write(key, source, options);
    });
  };

  it('copies every family and the mark, then reads and deletes in both and writes to the new one', async () => {
    const [first, replaced, doomed] = [await upload(), await upload('first'), await upload()];
    await uploadFile(owner.client, zone.id, 'picture.png', PNG);
    await replaceFile(owner.client, replaced, 'replaced.bin', 'second').expect(201);
    await owner.client.post('/api/user/picture').attach('file', PNG, 'me.png').expect(200);
    await world.testApp.drain();
    const orphan = newObjectKey('files');
    await get(Storage).write(orphan, toChunkStream(randomBytes(10)));
    await get(Storage).write(newObjectKey('pages'), toChunkStream(randomBytes(10)));
    await get(QuarantineService).quarantineObjects([{ key: orphan, size: 10 }]);
    const source = await open(sourceUrl());
    const before = await digests(source);
    const families = [...new Set(Object.keys(before).map((key) => key.split('/')[0]))].sort();
    expect(families).toEqual(['files', 'pages', 'pictures', 'quarantine', 'thumbnails']);
    const versionKey = (await execute<{ object_key: string }>('select object_key from file_versions'))[0]!.object_key;
    expect(before).toHaveProperty(versionKey);

    const lines: string[] = [];
    const targetUrl = newBucket();
    await move(targetUrl, (line) => lines.push(line));
    const target = await open(targetUrl);
    expect(await digests(target)).toEqual(before);
    expect(parseMark((await target.readMark())!)!.installation).toBe(
      parseMark((await source.readMark())!)!.installation,
    );
    expect(lines.join('\n')).toContain(`Set STORAGE_URL=${targetUrl}`);
    const types = `select storage_type from files union all select storage_type from file_versions
      union all select storage_type from quarantined_objects`;
    expect(new Set((await execute<{ storage_type: string }>(types)).map((row) => row.storage_type))).toEqual(
      new Set(['s3']),
    );

    // This process doesn't know of the switch yet: it asks when it misses an object.
    const late = newObjectKey('files');
    await target.write(late, toChunkStream(Buffer.from('late')));
    expect(String(await get(Storage).readWhole(late, 4))).toBe('late');
    const added = await upload();
    expect(await source.stat(await keyOf(added))).toBeNull();
    expect(await target.stat(await keyOf(added))).not.toBeNull();
    expect(digestOf(await download(first))).toBe(before[await keyOf(first)]);
    const gone = await removeObject(doomed);
    expect([await source.stat(gone), await target.stat(gone)]).toEqual([null, null]);
  });

  it('copies what is stored while it copies, and not what is deleted', async () => {
    const targetUrl = newFolder();
    const [doomed] = [await upload(), await upload()];
    let added = 0;
    await beforeFirstCopy(targetUrl, async () => {
      await removeObject(doomed);
      added = await upload();
    });
    await move(targetUrl);
    const target = await open(targetUrl);
    expect(await target.stat(await keyOf(doomed))).toBeNull();
    expect(await target.stat(await keyOf(added))).not.toBeNull();
    expect(await digests(target)).toEqual(await digests(await open(sourceUrl())));
  });

  it('completes an upload where it began, and copies it afterwards', async () => {
    const bytes = randomBytes(300_000);
    const address = await createUpload(owner.client, zone, 'long.bin', bytes.length);
    await sendChunk(owner.client, address, 0, bytes.subarray(0, 100_000)).expect(204);
    const targetUrl = newBucket();
    await move(targetUrl);
    await refresh();
    await sendChunk(owner.client, address, 100_000, bytes.subarray(100_000, 200_000)).expect(204);
    const { headers } = await sendChunk(owner.client, address, 200_000, bytes.subarray(200_000)).expect(204);
    const id = Number(headers['x-file-id']);
    expect((await download(id)).equals(bytes)).toBe(true);
    await finish();
    const copy = await (await open(targetUrl)).readWhole(await keyOf(id), bytes.length);
    expect(digestOf(copy)).toBe(digestOf(bytes));
    // A new upload is stored in parts, as in any bucket.
    const next = await createUpload(owner.client, zone, 'next.bin', 10);
    await sendChunk(owner.client, next, 0, 'first').expect(204);
    await sendChunk(owner.client, next, 5, 'other').expect(204);
    expect(await (await open(sourceUrl())).hasUnfinished()).toBe(false);
  });

  it('completes an upload in the parts of a bucket where it began, and copies it afterwards', async () => {
    const inBucket = await World.open({ STORAGE_URL: newBucket() });
    try {
      const { app } = inBucket.testApp;
      const person = await registerUser(inBucket);
      const bytes = randomBytes(300_000);
      const address = await createUpload(person.client, await createZone(person), 'long.bin', bytes.length);
      await sendChunk(person.client, address, 0, bytes.subarray(0, 100_000)).expect(204);
      const targetUrl = newFolder();
      await app.get(StorageMoveService).move(targetUrl, () => undefined);
      await app.get(CurrentStorage).refresh();
      await sendChunk(person.client, address, 100_000, bytes.subarray(100_000, 200_000)).expect(204);
      const { headers } = await sendChunk(person.client, address, 200_000, bytes.subarray(200_000)).expect(204);
      const view = () => person.client.get(`/api/files/${headers['x-file-id']}/view`).buffer(true).expect(200);
      expect(((await view()).body as Buffer).equals(bytes)).toBe(true);
      await app.get(StorageMoveService).finish(...job);
      // Deletes the object that held the end of the first part.
      await inBucket.testApp.drain();
      const target = await app.get(StorageDrivers).open(targetUrl);
      expect(Object.values(await digests(target))).toEqual([digestOf(bytes)]);
    } finally {
      await inBucket.close();
    }
  });

  it('deletes the old objects a day later, once every process has the new STORAGE_URL', async () => {
    const id = await upload();
    const targetUrl = newFolder();
    await move(targetUrl);
    await get(InstanceRegistryService).register('web', 1234);
    await refresh();
    const source = await open(sourceUrl());
    world.testApp.clock.advance(23 * HOUR);
    await finish();
    world.testApp.clock.advance(2 * HOUR);
    await get(InstanceRegistryService).register('web', 1234);
    await finish();
    expect(await source.stat(await keyOf(id))).not.toBeNull();
    expect((await get(StorageMoveService).describe()).at(-1)).toContain(
      `port 1234 still has STORAGE_URL=${sourceUrl()}`,
    );

    await get(InstanceRegistryService).unregister();
    // An object that the new storage lacks is copied, never deleted alone.
    const straggler = newObjectKey('files');
    await source.write(straggler, toChunkStream(Buffer.from('straggler')));
    await finish();
    expect(await listKeys(source.list(''))).toEqual([]);
    expect(await (await open(targetUrl)).stat(straggler)).not.toBeNull();
    expect(await execute('select state from storage_moves')).toEqual([{ state: 'done' }]);
    await refresh();
    expect(await download(id)).toHaveLength(1000);

    const { connection } = world.testApp;
    const start = (storageUrl: string) => createTestApp({ STORAGE_URL: storageUrl }, [], connection);
    await expect(start(sourceUrl())).rejects.toThrow(
      `have been moved from ${sourceUrl()} to ${targetUrl}. Set STORAGE_URL=${targetUrl}`,
    );
    const restarted = await start(targetUrl);
    try {
      const service = restarted.app.get(StorageMoveService);
      expect(await service.describe()).toEqual([`From ${sourceUrl()} to ${targetUrl}: done.`]);
      // And back, to the place that still has the mark.
      await service.move(sourceUrl(), () => undefined);
      expect(await source.stat(await keyOf(id))).not.toBeNull();
    } finally {
      await restarted.close();
    }
  });

  it('waits for a process that cannot reach the target, and goes on with the old storage until then', async () => {
    await upload();
    const targetUrl = newFolder();
    await get(InstanceRegistryService).register('web', 4321);
    await execute(`insert into instances (id, role, host, seen_at)
      values (gen_random_uuid(), 'worker', 'other', now() + interval '1 day')`);
    const waiting = Promise.withResolvers<string>();
    const printed: string[] = [];
    const moving = move(targetUrl, (line) => {
      printed.push(line);
      if (line.startsWith('Waiting')) waiting.resolve(line);
    });
    expect(await waiting.promise).toMatch(
      /web process on .*, port 4321.*\n.*worker process on other: it has not learnt/,
    );
    const mark = await readFile(join(folder, 'new', MARK_OBJECT_NAME), 'utf8');
    await writeFile(join(folder, 'new', MARK_OBJECT_NAME), serializeMark({ installation: 'other', turn: 0 }));
    await refresh();
    expect(await download(await upload())).toHaveLength(1000);
    expect(await execute(`select 1 from instances where storage_problem like '%is not the storage%'`)).toHaveLength(1);
    await writeFile(join(folder, 'new', MARK_OBJECT_NAME), mark);
    await refresh();
    await execute(`delete from instances where host = 'other'`);
    await moving;
    expect(await execute('select state from storage_moves')).toEqual([{ state: 'switched' }]);
  });

  it('is cancelled while it copies, and deletes the copies', async () => {
    const id = await upload();
    const targetUrl = newFolder();
    await beforeFirstCopy(targetUrl, () => get(StorageMoveService).cancel());
    await expect(move(targetUrl)).rejects.toThrow('The move was cancelled');
    await get(StorageMoveService).removeCopies(() => undefined);
    expect(await listKeys((await open(targetUrl)).list(''))).toEqual([]);
    expect(await download(id)).toHaveLength(1000);
    await expect(get(StorageMoveService).cancel()).rejects.toThrow('No move is under way.');
    await move(targetUrl);
    await expect(get(StorageMoveService).cancel()).rejects.toThrow('The files are in');
    expect(await digests(await open(targetUrl))).toEqual(await digests(await open(sourceUrl())));
  });

  it('is continued after the target failed, and checks again what was being copied', async () => {
    for (let count = 0; count < 5; count++) await upload();
    const targetUrl = newBucket();
    proxy.injectFault('upload', denied, Infinity, 3);
    await expect(move(targetUrl)).rejects.toThrow(
      /Couldn't write to s3:.*Nothing is lost: continue with npm run storage -- move/,
    );
    proxy.clearFaults();
    await expect(move(newFolder())).rejects.toThrow(/A move to s3:.* is under way/);
    const target = await open(targetUrl);
    // As if the command had been killed before it read this copy back.
    const [{ cursor } = { cursor: '' }] = await execute<{ cursor: string }>('select cursor from storage_moves');
    const key = (await listKeys((await open(sourceUrl())).list(''))).find(
      (candidate) => candidate > (cursor && `${cursor}~`),
    )!;
    await target.write(key, toChunkStream(randomBytes(1000)));
    await move(null);
    expect(await digests(target)).toEqual(await digests(await open(sourceUrl())));
  });

  it('copies an object that was damaged before, and names it', async () => {
    const key = await keyOf(await upload());
    await writeFile(join(world.testApp.config.dataDir, 'files', key), randomBytes(1000));
    const lines: string[] = [];
    await move(newFolder(), (line) => lines.push(line));
    expect(lines.filter((line) => line.startsWith('Damaged'))).toEqual([expect.stringContaining(key)]);
  });

  it('has the objects of both storages in backups', async () => {
    const targetUrl = newFolder();
    const key = await keyOf(await upload());
    await move(targetUrl);
    await refresh();
    await upload();
    await rm(join(world.testApp.config.dataDir, 'files', key));
    const { config, connection } = world.testApp;
    const { objects } = await createBackup(config, connection, join(backups.create(), 'backup.tar'));
    expect(objects).toBe(2);
  });

  describe('rejects a target', () => {
    it('that cannot be used', async () => {
      const cases: [string, () => string | Promise<string>, RegExp][] = [
        ['that is the current storage', () => `${sourceUrl()}/`, /The files are in .* already/],
        ['inside the current storage', () => `${sourceUrl()}/new`, /is inside the other/],
        ['whose parent does not exist', () => `${newFolder()}/a/b`, /doesn't exist. Create it or mount its disk/],
        ['that cannot be reached', () => newBucket('http://127.0.0.1:1'), /Couldn't use s3:/],
        [
          'that contains objects',
          async () => {
            const url = newBucket();
            await (await open(url)).write(newObjectKey('files'), toChunkStream(randomBytes(1)));
            return url;
          },
          /is not empty: it contains files\//,
        ],
        [
          'that belongs to another installation',
          async () => {
            const url = newBucket();
            await (await open(url)).writeMark(serializeMark({ installation: 'other', turn: 1 }), true);
            return url;
          },
          /belongs to another installation \(other\)/,
        ],
        [
          'that cannot be written',
          () => {
            proxy.injectFault('upload', denied, Infinity);
            return newBucket();
          },
          /Couldn't use s3:/,
        ],
      ];
      await upload();
      for (const [name, createUrl, sentence] of cases) {
        const moving = move(await createUrl()).then(
          () => 'moved',
          (error: Error) => error.message,
        );
        expect([name, await moving]).toEqual([name, expect.stringMatching(sentence)]);
        expect(await execute('select 1 from storage_moves')).toEqual([]);
      }
    });

    it('that is another name of the current storage', async () => {
      const bucket = newBucket();
      await move(bucket);
      world.testApp.clock.advance(25 * HOUR);
      await finish();
      const restarted = await createTestApp({ STORAGE_URL: bucket }, [], world.testApp.connection);
      try {
        const alias = bucket.replace(proxy.url, server.url);
        const moving = restarted.app.get(StorageMoveService).move(alias, () => undefined);
        await expect(moving).rejects.toThrow('is another name of the current storage');
      } finally {
        await restarted.close();
      }
    });

    it('that is full', async () => {
      await upload();
      const probe = get(DiskProbe);
      const measure = probe.measure.bind(probe);
      jest
        .spyOn(probe, 'measure')
        .mockImplementation(async (path) => (path.startsWith(folder) ? { free: 0, total: 1e9 } : measure(path)));
      await expect(move(newFolder())).rejects.toThrow(/The disk of file:.* is full/);
      jest.restoreAllMocks();
      await move(null);
      expect(await execute('select state from storage_moves')).toEqual([{ state: 'switched' }]);
    });
  });
});
