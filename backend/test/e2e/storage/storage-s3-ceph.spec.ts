import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { CreateBucketCommand, GetBucketCorsCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { checkDirectUploads } from '../../../src/cli/doctor/check-direct-uploads.js';
import type { BucketTimeouts } from '../../../src/platform/storage/bucket/bucket-call.js';
import { S3Storage, type S3Options } from '../../../src/platform/storage/s3/s3-storage.js';
import { newObjectKey } from '../../../src/platform/storage/storage.js';
import { CephGateway, describeWithCeph } from '../../support/fakes/ceph-gateway.js';
import { S3FaultProxy } from '../../support/fakes/s3-fault-proxy.js';
import { describeDirectUploads } from './direct-uploads.contract.js';
import { describeResumableUploads } from './resumable-uploads.contract.js';
import { describeStorageContract, listKeys, toChunkStream } from './storage.contract.js';

const timeouts: BucketTimeouts = { answer: 60_000, part: 60_000, idle: 60_000, pauses: [1, 1] };
const MIB = 1024 * 1024;
const BUCKET = 'zonary-test';

describeWithCeph('Ceph', () => {
  let gateway: CephGateway;
  let client: S3Client;
  let prefixCount = 0;

  beforeAll(async () => {
    gateway = await CephGateway.start();
    const { url: endpoint, credentials } = gateway;
    client = new S3Client({ endpoint, credentials, region: 'us-east-1', forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  });
  afterAll(() => {
    client.destroy();
    gateway.close();
  });

  const openStorage = (prefix: string, options: Partial<S3Options> = {}, endpoint = gateway.url) =>
    new S3Storage({
      url: `s3://${BUCKET}/${prefix}?endpoint=${endpoint}`,
      client: { credentials: gateway.credentials },
      timeouts,
      ...options,
    });
  const nextPrefix = () => `p${(prefixCount += 1)}`;
  const listUploads = async () =>
    (await client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET }))).Uploads?.map(({ Key }) => Key) ?? [];

  describeStorageContract('S3Storage', async () => openStorage(nextPrefix()));

  const openBucket = async () => {
    process.env.AWS_ACCESS_KEY_ID = gateway.credentials.accessKeyId;
    process.env.AWS_SECRET_ACCESS_KEY = gateway.credentials.secretAccessKey;
    const proxy = await S3FaultProxy.start(gateway.url);
    const prefix = nextPrefix();
    return {
      env: { STORAGE_URL: `s3://${BUCKET}/${prefix}?endpoint=${proxy.url}&directUploads=yes` },
      injectFault: (...fault: Parameters<S3FaultProxy['injectFault']>) => proxy.injectFault(...fault),
      clearFaults: () => proxy.clearFaults(),
      listMultiparts: async () => (await listUploads()).filter((name) => name!.startsWith(`${prefix}/`)),
      close: async () => {
        await proxy.close();
        delete process.env.AWS_ACCESS_KEY_ID;
        delete process.env.AWS_SECRET_ACCESS_KEY;
      },
    };
  };
  describeResumableUploads('Ceph', openBucket);
  describeDirectUploads('Ceph', openBucket, { isStrict: true });

  it('lets browsers send parts from one origin, once its rule is set', async () => {
    const storage = new S3Storage({
      url: `s3://${BUCKET}/${nextPrefix()}?endpoint=${gateway.url}&directUploads=yes`,
      client: { credentials: gateway.credentials },
      timeouts,
    });
    const check = async () => (await checkDirectUploads(storage, 'https://zonary.example')).map(({ level }) => level);
    expect(await check()).toEqual(['warn']);
    await storage.allowOrigin('https://other.example');
    expect(await check()).toEqual(['warn']);
    await storage.allowOrigin('https://zonary.example');
    await storage.allowOrigin('https://zonary.example');
    expect(await check()).toEqual(['ok']);
    const { CORSRules: rules } = await client.send(new GetBucketCorsCommand({ Bucket: BUCKET }));
    expect(rules!.map(({ AllowedOrigins }) => AllowedOrigins)).toEqual([
      ['https://other.example'],
      ['https://zonary.example'],
    ]);
    expect(await listUploads()).toEqual([]);
  });

  it('keeps multipart uploads that a row references', async () => {
    const prefix = nextPrefix();
    const storage = openStorage(prefix);
    const key = newObjectKey('files');
    await storage.beginMultipart(key);
    await storage.removeUnfinished(new Date('2100-01-01'), (keys) => Promise.resolve(keys));
    expect(await listUploads()).toEqual([`${prefix}/${key}`]);
    await storage.removeUnfinished(new Date('2100-01-01'), () => Promise.resolve([]));
    expect(await listUploads()).toEqual([]);
  });

  it('is left without a part of a failed upload', async () => {
    const proxy = await S3FaultProxy.start(gateway.url);
    const storage = openStorage(nextPrefix(), {}, proxy.url);
    proxy.injectFault('part', { status: 403, code: 'AccessDenied' }, Infinity, 1);
    await expect(storage.write(newObjectKey('files'), toChunkStream(randomBytes(17 * MIB)))).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    });
    expect(await listUploads()).toEqual([]);
    await proxy.close();
  });

  it('loses the parts of a crashed process once they are old', async () => {
    const proxy = await S3FaultProxy.start(gateway.url);
    const prefix = nextPrefix();
    const storage = openStorage(prefix, {}, proxy.url);
    // The upload fails, and so does its cleanup.
    proxy.injectFault('part', { status: 403, code: 'AccessDenied' }, Infinity, 1);
    proxy.injectFault('abort', { status: 403, code: 'AccessDenied' }, Infinity);
    const key = newObjectKey('files');
    await expect(storage.write(key, toChunkStream(randomBytes(17 * MIB)))).rejects.toThrow();
    proxy.clearFaults();
    expect(await listUploads()).toEqual([`${prefix}/${key}`]);
    await storage.removeUnfinished(new Date(0));
    expect(await listUploads()).toEqual([`${prefix}/${key}`]);
    await openStorage(nextPrefix()).removeUnfinished(new Date('2100-01-01'));
    expect(await listUploads()).toEqual([`${prefix}/${key}`]);
    await storage.removeUnfinished(new Date('2100-01-01'));
    expect(await listUploads()).toEqual([]);
    await proxy.close();
  });

  it('moves a large object in parts', async () => {
    const storage = openStorage(nextPrefix(), { copyBytes: 5 * MIB });
    const bytes = randomBytes(17 * MIB);
    const key = newObjectKey('files');
    await storage.write(key, toChunkStream(bytes));
    expect(await storage.move(key, `quarantine/${key}`)).toBe(true);
    expect((await buffer(await storage.read(`quarantine/${key}`))).equals(bytes)).toBe(true);
    expect(await listKeys(storage.list(''))).toEqual([`quarantine/${key}`]);
    expect(await listUploads()).toEqual([]);
  });

  it('lists objects page by page', async () => {
    const proxy = await S3FaultProxy.start(gateway.url);
    const storage = openStorage(nextPrefix(), { listPageSize: 2 }, proxy.url);
    const keys = Array.from({ length: 7 }, () => newObjectKey('files')).sort();
    for (const key of keys) await storage.write(key, toChunkStream(randomBytes(10)));
    expect(await listKeys(storage.list('files/'))).toEqual(keys);
    expect(proxy.countCalls('list')).toBe(4);
    await proxy.close();
  });

  it('serves signed URLs', async () => {
    const prefix = nextPrefix();
    const storage = new S3Storage({
      url: `s3://${BUCKET}/${prefix}?endpoint=${gateway.url}&direct=yes`,
      client: { credentials: gateway.credentials },
      timeouts,
    });
    const key = newObjectKey('files');
    await storage.write(key, toChunkStream(Buffer.from('abc')));
    const options = { disposition: 'attachment; filename="a.png"', contentType: 'image/png', lifetime: 300_000 };
    const url = (await storage.signedUrl(key, options))!;
    const response = await fetch(url);
    expect(await response.text()).toBe('abc');
    expect(response.headers.get('content-disposition')).toBe(options.disposition);
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(403);
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(403);
    expect((await fetch(url.replace(key, newObjectKey('files')))).status).toBe(403);
  });
});
