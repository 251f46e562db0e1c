import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { BucketTimeouts } from '../../../src/platform/storage/bucket/bucket-call.js';
import { S3Storage, type S3Options } from '../../../src/platform/storage/s3/s3-storage.js';
import { newObjectKey } from '../../../src/platform/storage/storage.js';
import { reservePort } from '../../support/fakes/reserve-port.js';
import { S3FaultProxy, type S3Call, type S3Fault } from '../../support/fakes/s3-fault-proxy.js';
import { S3Server } from '../../support/fakes/s3-server.js';
import { waitUntil } from '../../support/wait-until.js';
import { toChunkStream, listKeys, describeStorageContract } from './storage.contract.js';

/** Long enough for any busy machine. */
const timeouts: BucketTimeouts = { answer: 60_000, part: 60_000, idle: 60_000, pauses: [1, 1] };
/** For a service that stops responding; every timeout leads to the same error. */
const shortTimeouts: BucketTimeouts = { ...timeouts, answer: 700, part: 700, idle: 700 };
const MIB = 1024 * 1024;
const unavailable = { status: 503, code: 'STORAGE_UNAVAILABLE' };

let server: S3Server;
let prefixCount = 0;

beforeAll(async () => {
  server = await S3Server.start('zonary-test');
});
afterAll(() => server.close());

const openStorage = (endpoint: string, prefix: string, options: Partial<S3Options> = {}) =>
  new S3Storage({
    url: `s3://zonary-test${prefix}?endpoint=${endpoint}`,
    client: { credentials: S3Server.credentials },
    timeouts,
    ...options,
  });
const nextPrefix = () => `/p${(prefixCount += 1)}`;

/** For a range of only the first byte s3rver sends the whole object. */
const ranges = [
  [999_990, 999_999],
  [5, 700_000],
] as const;

const createEmptyStorage = async () => {
  const bucket = `zonary-${(prefixCount += 1)}`;
  await server.createBucket(bucket);
  return new S3Storage({
    url: `s3://${bucket}?endpoint=${server.url}`,
    client: { credentials: S3Server.credentials },
    timeouts,
  });
};
describeStorageContract('S3Storage', createEmptyStorage, ranges);

const createStorageWithPrefix = async () => {
  const prefix = nextPrefix();
  await openStorage(server.url, '').write('files/aa/ofsomebodyelse', toChunkStream(randomBytes(3)));
  return openStorage(server.url, prefix);
};
describeStorageContract('S3Storage with a prefix', createStorageWithPrefix, ranges);

