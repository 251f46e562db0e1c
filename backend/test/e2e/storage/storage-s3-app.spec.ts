import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { S3FaultProxy } from '../../support/fakes/s3-fault-proxy.js';
import { S3Server } from '../../support/fakes/s3-server.js';
import { describeInProcess, World } from '../../support/world.js';
import { newObjectKey, Storage } from '../../../src/platform/storage/storage.js';
import { PNG, postFiles, uploadFile } from '../files/upload/multipart-helpers.js';
import { cancelUpload, createUpload, readOffset, sendChunk } from '../files/upload/files-tus.js';
import { describeDirectUploads } from './direct-uploads.contract.js';
import { describeResumableUploads } from './resumable-uploads.contract.js';
import { listKeys } from './storage.contract.js';

const MIB = 1024 * 1024;
const denied = { status: 403, code: 'AccessDenied' };

describeInProcess('Files in an S3 bucket', () => {
  let server: S3Server;
  let proxy: S3FaultProxy;
  let world: World;
  let owner: Actor;
  let zone: TestZone;

  beforeAll(async () => {
    process.env.AWS_ACCESS_KEY_ID = S3Server.credentials.accessKeyId;
    process.env.AWS_SECRET_ACCESS_KEY = S3Server.credentials.secretAccessKey;
    server = await S3Server.start('zonary-test');
    proxy = await S3FaultProxy.start(server.url);
    world = await World.open({ STORAGE_URL: `s3://zonary-test/objects?endpoint=${proxy.url}&direct=yes` });
    owner = await registerUser(world);
    zone = await createZone(owner);
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
    await server.close();
    delete process.env.AWS_ACCESS_KEY_ID;
    delete process.env.AWS_SECRET_ACCESS_KEY;
  });
  afterEach(() => proxy.clearFaults());

  const listObjects = () => listKeys(world.testApp.app.get(Storage).list(''));
  const fetchContent = async (actor: Actor, id: number) => {
    const { headers } = await actor.client.get(`/api/files/${id}/download`).redirects(0).expect(302);
    return fetch(headers.location!);
  };

  it('keeps the objects under the prefix', async () => {
    const { id } = await uploadFile(owner.client, zone.id, `${uniqueName('small')}.txt`, 'text');
    expect(id).toBeGreaterThan(0);
    expect(await readdir(join(server.folder, 'zonary-test'))).toEqual(['objects']);
  });

  it('are uploaded, viewed in ranges and downloaded from the bucket', async () => {
    const bytes = randomBytes(9 * MIB);
    const file = await uploadFile(owner.client, zone.id, 'large.png', bytes);
    expect(file).toMatchObject({ size: bytes.length, storageType: 's3' });
    const response = await fetchContent(owner, file.id);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; .*large\.png/);
    const image = await uploadFile(owner.client, zone.id, 'shown.png', PNG);
    const part = await owner.client.get(`/api/files/${image.id}/view`).set('Range', 'bytes=1-3').expect(206);
    expect((part.body as Buffer).toString()).toBe('PNG');
  });

  it('give addresses of the bucket only to those who may download', async () => {
    const file = await uploadFile(owner.client, zone.id, 'çağrı 1.png', PNG);
    const [member, stranger] = [await registerUser(world), await registerUser(world)];
    await joinPublicZone(zone, member);
    const response = await fetchContent(member, file.id);
    expect(Buffer.from(await response.arrayBuffer()).equals(PNG)).toBe(true);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; .*filename\*=UTF-8''%C3%A7a/);
    await stranger.client.get(`/api/files/${file.id}/download`).redirects(0).expect(404);
  });

  it('are counted with each address of the bucket, which leads to the whole file', async () => {
    const file = await uploadFile(owner.client, zone.id, 'counted.png', PNG);
    const member = await registerUser(world);
    await joinPublicZone(zone, member);
    const path = `/api/files/${file.id}/download`;
    const readCount = async () => {
      const files = (await owner.client.get(`/api/zones/${zone.id}/files`)).body as Record<string, number>[];
      return files.find(({ id }) => id === file.id)!.downloadCount;
    };
    await member.client.head(path).redirects(0).expect(200);
    await member.client.get(path).set('Range', `bytes=${PNG.length}-`).redirects(0).expect(416);
    expect(await readCount()).toBe(0);
    const { headers } = await member.client.get(path).set('Range', 'bytes=5-').redirects(0).expect(302);
    expect(Buffer.from(await (await fetch(headers.location!)).arrayBuffer()).equals(PNG)).toBe(true);
    expect(await readCount()).toBe(1);
    await member.client.get(path).redirects(0).expect(302);
    expect(await readCount()).toBe(1);
  });

  it('are viewed inline through the service, with its own headers', async () => {
    const files = [
      ['shown.txt', 'ı'.repeat(3000)],
      ['inline.png', PNG],
    ] as const;
    for (const [name, content] of files) {
      const { id } = await uploadFile(owner.client, zone.id, name, content);
      const { headers } = await owner.client.get(`/api/files/${id}/view`).redirects(0).expect(200);
      expect(headers['content-security-policy']).toMatch(/sandbox/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-disposition']).toMatch(/^inline;/);
    }
  });

  it('return 503 and leave nothing when the bucket fails during an upload', async () => {
    await world.testApp.drain();
    const before = await listObjects();
    proxy.injectFault('part', denied, Infinity, 1);
    const parts = [
      { name: `${uniqueName('small')}.txt`, body: 'text' },
      { name: `${uniqueName('large')}.bin`, body: randomBytes(17 * MIB) },
    ];
    const { body } = await postFiles(owner.client, zone.id, parts).expect(503);
    expect(body.code).toBe('STORAGE_UNAVAILABLE');
    await world.testApp.drain();
    expect(await listObjects()).toEqual(before);
    proxy.clearFaults();
    await postFiles(owner.client, zone.id, parts).expect(201);
  });

  it('keep pages from sending anything to the bucket without direct uploads', async () => {
    const { headers } = await world.createClient().get('/api/plans');
    expect(headers['content-security-policy']).toContain("connect-src 'self';");
    const address = await createUpload(owner.client, zone, `${uniqueName('tus')}.bin`, 9 * MIB);
    expect((await owner.client.get(`${address}/parts`).expect(409)).body.code).toBe('UPLOAD_NOT_DIRECT');
    expect(
      (
        await owner.client
          .post(`${address}/parts`)
          .send({ numbers: [1] })
          .expect(409)
      ).body.code,
    ).toBe('UPLOAD_NOT_DIRECT');
    await cancelUpload(owner.client, address).expect(204);
  });

  it('support resumable uploads across failures of the bucket', async () => {
    const bytes = randomBytes(18 * MIB);
    const address = await createUpload(owner.client, zone, `${uniqueName('tus')}.bin`, bytes.length);
    proxy.injectFault('part', denied, Infinity, 1);
    await sendChunk(owner.client, address, 0, bytes).expect(503);
    proxy.clearFaults();
    const offset = await readOffset(owner.client, address);
    expect(offset).toBe(8 * MIB);
    const { headers } = await sendChunk(owner.client, address, offset, bytes.subarray(offset)).expect(204);
    await world.testApp.drain();
    const response = await fetchContent(owner, Number(headers['x-file-id']));
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('continue uploads that began in parts', async () => {
    const before = await listObjects();
    const bytes = randomBytes(12 * MIB);
    const address = await createUpload(owner.client, zone, `${uniqueName('old')}.bin`, bytes.length);
    const id = address.split('/').at(-1)!;
    const execute = (sql: string, params: unknown[]) => world.testApp.em().execute<object[]>(sql, params);
    const insertPart = async (start: number, content: Buffer, size: number | null) => {
      const objectKey = newObjectKey('files');
      await world.testApp.app.get(Storage).write(objectKey, Readable.from([content]));
      await execute(
        `insert into upload_parts (upload_id, object_key, start, size)
         select upload_id, ?, ?, ? from resumable_uploads where id = ?`,
        [objectKey, start, size, id],
      );
    };
    await insertPart(0, bytes.subarray(0, 1000), 1000);
    await insertPart(1000, bytes.subarray(1000, 9 * MIB), 9 * MIB - 1000);
    // Neither was counted before the process died.
    await insertPart(9 * MIB, Buffer.alloc(700, 'x'), 700);
    await insertPart(9 * MIB, Buffer.alloc(800, 'x'), null);
    await execute('update resumable_uploads set received = ?, is_writing = true where id = ?', [9 * MIB, id]);
    const { headers } = await sendChunk(owner.client, address, 9 * MIB, bytes.subarray(9 * MIB)).expect(204);
    await world.testApp.drain();
    const response = await fetchContent(owner, Number(headers['x-file-id']));
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(await listObjects()).toHaveLength(before.length + 1);
    expect(await execute('select 1 from upload_parts', [])).toEqual([]);
  });
});

async function openS3rver() {
  process.env.AWS_ACCESS_KEY_ID = S3Server.credentials.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = S3Server.credentials.secretAccessKey;
  const server = await S3Server.start('zonary-test');
  const proxy = await S3FaultProxy.start(server.url);
  return {
    env: { STORAGE_URL: `s3://zonary-test?endpoint=${proxy.url}&directUploads=yes` },
    injectFault: (...fault: Parameters<S3FaultProxy['injectFault']>) => proxy.injectFault(...fault),
    clearFaults: () => proxy.clearFaults(),
    listMultiparts: () => Promise.resolve(null),
    close: async () => {
      await proxy.close();
      await server.close();
      delete process.env.AWS_ACCESS_KEY_ID;
      delete process.env.AWS_SECRET_ACCESS_KEY;
    },
  };
}

describeResumableUploads('s3rver', openS3rver);
describeDirectUploads('s3rver', openS3rver, { isStrict: false });
