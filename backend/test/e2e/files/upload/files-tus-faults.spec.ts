import { randomBytes } from 'node:crypto';
import { readdir, rm, utimes } from 'node:fs/promises';
import { join as pathOf } from 'node:path';
import { Readable } from 'node:stream';
import { UploadCleanupService } from '../../../../src/modules/files/upload/upload-cleanup.service.js';
import { storageErrors } from '../../../../src/platform/storage/storage.errors.js';
import { newObjectKey, Storage } from '../../../../src/platform/storage/storage.js';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { createTestApp, type TestApp } from '../../../support/test-app.js';
import { describeInProcess, World } from '../../../support/world.js';
import { uploadFile, pollUntil } from './multipart-helpers.js';
import {
  creationHeaders,
  postUpload,
  createUpload,
  OFFSET_CONTENT_TYPE,
  cancelUpload,
  cookieHeaderOf,
  requestOffset,
  readOffset,
  openPatch,
  sendChunk,
} from './files-tus.js';

const MB = 2 ** 20;
const DAY = 24 * 3_600_000;
const PLAN = 2 ** 30;

describeInProcess('Resumable uploads under faults', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;

  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    owner = await registerUser(world);
    zone = await createZone(owner);
    await uploadFile(owner.client, zone.id, 'first', 'x');
  });
  afterAll(() => world.close());

  const execute = <T extends object>(sql: string, params: unknown[] = []) =>
    world.testApp.em().execute<T[]>(sql, params);
  const listObjects = async () => {
    const entries = await readdir(pathOf(world.testApp.config.dataDir, 'files'), {
      recursive: true,
      withFileTypes: true,
    });
    return entries.filter((entry) => entry.isFile()).length;
  };
  /** The state after unreferenced objects have been deleted. */
  const readLeftovers = async () => {
    await world.testApp.drain();
    const [row] = await execute<{ used: string; reserved: string }>(
      `select used, reserved from usage where owner_id = ? and metric = 'bytes'`,
      [owner.id],
    );
    const [sizes] = await execute<{ sum: string }>(
      'select coalesce(sum(size), 0) as sum from files where zone_id = ?',
      [zone.id],
    );
    expect(Number(row!.used)).toBe(Number(sizes!.sum));
    const intents = (await execute('select id from uploads where owner_id = ?', [owner.id])).length;
    const uploads = (await execute('select id from resumable_uploads where user_id = ?', [owner.id])).length;
    const locks = (await execute('select id from upload_locks')).length;
    return {
      objects: await listObjects(),
      intents,
      uploads,
      locks,
      used: Number(row!.used),
      reserved: Number(row!.reserved),
    };
  };
  const leave = (bytes: number) =>
    execute(`update usage set allowed = used + ? where owner_id = ? and metric = 'bytes'`, [bytes, owner.id]);
  const runSweep = async () => {
    await world.testApp.app
      .get(UploadCleanupService)
      .cleanUp({} as never, { signal: new AbortController().signal } as never);
    await world.testApp.drain();
  };
  const open = (address: string, offset: number, length: number | null) =>
    openPatch(world.url, cookieHeaderOf(owner, world.url), address, offset, length);

  describe('near the storage quota', () => {
    it('reserve exactly as many of 50 parallel uploads as fit and release cancelled ones', async () => {
      const before = await readLeftovers();
      await leave(20 * MB + MB - 1);
      const responses = await Promise.all(
        Array.from({ length: 50 }, (_, n) => postUpload(owner.client, zone, `f${n}`, MB)),
      );
      const good = responses.filter(({ status }) => status === 201);
      expect(good).toHaveLength(20);
      const rejected = responses.filter(({ status }) => status === 403);
      expect(rejected).toHaveLength(30);
      for (const { body } of rejected)
        expect(body).toMatchObject({ code: 'PLAN_LIMIT', planLimit: true, limit: 'bytes' });
      expect(await readLeftovers()).toMatchObject({ reserved: 20 * MB, intents: 20, uploads: 20, locks: 0 });
      await Promise.all(good.map(({ headers }) => cancelUpload(owner.client, headers.location as string).expect(204)));
      expect(await readLeftovers()).toEqual(before);
    });

    it('show a zone admin no usage numbers', async () => {
      const helper = await registerUser(world);
      await joinPublicZone(zone, helper);
      await execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [zone.id, helper.id]);
      await leave(10);
      const { body } = await postUpload(helper.client, zone, 'x', 11).expect(403);
      expect(body).toMatchObject({ code: 'ZONE_FULL' });
      expect(body.used).toBeUndefined();
      const address = await createUpload(helper.client, zone, 'fits', 10);
      await requestOffset(owner.client, address).expect(404);
      await execute(`update zone_members set role = 'member' where zone_id = ? and user_id = ?`, [zone.id, helper.id]);
      await sendChunk(helper.client, address, 0, '0123456789').expect(403);
      await cancelUpload(helper.client, address).expect(404);
      await execute(`update usage set allowed = ? where owner_id = ?`, [PLAN, owner.id]);
    });
  });

  describe('with concurrent requests', () => {
    it('let the later request continue where the earlier one stops', async () => {
      const bytes = randomBytes(12 * MB);
      const address = await createUpload(owner.client, zone, 'both', bytes.length);
      const first = open(address, 0, bytes.length);
      await first.write(bytes.subarray(0, 9 * MB));
      await pollUntil(
        async () =>
          (await execute('select 1 from resumable_uploads where received > 0 and file_id is null')).length > 0,
      );
      const offset = await readOffset(owner.client, address);
      expect(offset).toBeGreaterThanOrEqual(8 * MB);
      const { headers } = await sendChunk(owner.client, address, offset, bytes.subarray(offset)).expect(204);
      first.abort();
      const { body } = await owner.client.get(`/api/files/${headers['x-file-id']}/download`).buffer().parse(binary);
      expect((body as Buffer).equals(bytes)).toBe(true);
    });

    it('store the bytes once for 20 identical requests and create one file', async () => {
      const address = await createUpload(owner.client, zone, 'same', 5);
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => sendChunk(owner.client, address, 0, 'hello')),
      );
      const completed = responses.filter(({ headers }) => headers['x-file-id'] !== undefined);
      expect(completed.map(({ status }) => status)).toEqual([204]);
      // A request that is asked to make way before its bytes arrive answers that none were received.
      const others = responses.filter((response) => !completed.includes(response));
      const answers = others.map(({ status, headers }) => (status === 204 ? headers['upload-offset'] : status));
      expect(answers.filter((answer) => answer !== 409 && answer !== '0')).toEqual([]);
      expect(await readLeftovers()).toMatchObject({ intents: 0, reserved: 0, used: 6 });
    });

    it('create one file when 50 uploads complete under one name', async () => {
      const addresses = await Promise.all(
        Array.from({ length: 50 }, () => createUpload(owner.client, zone, 'one.txt', 3)),
      );
      const responses = await Promise.all(addresses.map((address) => sendChunk(owner.client, address, 0, 'abc')));
      expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
      expect(responses.filter(({ body }) => body.code === 'DUPLICATE_NAMES')).toHaveLength(49);
      await Promise.all(addresses.map((address) => cancelUpload(owner.client, address)));
      expect(await readLeftovers()).toMatchObject({ intents: 0, uploads: 0, reserved: 0, used: 4 });
    });

    it('leave nothing when one request cancels while another sends', async () => {
      const before = await readLeftovers();
      const address = await createUpload(owner.client, zone, 'race', 20 * MB);
      const call = open(address, 0, 20 * MB);
      await call.write(Buffer.alloc(9 * MB));
      await cancelUpload(owner.client, address).expect(204);
      call.abort();
      await pollUntil(async () => (await readLeftovers()).locks === 0);
      expect(await readLeftovers()).toEqual(before);
    });
  });

  it('store a single-request upload as one object without copying it', async () => {
    const before = await readLeftovers();
    const storage = world.testApp.app.get(Storage);
    const write = storage.write.bind(storage);
    let writes = 0;
    storage.write = (key, source, options) => {
      writes++;
      return write(key, source, options);
    };
    try {
      const bytes = randomBytes(30 * MB);
      const address = await createUpload(owner.client, zone, 'once', bytes.length);
      const { headers } = await sendChunk(owner.client, address, 0, bytes).expect(204);
      const { body } = await owner.client.get(`/api/files/${headers['x-file-id']}/download`).buffer().parse(binary);
      expect((body as Buffer).equals(bytes)).toBe(true);
    } finally {
      storage.write = write;
    }
    expect(writes).toBe(0);
    expect(await readLeftovers()).toMatchObject({ intents: 0, reserved: 0, objects: before.objects + 1 });
  });

  describe('across two processes', () => {
    let other: TestApp;
    beforeAll(async () => {
      other = await createTestApp({ DATA_DIR: world.testApp.config.dataDir }, [], world.testApp.connection);
    });
    afterAll(() => other.close());

    it('lock and resume uploads between them', async () => {
      const bytes = randomBytes(12 * MB);
      const address = await createUpload(owner.client, zone, 'across', bytes.length);
      const cookie = cookieHeaderOf(owner, world.url);
      const first = openPatch(other.url, cookie, address, 0, bytes.length);
      await first.write(bytes.subarray(0, 9 * MB));
      await pollUntil(
        async () =>
          (await execute('select 1 from resumable_uploads where received > 0 and file_id is null')).length > 0,
      );
      // The first request isn't cut: the other process must ask it to release the lock.
      const offset = await readOffset(owner.client, address);
      expect(offset).toBeGreaterThanOrEqual(8 * MB);
      const second = openPatch(world.url, cookie, address, offset, bytes.length - offset);
      await second.write(bytes.subarray(offset));
      second.end();
      const { status, headers } = await second.answer();
      expect(status).toBe(204);
      first.abort();
      const { body } = await owner.client.get(`/api/files/${headers['x-file-id']}/download`).buffer().parse(binary);
      expect((body as Buffer).equals(bytes)).toBe(true);
    });

    it('accept one of two identical requests', async () => {
      const address = await createUpload(owner.client, zone, 'twice', 6 * MB);
      const cookie = cookieHeaderOf(owner, world.url);
      const calls = [world.url, other.url].map((url) => openPatch(url, cookie, address, 0, 6 * MB));
      const bytes = Buffer.alloc(6 * MB, 'x');
      await Promise.all(
        calls.map(async (call) => {
          await call.write(bytes).catch(() => undefined);
          call.end();
        }),
      );
      const responses = await Promise.all(calls.map((call) => call.answer()));
      expect(responses.map(({ status }) => status).sort()).toEqual([204, 409]);
      expect(await readLeftovers()).toMatchObject({ intents: 0, reserved: 0 });
    });
  });

  describe('with failing storage', () => {
    let recover = () => {};
    afterEach(() => recover());
    /** Makes all writes fail, or only the end of an upload, until `recover`. */
    const fail = (what: 'append' | 'finish') => {
      const storage = world.testApp.app.get(Storage);
      const openGrowing = storage.openGrowing.bind(storage);
      recover = () => void (storage.openGrowing = openGrowing);
      storage.openGrowing = async (key, state) => {
        const object = (await openGrowing(key, state))!;
        Object.assign(object, { [what]: () => Promise.reject(storageErrors.STORAGE_UNAVAILABLE()) });
        return object;
      };
    };

    it('keep stored bytes, return 503 and resume later', async () => {
      const bytes = randomBytes(20 * MB);
      const address = await createUpload(owner.client, zone, 'middle', bytes.length);
      await sendChunk(owner.client, address, 0, bytes.subarray(0, 8 * MB)).expect(204);
      fail('append');
      const rejected = await sendChunk(owner.client, address, 8 * MB, bytes.subarray(8 * MB)).expect(503);
      expect(rejected.body.code).toBe('STORAGE_UNAVAILABLE');
      recover();
      expect(await readOffset(owner.client, address)).toBe(8 * MB);
      const { headers } = await sendChunk(owner.client, address, 8 * MB, bytes.subarray(8 * MB)).expect(204);
      const { body } = await owner.client.get(`/api/files/${headers['x-file-id']}/download`).buffer().parse(binary);
      expect((body as Buffer).equals(bytes)).toBe(true);
      await world.testApp.drain();
      expect(await readLeftovers()).toMatchObject({ intents: 0, reserved: 0, used: bytes.length + 1 });
    });

    it('stay incomplete when the end cannot be stored, and are completed later', async () => {
      const before = await readLeftovers();
      const bytes = randomBytes(9 * MB);
      const address = await createUpload(owner.client, zone, 'end', bytes.length);
      await sendChunk(owner.client, address, 0, bytes.subarray(0, 8 * MB)).expect(204);
      fail('finish');
      await sendChunk(owner.client, address, 8 * MB, bytes.subarray(8 * MB)).expect(503);
      recover();
      expect(await readOffset(owner.client, address)).toBe(8 * MB);
      await sendChunk(owner.client, address, 8 * MB, bytes.subarray(8 * MB)).expect(204);
      await world.testApp.drain();
      expect(await readLeftovers()).toEqual({
        ...before,
        objects: before.objects + 1,
        uploads: 1,
        used: before.used + bytes.length,
      });
    });

    it('leave nothing of an upload that started and failed in one request', async () => {
      const before = await readLeftovers();
      fail('append');
      const headers = {
        ...creationHeaders({ filename: uniqueName('once'), zoneId: zone.id }, 4),
        'Content-Type': OFFSET_CONTENT_TYPE,
      };
      await owner.client
        .post('/api/uploads')
        .set(headers)
        .send(Buffer.from('text') as never)
        .expect(503);
      expect(await readLeftovers()).toEqual(before);
    });
  });

  it('finish uploads that began in parts', async () => {
    const before = await readLeftovers();
    const bytes = randomBytes(5000);
    const address = await createUpload(owner.client, zone, 'old form', bytes.length);
    const id = address.split('/').at(-1)!;
    const insertPart = async (start: number, end: number, size: number | null) => {
      const objectKey = newObjectKey('files');
      await world.testApp.app.get(Storage).write(objectKey, Readable.from([bytes.subarray(start, end)]));
      await execute(
        `insert into upload_parts (upload_id, object_key, start, size)
         select upload_id, ?, ?, ? from resumable_uploads where id = ?`,
        [objectKey, start, size, id],
      );
    };
    await insertPart(0, 1000, 1000);
    await insertPart(1000, 3000, 2000);
    await insertPart(3000, 3500, null);
    await execute('update resumable_uploads set received = 3000 where id = ?', [id]);
    expect(await readOffset(owner.client, address)).toBe(3000);
    const { headers } = await sendChunk(owner.client, address, 3000, bytes.subarray(3000)).expect(204);
    const { body } = await owner.client.get(`/api/files/${headers['x-file-id']}/download`).buffer().parse(binary);
    expect((body as Buffer).equals(bytes)).toBe(true);
    expect(await readLeftovers()).toMatchObject({ intents: 0, reserved: 0, objects: before.objects + 1 });
    expect(await execute('select 1 from upload_parts')).toEqual([]);
  });

  it('begin again when received bytes are missing from the storage', async () => {
    const address = await createUpload(owner.client, zone, 'lost', 10);
    await sendChunk(owner.client, address, 0, 'hello').expect(204);
    await rm(pathOf(world.testApp.config.dataDir, 'files/.unfinished'), { recursive: true });
    await sendChunk(owner.client, address, 5, 'world').expect(404);
    await requestOffset(owner.client, address).expect(404);
    expect(await readLeftovers()).toMatchObject({ intents: 0, reserved: 0 });
  });

  describe('without further requests', () => {
    it('expire after a day without activity, with all that was stored', async () => {
      const before = await readLeftovers();
      const address = await createUpload(owner.client, zone, 'left', 20 * MB);
      await sendChunk(owner.client, address, 0, Buffer.alloc(9 * MB)).expect(204);
      const created = await createUpload(owner.client, zone, 'done', 1);
      await sendChunk(owner.client, created, 0, 'x').expect(204);
      expect(await readLeftovers()).toMatchObject({ reserved: 20 * MB, intents: 1, objects: before.objects + 2 });
      const folder = pathOf(world.testApp.config.dataDir, 'files/.unfinished');
      for (const name of await readdir(folder, { recursive: true }))
        await utimes(pathOf(folder, name), new Date(1000), new Date(1000));
      await runSweep();
      expect(await readOffset(owner.client, address)).toBe(9 * MB);
      world.testApp.clock.advance(DAY + 1000);
      await requestOffset(owner.client, address).expect(404);
      await runSweep();
      expect(await readLeftovers()).toEqual({ ...before, objects: before.objects + 1, used: before.used + 1 });
    });
  });
});

function binary(response: unknown, created: (error: Error | null, body: Buffer) => void): void {
  const stream = response as NodeJS.ReadableStream;
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => created(null, Buffer.concat(chunks)));
}
