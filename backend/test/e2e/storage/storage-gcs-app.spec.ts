import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createZone,
  joinPublicZone as joinZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { FakeGcs } from '../../support/fakes/fake-gcs.js';
import { describeInProcess, World } from '../../support/world.js';
import { PNG, uploadFile, postFiles, pollUntil } from '../files/upload/multipart-helpers.js';
import { createUpload, cookieHeaderOf, readOffset, openPatch, sendChunk } from '../files/upload/files-tus.js';
import { describeResumableUploads } from './resumable-uploads.contract.js';

const MIB = 1024 * 1024;
const DAY = 24 * 3_600_000;

// Otherwise Google's library queries the network for a metadata server.
beforeAll(() => void (process.env.METADATA_SERVER_DETECTION = 'none'));
afterAll(() => void delete process.env.METADATA_SERVER_DETECTION);

describeInProcess('Files in a bucket', () => {
  let fake: FakeGcs;
  let world: World;
  let owner: Actor;
  let zone: TestZone;

  beforeAll(async () => {
    fake = await FakeGcs.start();
    world = await World.open({ STORAGE_URL: 'gs://zonary-test', STORAGE_API_URL: fake.url });
    owner = await registerUser(world);
    zone = await createZone(owner);
  });
  afterAll(async () => {
    await world.close();
    await fake.close();
  });
  afterEach(() => fake.clearFaults());

  const execute = <T extends object>(sql: string, params: unknown[] = []) =>
    world.testApp.em().execute<T[]>(sql, params);
  const readState = async () => {
    const [row] = await execute<{ used: string; reserved: string }>(
      `select used, reserved from usage where owner_id = ? and metric = 'bytes'`,
      [owner.id],
    );
    const files = (await execute('select 1 from files')).length;
    const intents = (await execute('select 1 from uploads')).length;
    const usage = { used: Number(row?.used ?? 0), reserved: Number(row?.reserved ?? 0) };
    return {
      objects: fake.bucket.objects.size,
      unfinished: fake.bucket.openSessionCount + fake.bucket.openMultiparts.length,
      files,
      intents,
      ...usage,
    };
  };
  /** The state after unreferenced objects have been deleted from the bucket. */
  const readStateAfterJobs = async () => {
    await world.testApp.drain();
    return readState();
  };
  const twoFiles = () => [
    { name: `${uniqueName('small')}.txt`, body: 'text' },
    { name: `${uniqueName('large')}.bin`, body: randomBytes(9 * MIB) },
  ];

  it('are uploaded, viewed in ranges and downloaded', async () => {
    const bytes = randomBytes(9 * MIB);
    const file = await uploadFile(owner.client, zone.id, 'large.bin', bytes);
    expect(file).toMatchObject({ size: bytes.length, storageType: 'gcs' });
    const whole = await owner.client.get(`/api/files/${file.id}/download`).buffer().parse(binary).expect(200);
    expect((whole.body as Buffer).equals(bytes)).toBe(true);
    const range = `bytes=${5 * MIB}-${5 * MIB + 9}`;
    const part = await owner.client.get(`/api/files/${file.id}/view`).set('Range', range).buffer().parse(binary);
    expect([part.status, (part.body as Buffer).equals(bytes.subarray(5 * MIB, 5 * MIB + 10))]).toEqual([206, true]);
    const empty = await uploadFile(owner.client, zone.id, 'empty.txt', '');
    expect((await owner.client.get(`/api/files/${empty.id}/download`).expect(200)).text ?? '').toBe('');
  });

  it('return 503 and leave nothing when the bucket fails during an upload', async () => {
    const before = await readStateAfterJobs();
    fake.injectFault('part', { status: 403 }, Infinity, 1);
    const parts = twoFiles();
    const { body } = await postFiles(owner.client, zone.id, parts).expect(503);
    expect(body.code).toBe('STORAGE_UNAVAILABLE');
    expect(await readStateAfterJobs()).toEqual(before);
    fake.clearFaults();
    await postFiles(owner.client, zone.id, parts).expect(201);
  });

  it('are cleaned up later when the bucket was unavailable during a failed upload', async () => {
    const before = await readStateAfterJobs();
    fake.injectFault('part', { status: 403 }, Infinity, 1);
    fake.injectFault('cancel', { status: 403 }, Infinity);
    fake.injectFault('delete', { status: 403 }, Infinity);
    await postFiles(owner.client, zone.id, twoFiles()).expect(503);
    // Rows don't wait for the bucket: nothing is reserved, and a job deletes the objects.
    await expect(world.testApp.drain()).rejects.toThrow('files.delete-objects');
    expect(await readState()).toEqual({ ...before, objects: before.objects + 1, unfinished: before.unfinished + 1 });
    fake.clearFaults();
    world.testApp.clock.advance(DAY);
    // An unfinished upload is no object; Google deletes it.
    expect(await readStateAfterJobs()).toEqual({ ...before, unfinished: before.unfinished + 1 });
  });

  it('answer conditional requests without accessing the bucket', async () => {
    const bytes = randomBytes(300_000);
    const file = await uploadFile(owner.client, zone.id, `${uniqueName('v')}.bin`, bytes);
    const get = (headers: Record<string, string>) => owner.client.get(`/api/files/${file.id}/download`).set(headers);
    const { headers } = await get({ Range: 'bytes=0-0' }).buffer().parse(binary).expect(206);
    expect(headers['content-range']).toBe('bytes 0-0/300000');
    const reads = fake.countCalls('read');
    await get({ 'If-None-Match': headers.etag! }).expect(304);
    expect((await get({ Range: 'bytes=300000-' }).expect(416)).headers['content-range']).toBe('bytes */300000');
    expect(fake.countCalls('read')).toBe(reads);
    const tail = await get({ Range: 'bytes=-5', 'If-Range': headers.etag! }).buffer().parse(binary).expect(206);
    expect((tail.body as Buffer).equals(bytes.subarray(-5))).toBe(true);
    const other = await get({ Range: 'bytes=-5', 'If-Range': '"other"' }).buffer().parse(binary).expect(200);
    expect((other.body as Buffer).equals(bytes)).toBe(true);
  });

  it('support resumable uploads across disconnects and bucket failures', async () => {
    const before = await readStateAfterJobs();
    const bytes = randomBytes(18 * MIB);
    const address = await createUpload(owner.client, zone, `${uniqueName('tus')}.bin`, bytes.length);
    const cut = openPatch(world.url, cookieHeaderOf(owner, world.url), address, 0, bytes.length);
    await cut.write(bytes.subarray(0, 9 * MIB));
    await pollUntil(async () => (await execute('select 1 from upload_multipart_parts')).length === 1);
    cut.abort();
    await expect(cut.answer()).rejects.toThrow();
    // Bytes received before the cut are kept once the request has noticed it.
    const offset = await readOffset(owner.client, address);
    expect(offset).toBeGreaterThanOrEqual(8 * MIB);
    fake.injectFault('send part', { status: 403 }, Infinity);
    await sendChunk(owner.client, address, offset, bytes.subarray(offset)).expect(503);
    fake.clearFaults();
    const from = await readOffset(owner.client, address);
    expect(from).toBeGreaterThanOrEqual(offset);
    const { headers } = await sendChunk(owner.client, address, from, bytes.subarray(from)).expect(204);
    await world.testApp.drain();
    const id = headers['x-file-id'] as string;
    const whole = await owner.client.get(`/api/files/${id}/download`).buffer().parse(binary).expect(200);
    expect((whole.body as Buffer).equals(bytes)).toBe(true);
    expect(await readStateAfterJobs()).toMatchObject({
      objects: before.objects + 1,
      files: before.files + 1,
      intents: before.intents,
      used: before.used + bytes.length,
      reserved: before.reserved,
    });
  });

  it('end the response early when the bucket fails during a read', async () => {
    const file = await uploadFile(owner.client, zone.id, `${uniqueName('f')}.bin`, randomBytes(2 * MIB));
    fake.injectFault('read', { cutAfter: MIB });
    await expect(owner.client.get(`/api/files/${file.id}/download`).buffer().parse(binary)).rejects.toThrow();
    fake.injectFault('read', { status: 403 });
    const { body } = await owner.client.get(`/api/files/${file.id}/download`).expect(503);
    expect(body.code).toBe('STORAGE_UNAVAILABLE');
    await pollUntil(async () => fake.pendingRequests === 0);
  });

  it('are deleted with their zone', async () => {
    const other = await registerUser(world);
    const deletedZone = await createZone(other);
    const before = fake.bucket.objects.size;
    await uploadFile(other.client, deletedZone.id, 'a.txt', 'text');
    expect(fake.bucket.objects.size).toBe(before + 1);
    await other.client.delete(`/api/zones/${deletedZone.id}`).expect(204);
    await world.testApp.drain();
    expect(fake.bucket.objects.size).toBe(before);
  });
});

