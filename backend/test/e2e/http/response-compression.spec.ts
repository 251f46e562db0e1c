import { defaultMaxListeners } from 'node:events';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createZone, registerUser, type Actor } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { uploadFile } from '../files/upload/multipart-helpers.js';

interface RawResponse {
  readonly encoding: string | undefined;
  readonly vary: string | undefined;
  readonly bytes: Buffer;
}

describeInProcess('Response compression', () => {
  let world: World;
  let owner: Actor;
  let cookie: string;
  let zoneId: number;
  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    const credentials = { email: owner.email, password: owner.password };
    const { headers } = await owner.client.post('/api/login').send(credentials).expect(200);
    cookie = String(headers['set-cookie']).split(';')[0]!;
    zoneId = (await createZone(owner, { name: 'Zone', type: 'private' })).id;
    for (let n = 0; n < 8; n += 1) await uploadFile(owner.client, zoneId, `file ${n}.txt`, 'text '.repeat(1000));
  });
  afterAll(() => world.close());

  /** The raw response, not decompressed by a client. */
  const get = (path: string, accepts: string): Promise<RawResponse> =>
    new Promise((resolve, reject) => {
      const clientRequest = request(
        world.url + path,
        { headers: { cookie, 'accept-encoding': accepts } },
        (response) => {
          const { 'content-encoding': encoding, vary } = response.headers;
          buffer(response).then((bytes) => resolve({ encoding, vary, bytes }), reject);
        },
      );
      clientRequest.on('error', reject);
      clientRequest.end();
    });

  it('encodes JSON with Brotli or gzip as the client accepts', async () => {
    const plain = await get(`/api/zones/${zoneId}/files`, 'identity');
    expect(plain.encoding).toBeUndefined();
    expect(plain.bytes.length).toBeGreaterThan(2000);
    const brotli = await get(`/api/zones/${zoneId}/files`, 'gzip, deflate, br');
    expect(brotli).toMatchObject({ encoding: 'br', vary: expect.stringMatching(/accept-encoding/i) });
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
    expect(brotli.bytes.length).toBeLessThan(plain.bytes.length / 3);
    const gzip = await get(`/api/zones/${zoneId}/files`, 'gzip');
    expect(gzip.encoding).toBe('gzip');
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
  });

  it('logs no listener leak warning for streamed responses', async () => {
    const warnings: string[] = [];
    const recordWarning = ({ name }: Error) => void warnings.push(name);
    process.on('warning', recordWarning);
    await owner.client.get('/api/user/export').expect(200);
    process.off('warning', recordWarning);
    expect(warnings).not.toContain('MaxListenersExceededWarning');
  });

  it('leaves small responses uncompressed', async () => {
    expect(await get(`/api/zones/${zoneId}/folders`, 'br')).toMatchObject({ encoding: undefined });
  });

  it('leaves responses with secrets and streams uncompressed', async () => {
    const makeLink = (name: string) =>
      owner.client.post(`/api/zones/${zoneId}/temporary-links`).send({ name, expiresInHours: 48 }).expect(201);
    for (let n = 0; n < 6; n += 1) await makeLink(`link ${n}`);
    const links = await get(`/api/zones/${zoneId}/temporary-links`, 'br');
    expect(links.bytes.length).toBeGreaterThan(1024);
    expect(links.encoding).toBeUndefined();
    const [file] = (await owner.client.get(`/api/zones/${zoneId}/files`).expect(200)).body as { id: number }[];
    const download = await get(`/api/files/${file!.id}/download`, 'br');
    expect(download.encoding).toBeUndefined();
    expect(download.bytes.toString()).toBe('text '.repeat(1000));
  });

  it('keeps the number of listeners below the warning limit, even with chunked responses', async () => {
    const most: Record<string, number> = {};
    const countListeners = (incoming: IncomingMessage, response: ServerResponse) => {
      response.on('newListener', (event: string) => {
        const key = `${incoming.url!.replace(/\d+/g, 'n')} ${event}`;
        most[key] = Math.max(most[key] ?? 0, response.listenerCount(event) + 1);
      });
    };
    const server = world.testApp.app.getHttpServer();
    server.prependListener('request', countListeners);
    const [file] = (await owner.client.get(`/api/zones/${zoneId}/files`).expect(200)).body as { id: number }[];
    for (const path of [`zones/${zoneId}/members/export`, 'user/export', `files/${file!.id}/view`, 'site']) {
      await owner.client.get(`/api/${path}`).expect(200);
    }
    await owner.client
      .post(`/api/zones/${zoneId}/download`)
      .type('form')
      .send({ fileIds: [file!.id] })
      .expect(200);
    server.off('request', countListeners);
    expect(Object.keys(most).filter((key) => key.endsWith(' close')).length).toBeGreaterThanOrEqual(6);
    expect(Object.entries(most).filter(([, listeners]) => listeners > defaultMaxListeners - 2)).toEqual([]);
  });
});
