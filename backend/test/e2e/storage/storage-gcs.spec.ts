import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { BucketTimeouts } from '../../../src/platform/storage/bucket/bucket-call.js';
import { GcsStorage, type GcsOptions } from '../../../src/platform/storage/gcs/gcs-storage.js';
import { newObjectKey } from '../../../src/platform/storage/storage.js';
import { FakeGcs, type FakeGcsCall, type FakeGcsFault } from '../../support/fakes/fake-gcs.js';
import { pollUntil } from '../files/upload/multipart-helpers.js';
import { toChunkStream, listKeys, describeStorageContract } from './storage.contract.js';

/** Long enough for any busy machine. */
const timeouts: BucketTimeouts = { answer: 60_000, part: 60_000, idle: 60_000, pauses: [1, 1] };
/** For a bucket that stops responding; every timeout leads to the same error. */
const shortTimeouts: BucketTimeouts = { ...timeouts, answer: 700, part: 700, idle: 700 };
const MIB = 1024 * 1024;
const unavailable = { status: 503, code: 'STORAGE_UNAVAILABLE' };

const fakes: FakeGcs[] = [];

async function startFakeGcs(): Promise<FakeGcs> {
  const fake = await FakeGcs.start();
  fakes.push(fake);
  return fake;
}

afterAll(() => Promise.all(fakes.map((fake) => fake.close())));

describeStorageContract('GcsStorage', async () => {
  const { url } = await startFakeGcs();
  return new GcsStorage({ url: 'gs://zonary-test', apiUrl: url, timeouts });
});

describeStorageContract('GcsStorage with a prefix', async () => {
  const fake = await startFakeGcs();
  fake.bucket.putObject('files/aa/of-somebody-else', randomBytes(3));
  return new GcsStorage({ url: 'gs://zonary-test/the/prefix', apiUrl: fake.url, timeouts });
});

