import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat, truncate } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import supertest, { type Response } from 'supertest';
import { Storage } from '../../../../src/platform/storage/storage.js';
import { describeWithWebServer, WebServer } from '../../../support/fakes/web-server.js';
import { createZone, joinPublicZone, registerUser, type Actor, type TestZone } from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { PNG, uploadFile } from '../upload/multipart-helpers.js';
import { cookieHeaderOf } from '../upload/files-tus.js';

/** Headers that differ between a response of the product and one of a web server in front. */
const CONNECTION_HEADERS = ['connection', 'date', 'keep-alive', 'server', 'x-request-id'];

describeInProcess('Files handed over to a web server', () => {
  let folder: string;
  let world: World;
  let owner: Actor;
  let zone: TestZone;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zonary-sendfile-'));
    world = await World.open({
      STORAGE_URL: pathToFileURL(join(folder, 'files')).href,
      SENDFILE: 'x-accel:/protected/',
      TRUST_PROXY: '1',
    });
    owner = await registerUser(world);
    zone = await createZone(owner);
  });
  afterAll(async () => {
    await world.close();
    await rm(folder, { recursive: true });
  });

  const readCounts = async (id: number) => {
    const files = (await owner.client.get(`/api/zones/${zone.id}/files`)).body as Record<string, number>[];
    const { viewCount, downloadCount } = files.find((candidate) => candidate.id === id)!;
    return { viewCount, downloadCount };
  };
  const findObjectKey = async (id: number) => {
    const rows = await world.testApp
      .em()
      .execute<{ key: string }[]>('select object_key as key from files where id = ?', [id]);
    return rows[0]!.key;
  };
  const findPath = async (id: number) => join(folder, 'files', await findObjectKey(id));

  it('names the file and leaves bytes, range and length to the web server', async () => {
    const { id } = await uploadFile(owner.client, zone.id, 'a.png', PNG);
    const { headers, body } = await owner.client.get(`/api/files/${id}/download`).set('Range', 'bytes=1-3').expect(200);
    expect(headers['x-accel-redirect']).toBe(`/protected/${await findObjectKey(id)}`);
    expect([headers['content-range'], headers['content-length'], headers['accept-ranges']]).toEqual(
      Array(3).fill(undefined),
    );
    expect(Buffer.from(body as Buffer).length).toBe(0);
    expect(headers['content-disposition']).toMatch(/^attachment; .*a\.png/);
  });

  it('answers itself what needs no bytes or what web servers understand differently', async () => {
    const { id } = await uploadFile(owner.client, zone.id, 'b.png', PNG);
    const head = await owner.client.head(`/api/files/${id}/download`).expect(200);
    expect(head.headers).toMatchObject({ 'content-length': String(PNG.length), 'accept-ranges': 'bytes' });
    const etag = head.headers.etag!;
    for (const [headers, status, length] of [
      [{ 'If-None-Match': etag }, 304, 0],
      [{ Range: 'bytes=999999-' }, 416, null],
      [{ Range: 'bytes=1-3', 'If-Range': etag }, 206, 3],
      [{ Range: 'bytes=1-3', 'If-Range': '"other"' }, 200, PNG.length],
      [{ Range: 'bytes=0-1,3-4' }, 200, PNG.length],
      [{ Range: 'bytes=first' }, 200, PNG.length],
      [{ 'If-Match': etag }, 200, PNG.length],
      [{ 'If-Unmodified-Since': new Date(0).toUTCString() }, 200, PNG.length],
    ] as const) {
      const response = await owner.client.get(`/api/files/${id}/view`).set(headers);
      expect([headers, response.status, response.headers['x-accel-redirect']]).toEqual([headers, status, undefined]);
      if (length) expect((response.body as Buffer).length).toBe(length);
    }
    const stranger = await registerUser(world);
    const rejection = await stranger.client.get(`/api/files/${id}/download`).expect(404);
    expect(rejection.headers['x-accel-redirect']).toBeUndefined();
  });

  it('returns 503 and counts nothing when the file is missing or incomplete', async () => {
    const member = await registerUser(world);
    await joinPublicZone(zone, member);
    const incomplete = await uploadFile(owner.client, zone.id, 'incomplete.bin', Buffer.alloc(100, 1));
    await truncate(await findPath(incomplete.id), 10);
    const missing = await uploadFile(owner.client, zone.id, 'missing.bin', Buffer.alloc(100, 1));
    await world.testApp.app.get(Storage).delete(await findObjectKey(missing.id));
    for (const { id } of [incomplete, missing]) {
      const { body, headers } = await member.client.get(`/api/files/${id}/download`).expect(503);
      expect([body.code, headers['x-accel-redirect']]).toEqual(['STORAGE_UNAVAILABLE', undefined]);
      expect(await readCounts(id)).toEqual({ viewCount: 0, downloadCount: 0 });
    }
  });

  it('sends archives and thumbnails itself', async () => {
    const { id } = await uploadFile(owner.client, zone.id, 'zipped.png', PNG);
    const archive = await owner.client
      .post(`/api/zones/${zone.id}/download`)
      .send({ fileIds: [id] })
      .expect(200);
    await world.testApp.drain();
    const thumbnail = await owner.client.get(`/api/files/${id}/thumbnail`).expect(200);
    for (const { headers } of [archive, thumbnail]) expect(headers['x-accel-redirect']).toBeUndefined();
    expect((thumbnail.body as Buffer).length).toBeGreaterThan(0);
  });

  it('lets the group read new files and folders', async () => {
    const { id } = await uploadFile(owner.client, zone.id, 'c.png', PNG);
    const path = await findPath(id);
    const modes = await Promise.all([path, dirname(path), join(folder, 'files')].map((each) => stat(each)));
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['640', '750', '750']);
  });

  describe.each(['nginx', 'caddy'] as const)('behind %s', (name) => {
    describeWithWebServer(name)('with its file in deploy/', () => {
      let server: WebServer;

      beforeAll(async () => {
        server = await WebServer.start(name, world.url, join(folder, 'files'));
      });
      afterAll(() => server.close());

      const get = (path: string, actor: Actor, headers: Record<string, string> = {}) =>
        supertest(server.url)
          .get(path)
          .set({ Cookie: cookieHeaderOf(actor, world.url), ...headers })
          .buffer()
          .parse((response, done) => {
            void buffer(response as unknown as IncomingMessage).then(
              (body) => done(null, body),
              (error: Error) => done(error, null),
            );
          });
      const sizeOf = ({ body }: Response) => (body as Buffer).length;

      it('sends the whole file and ranges, and counts a member once', async () => {
        const bytes = randomBytes(3_000_000);
        const { id } = await uploadFile(owner.client, zone.id, `${name}.bin`, bytes);
        const member = await registerUser(world);
        await joinPublicZone(zone, member);
        const path = `/api/files/${id}/download`;
        const whole = await get(path, member).expect(200);
        expect((whole.body as Buffer).equals(bytes)).toBe(true);
        const part = await get(path, member, { Range: 'bytes=1000000-1000009' }).expect(206);
        expect((part.body as Buffer).equals(bytes.subarray(1_000_000, 1_000_010))).toBe(true);
        expect(part.headers['content-range']).toBe('bytes 1000000-1000009/3000000');
        const end = await get(path, member, { Range: 'bytes=-5' }).expect(206);
        expect((end.body as Buffer).equals(bytes.subarray(-5))).toBe(true);
        expect(await readCounts(id)).toEqual({ viewCount: 0, downloadCount: 1 });
        const etag = whole.headers.etag!;
        await get(path, member, { 'If-None-Match': etag }).expect(304);
        expect(sizeOf(await get(path, member, { Range: 'bytes=0-9', 'If-Range': etag }).expect(206))).toBe(10);
        expect(sizeOf(await get(path, member, { Range: 'bytes=0-9', 'If-Range': '"other"' }).expect(200))).toBe(
          3_000_000,
        );
        expect(sizeOf(await get(path, member, { Range: 'bytes=0-9,20-29' }).expect(200))).toBe(3_000_000);
      });

      it('sends the headers that Zonary would send', async () => {
        for (const [fileName, content] of [
          [`${name} çağrı.png`, PNG],
          [`${name}.txt`, 'ı'.repeat(3000)],
          [`${name}.html`, `<p>${'text '.repeat(1000)}</p>`],
        ] as const) {
          const { id } = await uploadFile(owner.client, zone.id, fileName, content);
          const path = `/api/files/${id}/view`;
          const expected = (await owner.client.head(path).expect(200)).headers as Record<string, string>;
          expect(expected['content-security-policy']).toMatch(/sandbox/);
          const { headers } = await get(path, owner, { 'Accept-Encoding': 'gzip' }).expect(200);
          const comparable = (all: Record<string, string>) =>
            Object.fromEntries(Object.entries(all).filter(([key]) => !CONNECTION_HEADERS.includes(key)));
          expect(comparable(headers as Record<string, string>)).toEqual(comparable(expected));
        }
      });

      it('sends nothing to strangers, and no file by its own address', async () => {
        const { id } = await uploadFile(owner.client, zone.id, `${name} secret.png`, PNG);
        const stranger = await registerUser(world);
        await get(`/api/files/${id}/download`, stranger).expect(404);
        await get(`/protected/${await findObjectKey(id)}`, owner).expect(404);
        await get('/protected/zonary-installation', owner).expect(404);
      });
    });
  });
});