describeResumableUploads('Google', async () => {
  const fake = await FakeGcs.start();
  return {
    env: { STORAGE_URL: 'gs://zonary-test', STORAGE_API_URL: fake.url },
    injectFault: (call, ...fault) => fake.injectFault(call === 'part' ? 'send part' : call, ...fault),
    clearFaults: () => fake.clearFaults(),
    listMultiparts: () => Promise.resolve(fake.bucket.openMultiparts),
    close: () => fake.close(),
  };
});

describeInProcess('Files in a bucket with signed URLs', () => {
  let fake: FakeGcs;
  let world: World;
  let owner: Actor;
  let zone: TestZone;
  let member: Actor;
  let folder: string;

  beforeAll(async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    folder = await mkdtemp(join(tmpdir(), 'zonary-gcs-'));
    const account = { type: 'service_account', client_email: 'files@project.example', private_key: privateKey };
    await writeFile(join(folder, 'account.json'), JSON.stringify(account));
    process.env.GOOGLE_APPLICATION_CREDENTIALS = join(folder, 'account.json');
    fake = await FakeGcs.start();
    fake.publicKey = publicKey;
    world = await World.open({ STORAGE_URL: 'gs://zonary-test', STORAGE_API_URL: fake.url });
    owner = await registerUser(world);
    zone = await createZone(owner);
    member = await registerUser(world);
    await joinZone(zone, member);
  });
  afterAll(async () => {
    delete process.env.GOOGLE_APPLICATION_CREDENTIALS;
    await world.close();
    await fake.close();
    await rm(folder, { recursive: true });
  });

  const readCounts = async (id: number) => {
    const files = (await owner.client.get(`/api/zones/${zone.id}/files`)).body as Record<string, number>[];
    const file = files.find((candidate) => candidate.id === id)!;
    return { views: file.viewCount, downloads: file.downloadCount };
  };

  it('redirect attachments to the bucket and count them when the URL is issued', async () => {
    const file = await uploadFile(owner.client, zone.id, 'çağrı 1.png', PNG);
    const answer = await member.client.get(`/api/files/${file.id}/download`).redirects(0).expect(302);
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect(await readCounts(file.id)).toEqual({ views: 0, downloads: 1 });
    const fetched = await fetch(answer.headers.location!);
    expect(Buffer.from(await fetched.arrayBuffer()).equals(PNG)).toBe(true);
    expect(fetched.headers.get('content-type')).toBe('image/png');
    expect(fetched.headers.get('content-disposition')).toMatch(/^attachment; .*filename\*=UTF-8''%C3%A7a/);
    expect(fake.countCalls('read')).toBe(0);
  });

  it('are served inline by the application', async () => {
    const file = await uploadFile(owner.client, zone.id, 'shown.png', PNG);
    await member.client.get(`/api/files/${file.id}/view`).redirects(0).expect(200);
    expect(await readCounts(file.id)).toEqual({ views: 1, downloads: 0 });
  });

  it('redirect unsafe types as attachments and give non-members no URL', async () => {
    const file = await uploadFile(owner.client, zone.id, 'page.html', '<html><script>1</script></html>');
    const { headers } = await owner.client.get(`/api/files/${file.id}/view`).redirects(0).expect(302);
    expect((await fetch(headers.location!)).headers.get('content-disposition')).toMatch(/^attachment;/);
    const outsider = await registerUser(world);
    await outsider.client.get(`/api/files/${file.id}/download`).redirects(0).expect(404);
    const head = await owner.client.head(`/api/files/${file.id}/download`).redirects(0).expect(200);
    expect(head.headers['content-length']).toBe(String(file.size));
  });
});

function binary(response: unknown, done: (error: Error | null, body: Buffer) => void): void {
  const stream = response as NodeJS.ReadableStream;
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => done(null, Buffer.concat(chunks)));
}