describe('GcsStorage under faults', () => {
  let fake: FakeGcs;
  let storage: GcsStorage;
  let key: string;

  const driver = (options: Partial<GcsOptions> = {}) =>
    new GcsStorage({ url: 'gs://zonary-test', apiUrl: fake.url, timeouts, ...options });
  const write = (bytes: Buffer, chunkSize?: number) => storage.write(key, toChunkStream(bytes, chunkSize));

  beforeEach(async () => {
    fake = await startFakeGcs();
    storage = driver();
    key = newObjectKey('files');
  });

  /** No objects and no pending uploads. */
  const expectNothing = async () => {
    expect([...fake.bucket.objects.keys()]).toEqual([]);
    expect(fake.bucket.openSessionCount).toBe(0);
    expect(fake.bucket.openMultiparts).toEqual([]);
  };

  describe('multipart uploads', () => {
    it.each<[FakeGcsCall, FakeGcsFault]>([
      ['begin multipart', { status: 503 }],
      ['begin multipart', 'lost answer'],
      ['send part', { status: 503 }],
      ['send part', { cutAfter: 10 }],
      ['send part', 'lost answer'],
      ['complete', { status: 503 }],
      ['complete', 'lost answer'],
      ['abort', 'lost answer'],
    ])('survive a temporary fault: %s, %j', async (call, fault) => {
      fake.injectFault(call, fault);
      const [first, last] = [randomBytes(5 * MIB), randomBytes(10)];
      const multipart = { objectKey: key, remoteId: await storage.beginMultipart(key) };
      const etags = [await storage.sendPart(multipart, 1, first), await storage.sendPart(multipart, 2, last)];
      expect(await storage.completeMultipart(multipart, etags as string[], 5 * MIB + 10)).toBe(true);
      expect(fake.bucket.objects.get(key)!.bytes.equals(Buffer.concat([first, last]))).toBe(true);
      await storage.abortMultipart(multipart);
      expect(await storage.sendPart(multipart, 3, last)).toBeNull();
    });

    it('are not completed with other parts than those that were sent', async () => {
      const multipart = { objectKey: key, remoteId: await storage.beginMultipart(key) };
      await storage.sendPart(multipart, 1, randomBytes(10));
      expect(await storage.completeMultipart(multipart, ['"other"'], 10)).toBe(false);
      await storage.abortMultipart(multipart);
      await expectNothing();
    });

    it('are removed when they are old and no row references them', async () => {
      storage = driver({ url: 'gs://zonary-test/the/prefix' });
      fake.bucket.beginMultipart('of/somebody-else');
      const keys = Array.from({ length: 5 }, () => newObjectKey('files'));
      for (const unfinished of keys) await storage.beginMultipart(unfinished);
      await storage.removeUnfinished(new Date(0));
      expect(fake.bucket.openMultiparts).toHaveLength(6);
      await storage.removeUnfinished(new Date('2100-01-01'), (found) =>
        Promise.resolve(found.filter((k) => k === keys[3])),
      );
      expect(fake.bucket.openMultiparts.sort()).toEqual(['of/somebody-else', `the/prefix/${keys[3]}`].sort());
    });
  });

  describe('write', () => {
    it.each([
      [MIB, 0],
      [4 * MIB, 0],
      [4 * MIB + 1, 2],
      [12 * MIB, 3],
      [12 * MIB + 100_001, 4],
    ])('sends %i bytes in %i upload parts', async (size, parts) => {
      const bytes = randomBytes(size);
      await write(bytes, 300_000);
      expect(fake.bucket.objects.get(key)!.bytes.equals(bytes)).toBe(true);
      expect([fake.countCalls('part'), fake.countCalls('upload')]).toEqual([parts, parts === 0 ? 1 : 0]);
      expect((await buffer(await storage.read(key))).equals(bytes)).toBe(true);
    });

    it('accepts one chunk larger than a part', async () => {
      const bytes = randomBytes(10 * MIB);
      await write(bytes, bytes.length);
      expect(fake.bucket.objects.get(key)!.bytes.equals(bytes)).toBe(true);
    });

    it('buffers only a few parts, however slow the bucket is', async () => {
      let taken = 0;
      storage = driver({ timeouts: shortTimeouts });
      fake.injectFault('part', 'silence');
      const source = async function* () {
        for (; taken < 60 * MIB; taken += MIB) yield randomBytes(MIB);
      };
      await expect(storage.write(key, source())).rejects.toMatchObject(unavailable);
      expect(taken).toBeLessThan(12 * MIB);
      await expectNothing();
    });
  });

  describe('temporary fault', () => {
    it.each<[FakeGcsCall, FakeGcsFault]>([
      ['begin', { status: 503 }],
      ['begin', 'lost answer'],
      ['part', { status: 503 }],
      ['part', { cutAfter: 3 * MIB + 5 }],
      ['part', { cutAfter: 10 }],
      ['part', 'lost answer'],
    ])('is retried: %s, %j', async (call, fault) => {
      const bytes = randomBytes(9 * MIB + 7);
      fake.injectFault(call, fault, 1, call === 'part' ? 1 : 0);
      await write(bytes);
      expect(fake.bucket.objects.get(key)!.bytes.equals(bytes)).toBe(true);
    });

    it.each<FakeGcsFault>([{ status: 502 }, { cutAfter: 3 * MIB }, 'lost answer'])(
      'of the last part is retried: %j',
      async (fault) => {
        const bytes = randomBytes(9 * MIB + 7);
        fake.injectFault('part', fault, 1, 2);
        await write(bytes);
        expect(fake.bucket.objects.get(key)!.bytes.equals(bytes)).toBe(true);
      },
    );

    it.each<FakeGcsCall>(['upload', 'read', 'stat', 'list', 'delete'])('is retried: %s', async (call) => {
      fake.injectFault(call, { status: 503 });
      fake.injectFault(call, 'lost answer');
      const bytes = randomBytes(1000);
      await write(bytes);
      expect((await buffer(await storage.read(key))).equals(bytes)).toBe(true);
      expect(await storage.stat(key)).toMatchObject({ key, size: 1000, modifiedAt: expect.any(Date) });
      expect(await listKeys(storage.list(''))).toEqual([key]);
      await storage.delete(key);
      expect(await storage.stat(key)).toBeNull();
    });
  });

  describe('permanent fault', () => {
    it.each<[string, number, FakeGcsCall, FakeGcsFault]>([
      ['a small object is rejected', 1000, 'upload', { status: 403 }],
      ['a small object gets no response', 1000, 'upload', 'silence'],
      ['the response to a small object is lost permanently', 1000, 'upload', 'lost answer'],
      ['starting an upload is rejected', 9 * MIB, 'begin', { status: 403 }],
      ['starting an upload gets no response', 9 * MIB, 'begin', 'silence'],
      ['chunks are rejected', 9 * MIB, 'part', { status: 403 }],
      ['chunks fail repeatedly', 9 * MIB, 'part', { status: 503 }],
      ['chunks are cut off repeatedly', 9 * MIB, 'part', { cutAfter: 100 }],
      ['a chunk gets no response', 9 * MIB, 'part', 'silence'],
      ['the upload session is lost', 9 * MIB, 'part', { status: 410 }],
    ])('returns 503 and stores nothing when %s', async (_when, size, call, fault) => {
      if (fault === 'silence') storage = driver({ timeouts: shortTimeouts });
      fake.injectFault(call, fault, Infinity);
      await expect(write(randomBytes(size))).rejects.toMatchObject(unavailable);
      await expectNothing();
    });

    it('returns 503 and stores nothing when the response to the last part never arrives', async () => {
      storage = driver({ timeouts: shortTimeouts });
      fake.injectFault('part', 'lost answer', Infinity, 2);
      fake.injectFault('question', 'silence', Infinity);
      await expect(write(randomBytes(9 * MIB))).rejects.toMatchObject(unavailable);
      await expectNothing();
    });

    it('returns 503 and stores nothing when the bucket holds bytes other than those sent', async () => {
      const { putObject } = fake.bucket;
      fake.bucket.putObject = (name, bytes, type) =>
        putObject.call(fake.bucket, name, Buffer.concat([bytes, bytes]), type);
      await expect(write(randomBytes(1000))).rejects.toMatchObject(unavailable);
      await expectNothing();
    });

    it('stores nothing when the source of an upload fails midway, and cancels the request in progress', async () => {
      fake.injectFault('part', 'silence');
      const broken = async function* () {
        yield randomBytes(5 * MIB);
        await pollUntil(async () => fake.countCalls('part') === 1);
        throw new Error('the connection was cut');
      };
      await expect(storage.write(key, broken())).rejects.toThrow('the connection was cut');
      await expectNothing();
      await pollUntil(async () => fake.pendingRequests === 0);
    });

    it.each<[string, (storage: GcsStorage) => Promise<unknown>]>([
      ['write', (broken) => broken.write(newObjectKey('files'), toChunkStream(randomBytes(9 * MIB)))],
      ['read', (broken) => broken.read(newObjectKey('files'))],
      ['stat', (broken) => broken.stat(newObjectKey('files'))],
      ['delete', (broken) => broken.delete(newObjectKey('files'))],
      ['list', (broken) => listKeys(broken.list(''))],
    ])('returns 503 on %s when nothing listens at the address', async (_name, ask) => {
      const port = await new Promise<number>((resolve) => {
        const server = createServer().listen(0, '127.0.0.1', () => {
          const address = server.address() as { port: number };
          server.close(() => resolve(address.port));
        });
      });
      await expect(ask(driver({ apiUrl: `http://127.0.0.1:${port}` }))).rejects.toMatchObject(unavailable);
    });

    it.each<[FakeGcsCall, (storage: GcsStorage) => Promise<unknown>]>([
      ['read', (silent) => silent.read(key)],
      ['stat', (silent) => silent.stat(key)],
      ['delete', (silent) => silent.delete(key)],
      ['list', (silent) => listKeys(silent.list(''))],
    ])('returns 503 on %s without a response and closes the connection', async (call, ask) => {
      fake.injectFault(call, 'silence', Infinity);
      await expect(ask(driver({ timeouts: shortTimeouts }))).rejects.toMatchObject(unavailable);
      expect(fake.countCalls(call)).toBe(1);
      await pollUntil(async () => fake.pendingRequests === 0);
    });
  });

  describe('reading', () => {
    const bytes = randomBytes(6 * MIB);
    beforeEach(() => write(bytes));

    it.each<FakeGcsFault>([{ cutAfter: MIB }, { stallAfter: MIB }])('fails with %j in the stream', async (fault) => {
      fake.injectFault('read', fault);
      if (typeof fault === 'object' && 'stallAfter' in fault) storage = driver({ timeouts: shortTimeouts });
      await expect(buffer(await storage.read(key))).rejects.toMatchObject(unavailable);
    });

    it('ends the request of a client that disconnects, and no other', async () => {
      const other = await storage.read(key);
      const left = await storage.read(key);
      left.once('data', () => left.destroy());
      const never = await storage.read(key);
      never.destroy();
      await pollUntil(async () => fake.pendingRequests === 1);
      expect((await buffer(other)).equals(bytes)).toBe(true);
    });

    it('waits for a slow client', async () => {
      const slow = driver({ timeouts: { ...timeouts, idle: 100 } });
      const stream = await slow.read(key);
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect((await buffer(stream)).equals(bytes)).toBe(true);
    });
  });

  it('returns the whole object even if the response was garbage-collected before reading', async () => {
    const bytes = randomBytes(6 * MIB);
    await write(bytes);
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const streams = await Promise.all(Array.from({ length: 8 }, () => storage.read(key)));
    for (let turn = 0; turn < 5; turn++) {
      collect();
      // FinalizationRegistry callbacks run in a task of their own.
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const stream of streams) expect((await buffer(stream)).equals(bytes)).toBe(true);
  });

  it('lists objects page by page', async () => {
    const keys = Array.from({ length: 7 }, () => newObjectKey('files')).sort();
    for (const key of keys) await storage.write(key, toChunkStream(randomBytes(10)));
    expect(await listKeys(storage.list('files/'))).toEqual(keys);
    expect(fake.countCalls('list')).toBe(4);
  });
});
