import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Storage as GoogleStorage } from '@google-cloud/storage';
import { DEFAULT_TIMEOUTS } from '../../../src/platform/storage/bucket/bucket-call.js';
import { GcsStorage, type GcsOptions } from '../../../src/platform/storage/gcs/gcs-storage.js';
import { newObjectKey } from '../../../src/platform/storage/storage.js';
import { FakeGcs } from '../../support/fakes/fake-gcs.js';
import { pollUntil } from '../files/upload/multipart-helpers.js';
import { toChunkStream } from './storage.contract.js';

const MIB = 1024 * 1024;
const unavailable = { status: 503, code: 'STORAGE_UNAVAILABLE' };

/** Replaces the library's own search for credentials, which queries the network. */
const asCredentials = (credentials: object) => credentials as never;

describe('GcsStorage with credentials', () => {
  let fake: FakeGcs;
  let storage: GcsStorage;
  let key: string;

  const driver = (options: Partial<GcsOptions> = {}) =>
    new GcsStorage({ url: 'gs://zonary-test', apiUrl: fake.url, ...options });

  // Google's library adds a listener at each retry, which Node reports as a leak.
  const { defaultMaxListeners } = EventEmitter;
  beforeAll(() => void (EventEmitter.defaultMaxListeners = 50));
  afterAll(() => void (EventEmitter.defaultMaxListeners = defaultMaxListeners));
  // Otherwise the library queries the network for a metadata server.
  beforeAll(() => void (process.env.METADATA_SERVER_DETECTION = 'none'));
  afterAll(() => void delete process.env.METADATA_SERVER_DETECTION);
  beforeEach(async () => {
    fake = await FakeGcs.start();
    storage = driver();
    key = newObjectKey('files');
  });
  afterEach(() => fake.close());

  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const account = { type: 'service_account', client_email: 'files@project.example', private_key: privateKey };
  const read = { disposition: `attachment; filename="a b.zip"`, contentType: 'application/zip', lifetime: 60_000 };

  it('sends them with every call except those of an upload session', async () => {
    fake.requiredToken = 'the-token';
    const authClient = { getRequestHeaders: async () => new Headers({ authorization: 'Bearer the-token' }) };
    const known = driver({ google: { useAuthWithCustomEndpoint: true, authClient: asCredentials(authClient) } });
    await known.write(key, toChunkStream(randomBytes(9 * MIB)));
    await known.stat(key);
    await buffer(await known.read(key));
    await known.delete(key);
    const multipart = { objectKey: key, remoteId: await known.beginMultipart(key) };
    await known.completeMultipart(multipart, [(await known.sendPart(multipart, 1, randomBytes(10)))!], 10);
    await known.removeUnfinished(new Date());
    await expect(storage.stat(key)).rejects.toMatchObject(unavailable);
    const bare = fake.calls.filter(({ authorization }) => authorization === undefined).map(({ call }) => call);
    expect(bare).toEqual(['part', 'part', 'part', 'stat']);
  });

  it('returns 503 when they are not available', async () => {
    const authClient = { getRequestHeaders: () => new Promise<Headers>(() => undefined) };
    const hanging = driver({
      google: { useAuthWithCustomEndpoint: true, authClient: asCredentials(authClient) },
      timeouts: { ...DEFAULT_TIMEOUTS, answer: 100 },
    });
    await expect(hanging.stat(key)).rejects.toMatchObject(unavailable);
  });

  it('signs a URL that serves the object with the given headers for a limited time', async () => {
    await storage.write(key, toChunkStream(Buffer.from('the bytes')));
    fake.publicKey = publicKey;
    const folder = await mkdtemp(join(tmpdir(), 'zonary-gcs-'));
    const keyFilename = join(folder, 'account.json');
    await writeFile(keyFilename, JSON.stringify(account));
    process.env.GOOGLE_APPLICATION_CREDENTIALS = keyFilename;
    const signing = driver();
    const address = (await signing.signedUrl(key, read))!;
    const response = await fetch(address);
    expect([response.status, await response.text()]).toEqual([200, 'the bytes']);
    expect(response.headers.get('content-disposition')).toBe(read.disposition);
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect((await fetch(address, { headers: { Range: 'bytes=4-8' } })).status).toBe(206);
    expect((await fetch(address.replace('attachment', 'inline'))).status).toBe(401);
    expect((await fetch(address.replace(key, newObjectKey('files')))).status).toBe(401);
    const expired = (await signing.signedUrl(key, { ...read, lifetime: 1000 }))!;
    await pollUntil(async () => (await fetch(expired)).status === 401);
    delete process.env.GOOGLE_APPLICATION_CREDENTIALS;
    await rm(folder, { recursive: true });
  });

  it('issues no URL without a private key', async () => {
    const authClient = { getCredentials: async () => ({ client_email: account.client_email }) };
    expect(await driver({ google: { authClient: asCredentials(authClient) } }).signedUrl(key, read)).toBeNull();
  });

  it("is tested against a fake that Google's own library accepts", async () => {
    const google = new GoogleStorage({ apiEndpoint: fake.url, projectId: 'test', authClient: asCredentials({}) });
    const file = google.bucket('zonary-test').file(key);
    const bytes = randomBytes(MIB);
    await file.save(bytes, { resumable: true, validation: 'md5' });
    expect((await file.download({ validation: false }))[0].equals(bytes)).toBe(true);
    expect((await file.getMetadata())[0]).toMatchObject({ name: key, size: String(MIB) });
    expect((await storage.stat(key))!.size).toBe(MIB);
    expect((await file.bucket.getFiles({ prefix: 'files/' }))[0].map(({ name }) => name)).toEqual([key]);
    await file.delete();
    expect(await storage.stat(key)).toBeNull();
  });
});