describe('S3Storage under faults', () => {
  let proxy: S3FaultProxy;
  let storage: S3Storage;
  let key: string;
  let prefix: string;

  const open = (options: Partial<S3Options> = {}) => openStorage(proxy.url, prefix, options);
  const write = (bytes: Buffer, chunkSize?: number) => storage.write(key, toChunkStream(bytes, chunkSize));
  const read = async () => buffer(await storage.read(key));

  beforeEach(async () => {
    proxy = await S3FaultProxy.start(server.url);
    prefix = nextPrefix();
    storage = open();
    key = newObjectKey('files');
  });
  afterEach(() => proxy.close());

  const expectNothing = async () => {
    proxy.clearFaults();
    expect(await listKeys(openStorage(server.url, prefix).list(''))).toEqual([]);
  };

  describe('write', () => {
    it.each([
      [MIB, 0],
      [8 * MIB, 0],
      [8 * MIB + 1, 2],
      [24 * MIB, 3],
      [24 * MIB + 100_001, 4],
    ])('sends %i bytes in %i upload parts', async (size, parts) => {
      const bytes = randomBytes(size);
      await write(bytes, 300_000);
      expect((await read()).equals(bytes)).toBe(true);
      expect([proxy.countCalls('part'), proxy.countCalls('upload')]).toEqual([parts, parts === 0 ? 1 : 0]);
    });

    it('accepts one chunk larger than a part', async () => {
      const bytes = randomBytes(20 * MIB);
      await write(bytes, bytes.length);
      expect((await read()).equals(bytes)).toBe(true);
    });

    it('buffers only a few parts, however slow the service is', async () => {
      let taken = 0;
      storage = open({ timeouts: shortTimeouts });
      proxy.injectFault('part', 'silence');
      const source = async function* () {
        for (; taken < 60 * MIB; taken += MIB) yield randomBytes(MIB);
      };
      await expect(storage.write(key, source())).rejects.toMatchObject(unavailable);
      expect(taken).toBeLessThan(24 * MIB);
      await expectNothing();
    });
  });

  describe('temporary fault', () => {
    const slowDown = { status: 503, code: 'SlowDown' };

    it.each<[S3Call, S3Fault]>([
      ['begin', slowDown],
      ['begin', 'lost answer'],
      ['part', slowDown],
      ['part', { cutAfter: 3 * MIB + 5 }],
      ['part', { cutAfter: 10 }],
      ['part', 'lost answer'],
      ['complete', slowDown],
      ['complete', 'lost answer'],
    ])('is retried: %s, %j', async (call, fault) => {
      const bytes = randomBytes(17 * MIB + 7);
      proxy.injectFault(call, fault, 1, call === 'part' ? 1 : 0);
      await write(bytes);
      expect((await read()).equals(bytes)).toBe(true);
    });

    it.each<S3Call>(['upload', 'read', 'stat', 'list', 'delete'])('is retried: %s', async (call) => {
      proxy.injectFault(call, slowDown);
      proxy.injectFault(call, 'lost answer');
      const bytes = randomBytes(1000);
      await write(bytes);
      expect((await read()).equals(bytes)).toBe(true);
      expect(await storage.stat(key)).toMatchObject({ key, size: 1000, modifiedAt: expect.any(Date) });
      expect(await listKeys(storage.list(''))).toEqual([key]);
      await storage.delete(key);
      expect(await storage.stat(key)).toBeNull();
    });
  });

  describe('permanent fault', () => {
    const denied = { status: 403, code: 'AccessDenied' };
    const full = { status: 507, code: 'InsufficientStorage' };
    const expired = { status: 400, code: 'ExpiredToken' };

    it.each<[string, number, S3Call, S3Fault]>([
      ['a small object is rejected', 1000, 'upload', denied],
      ['the credentials have expired', 1000, 'upload', expired],
      ['the bucket is full', 1000, 'upload', full],
      ['a small object gets no response', 1000, 'upload', 'silence'],
      ['the response to a small object is lost permanently', 1000, 'upload', 'lost answer'],
      ['a small object is stored with other bytes', 1000, 'upload', 'wrong etag'],
      ['starting an upload is rejected', 17 * MIB, 'begin', denied],
      ['starting an upload gets no response', 17 * MIB, 'begin', 'silence'],
      ['parts are rejected', 17 * MIB, 'part', denied],
      ['parts fail repeatedly', 17 * MIB, 'part', { status: 503, code: 'SlowDown' }],
      ['parts are cut off repeatedly', 17 * MIB, 'part', { cutAfter: 100 }],
      ['a part gets no response', 17 * MIB, 'part', 'silence'],
      ['a part is stored with other bytes', 17 * MIB, 'part', 'wrong etag'],
      ['the upload is gone', 17 * MIB, 'part', { status: 404, code: 'NoSuchUpload' }],
      ['completing an upload is rejected', 17 * MIB, 'complete', denied],
    ])('returns 503 and stores nothing when %s', async (_when, size, call, fault) => {
      if (fault === 'silence') storage = open({ timeouts: shortTimeouts });
      proxy.injectFault(call, fault, Infinity);
      await expect(write(randomBytes(size))).rejects.toMatchObject(unavailable);
      await expectNothing();
    });

    it('stores nothing when the source of an upload fails midway, and cancels the request in progress', async () => {
      proxy.injectFault('part', 'silence');
      const broken = async function* () {
        yield randomBytes(9 * MIB);
        await waitUntil('the first part is sent', () => proxy.countCalls('part') === 1);
        throw new Error('the connection was cut');
      };
      await expect(storage.write(key, broken())).rejects.toThrow('the connection was cut');
      await expectNothing();
      await waitUntil('no request is pending', () => proxy.pendingRequests === 0);
    });

    it.each<[string, (storage: S3Storage) => Promise<unknown>]>([
      ['write', (broken) => broken.write(newObjectKey('files'), toChunkStream(randomBytes(9 * MIB)))],
      ['read', (broken) => broken.read(newObjectKey('files'))],
      ['stat', (broken) => broken.stat(newObjectKey('files'))],
      ['delete', (broken) => broken.delete(newObjectKey('files'))],
      ['list', (broken) => listKeys(broken.list(''))],
      ['the mark', (broken) => broken.readMark()],
    ])('returns 503 on %s when nothing listens at the address', async (_name, ask) => {
      const closed = openStorage(`http://127.0.0.1:${await reservePort()}`, prefix);
      await expect(ask(closed)).rejects.toMatchObject(unavailable);
    });

    it.each<[string, (storage: S3Storage) => Promise<unknown>]>([
      ['read', (missing) => missing.read(newObjectKey('files'))],
      ['the mark', (missing) => missing.readMark()],
      ['list', (missing) => listKeys(missing.list(''))],
    ])('returns 503 on %s when the bucket does not exist', async (_name, ask) => {
      const missing = new S3Storage({
        url: `s3://no-such-bucket?endpoint=${server.url}`,
        client: { credentials: S3Server.credentials },
        timeouts,
      });
      await expect(ask(missing)).rejects.toMatchObject(unavailable);
    });

    it('returns 503 when there are no credentials', async () => {
      const credentials = () =>
        Promise.reject(Object.assign(new Error('none found'), { name: 'CredentialsProviderError' }));
      const anonymous = open({ client: { credentials } });
      await expect(anonymous.stat(key)).rejects.toMatchObject(unavailable);
      expect(proxy.countCalls('stat')).toBe(0);
    });

    it.each<[S3Call, (storage: S3Storage) => Promise<unknown>]>([
      ['read', (silent) => silent.read(key)],
      ['stat', (silent) => silent.stat(key)],
      ['delete', (silent) => silent.delete(key)],
      ['list', (silent) => listKeys(silent.list(''))],
    ])('returns 503 on %s without a response and closes the connection', async (call, ask) => {
      proxy.injectFault(call, 'silence', Infinity);
      await expect(ask(open({ timeouts: shortTimeouts }))).rejects.toMatchObject(unavailable);
      expect(proxy.countCalls(call)).toBe(1);
      await waitUntil('no request is pending', () => proxy.pendingRequests === 0);
    });
  });

  describe('reading', () => {
    const bytes = randomBytes(6 * MIB);
    beforeEach(() => write(bytes));

    it.each<S3Fault>([{ cutAfter: MIB }, { stallAfter: MIB }])('fails with %j in the stream', async (fault) => {
      proxy.injectFault('read', fault);
      if (typeof fault === 'object' && 'stallAfter' in fault) storage = open({ timeouts: shortTimeouts });
      await expect(read()).rejects.toMatchObject(unavailable);
    });

    it('ends the request of a client that disconnects, and no other', async () => {
      const other = await storage.read(key);
      const left = await storage.read(key);
      left.once('data', () => left.destroy());
      const never = await storage.read(key);
      never.destroy();
      await waitUntil('one request is pending', () => proxy.pendingRequests === 1);
      expect((await buffer(other)).equals(bytes)).toBe(true);
    });

    it('waits for a slow client', async () => {
      const stream = await open({ timeouts: { ...timeouts, idle: 100 } }).read(key);
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect((await buffer(stream)).equals(bytes)).toBe(true);
    });
  });

  it('fails when the service sends other bytes than the range', async () => {
    await write(randomBytes(1000));
    await expect(storage.read(key, { start: 0, end: 0 })).rejects.toMatchObject(unavailable);
    await waitUntil('no request is pending', () => proxy.pendingRequests === 0);
  });

  describe('signed URLs', () => {
    const options = { disposition: 'attachment; filename="a.png"', contentType: 'image/png', lifetime: 300_000 };
    const openDirect = (client: S3Options['client']) =>
      new S3Storage({ url: `s3://zonary-test${prefix}?endpoint=${proxy.url}&direct=yes`, client: client!, timeouts });

    it('serve the object without a session', async () => {
      await write(Buffer.from('abc'));
      const url = (await openDirect({ credentials: S3Server.credentials }).signedUrl(key, options))!;
      const response = await fetch(url);
      expect(await response.text()).toBe('abc');
      expect(response.headers.get('content-type')).toBe('image/png');
      expect(response.headers.get('content-disposition')).toBe(options.disposition);
    });

    it('end with the credentials that signed them', async () => {
      const credentials = { ...S3Server.credentials, expiration: new Date(Date.now() + 60_000) };
      const url = new URL((await openDirect({ credentials }).signedUrl(key, options))!);
      expect(Number(url.searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(60);
      const expired = { ...S3Server.credentials, expiration: new Date(Date.now() - 1000) };
      expect(await openDirect({ credentials: expired }).signedUrl(key, options)).toBeNull();
    });

    it('are not given for a service without HTTPS, unless that is wanted', async () => {
      expect(await storage.signedUrl(key, options)).toBeNull();
    });
  });
});
