import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { PNG, uploadFile } from '../upload/multipart-helpers.js';

let world: World;
let owner: Actor;
let member: Actor;
let zone: TestZone;

beforeAll(async () => {
  world = await World.open();
  owner = await registerUser(world);
  member = await registerUser(world);
  zone = await createZone(owner);
  await joinPublicZone(zone, member);
});
afterAll(() => world.close());

const get = (actor: Actor, id: number, kind: 'view' | 'download', headers: Record<string, string> = {}) =>
  actor.client.get(`/api/files/${id}/${kind}`).set(headers).buffer(true).parse(bytes);

/** Buffers a body unchanged. */
function bytes(response: unknown, done: (error: Error | null, body: Buffer) => void): void {
  buffer(response as Readable).then(
    (body) => done(null, body),
    (error: Error) => done(error, Buffer.alloc(0)),
  );
}

async function counts(id: number): Promise<{ viewCount: number; downloadCount: number }> {
  const { body } = await owner.client.get(`/api/zones/${zone.id}/files`).expect(200);
  const { viewCount, downloadCount } = body.find((file: { id: number }) => file.id === id);
  return { viewCount, downloadCount };
}

describe('File contents', () => {
  it('are returned byte for byte, to view or to download', async () => {
    const content = randomBytes(300_000);
    const { id, originalName } = await uploadFile(owner.client, zone.id, String.raw`Ödev \"son\" 😀.bin`, content);
    expect(originalName).toBe('Ödev "son" 😀.bin');
    const { body, headers } = await get(member, id, 'download').expect(200);
    expect(content.equals(body)).toBe(true);
    expect(headers).toMatchObject({
      'content-length': '300000',
      'content-type': 'application/octet-stream',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['content-disposition']).toBe(
      `attachment; filename="_dev _son_ _.bin"; filename*=UTF-8''%C3%96dev%20%22son%22%20%F0%9F%98%80.bin`,
    );
  });

  it.each([
    ['photo.png', PNG, 'image/png', 'inline'],
    ['text.txt', 'düz metin', 'text/plain; charset=utf-8', 'inline'],
    ['doc.pdf', '%PDF-1.4\n%âãÏÓ\n1 0 obj', 'application/pdf', 'inline'],
    ['lies.png', '<html><script>alert(1)</script>', 'text/html; charset=utf-8', 'attachment'],
    [
      'image.svg',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      'image/svg+xml',
      'attachment',
    ],
    ['xml.svg', '<?xml version="1.0"?>\n<!-- x -->\n<svg onload="alert(1)"/>', 'image/svg+xml', 'attachment'],
    ['page.txt', '\ufeff  <!-- a --> <!DOCTYPE html><p>', 'text/html; charset=utf-8', 'attachment'],
    ['binary.txt', Buffer.from([0, 1, 2, 3, 254]), 'application/octet-stream', 'attachment'],
    ['empty.txt', '', 'text/plain; charset=utf-8', 'inline'],
    ['turkish.txt', Buffer.from('g\xfcn\xfd\xf0\xfe', 'latin1'), 'text/plain; charset=windows-1254', 'inline'],
    ['word.txt', Buffer.from('\xe7\xf6\xf0\xfc\xfe', 'latin1'), 'text/plain; charset=windows-1254', 'inline'],
    ['western.txt', Buffer.from('\x9elu\xe9', 'latin1'), 'text/plain; charset=windows-1252', 'inline'],
    ['wide.txt', Buffer.from('\xff\xfe1\x01', 'latin1'), 'text/plain; charset=utf-16le', 'inline'],
    ['empty.png', '', 'application/octet-stream', 'attachment'],
  ])('show %s only if it is safe by its bytes', async (name, content, type, disposition) => {
    const { id } = await uploadFile(owner.client, zone.id, `${uniqueName('t')} ${name}`, content);
    const { headers } = await get(member, id, 'view').expect(200);
    expect(headers['content-type']).toBe(type);
    expect(headers['content-disposition']).toMatch(new RegExp(`^${disposition};`));
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*; sandbox$/);
    expect((await get(member, id, 'download').expect(200)).headers['content-disposition']).toMatch(/^attachment;/);
  });

  it('support byte ranges', async () => {
    const content = randomBytes(1000);
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('range'), content);
    const cases = [
      ['bytes=0-0', 0, 0],
      ['bytes=10-19', 10, 19],
      ['bytes=990-', 990, 999],
      ['bytes=990-5000', 990, 999],
      ['bytes=-1', 999, 999],
      ['bytes=-5000', 0, 999],
    ] as const;
    for (const [range, start, end] of cases) {
      const { body, headers } = await get(member, id, 'view', { Range: range }).expect(206);
      expect(headers['content-range']).toBe(`bytes ${start}-${end}/1000`);
      expect(headers['content-length']).toBe(String(end - start + 1));
      expect(content.subarray(start, end + 1).equals(body)).toBe(true);
    }
    for (const range of ['bytes=5-3', 'bytes=0-1,5-6', 'items=0-1', 'bytes=-', 'bytes=a-b']) {
      expect((await get(member, id, 'view', { Range: range }).expect(200)).body).toHaveLength(1000);
    }
    for (const range of ['bytes=1000-', 'bytes=5000-6000', 'bytes=-0']) {
      const { headers } = await get(member, id, 'view', { Range: range }).expect(416);
      expect(headers['content-range']).toBe('bytes */1000');
      expect(headers['content-type']).toMatch(/json/);
    }
  });

  it('return an empty file, which has no ranges', async () => {
    const { id, size } = await uploadFile(owner.client, zone.id, uniqueName('nothing'), '');
    expect(size).toBe(0);
    const { body, headers } = await get(member, id, 'download').expect(200);
    expect([body.length, headers['content-length']]).toEqual([0, '0']);
    const part = await get(member, id, 'download', { Range: 'bytes=0-' }).expect(416);
    expect(part.headers['content-range']).toBe('bytes */0');
  });

  it('return 304 for a known version and the whole file for a range of another version', async () => {
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('etag'), 'some text');
    const { etag } = (await get(member, id, 'view').expect(200)).headers as { etag: string };
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const known of [etag, `"other", W/${etag}`, '*']) {
      const { headers, body } = await get(member, id, 'view', { 'If-None-Match': known }).expect(304);
      expect(headers['cache-control']).toBe('private, no-cache');
      expect(body).toHaveLength(0);
    }
    await get(member, id, 'view', { 'If-None-Match': '"other"' }).expect(200);
    await get(member, id, 'view', { Range: 'bytes=0-1', 'If-Range': etag }).expect(206);
    await get(member, id, 'view', { Range: 'bytes=0-1', 'If-Range': '"other"' }).expect(200);
  });

  it('are described by HEAD without being sent or counted', async () => {
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('head'), 'some text');
    const { headers } = await member.client.head(`/api/files/${id}/view`).set('Range', 'bytes=0-1').expect(200);
    expect(headers).toMatchObject({ 'content-length': '9', 'content-type': 'text/plain; charset=utf-8' });
    expect(await counts(id)).toEqual({ viewCount: 0, downloadCount: 0 });
  });

  it('count as read from the first byte, once per viewing, kind and person', async () => {
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('count'), 'some text');
    await get(member, id, 'view', { Range: 'bytes=3-5' }).expect(206);
    expect(await counts(id)).toEqual({ viewCount: 0, downloadCount: 0 });
    await Promise.all([1, 2, 3, 4, 5].map(() => get(member, id, 'view', { Range: 'bytes=0-2' }).expect(206)));
    await get(member, id, 'view').expect(200);
    expect(await counts(id)).toEqual({ viewCount: 1, downloadCount: 0 });
    await get(member, id, 'download').expect(200);
    const other = await registerUser(world);
    await joinPublicZone(zone, other);
    await get(other, id, 'view').expect(200);
    expect(await counts(id)).toEqual({ viewCount: 2, downloadCount: 1 });
  });
});

describeInProcess('File contents by time and permission', () => {
  it('count again in the next half hour', async () => {
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('again'), 'some text');
    await get(member, id, 'view').expect(200);
    world.testApp.clock.advance(31 * 60_000);
    await get(member, id, 'view').expect(200);
    expect((await counts(id)).viewCount).toBe(2);
  });

  it('are sent without download permission only to those who manage the file', async () => {
    const picture = await uploadFile(owner.client, zone.id, uniqueName('seen'), PNG);
    const archive = await uploadFile(owner.client, zone.id, uniqueName('kept'), randomBytes(100));
    for (const { id } of [picture, archive]) {
      await owner.client.patch(`/api/files/${id}`).send({ allowDownload: false }).expect(200);
    }
    for (const [id, kind] of [
      [picture.id, 'view'],
      [picture.id, 'download'],
      [archive.id, 'view'],
      [archive.id, 'download'],
    ] as const) {
      const { body } = await member.client.get(`/api/files/${id}/${kind}`).expect(403);
      expect(body.code).toBe('DOWNLOAD_NOT_ALLOWED');
      await get(owner, id, kind).expect(200);
    }
    const { body } = await member.client.get(`/api/zones/${zone.id}/files`).expect(200);
    const can = (id: number) => body.find((file: { id: number }) => file.id === id).can;
    expect(can(picture.id)).toMatchObject({ view: true, download: false });
    expect(can(archive.id)).toMatchObject({ view: false, download: false });
  });

  it('return 503 when the storage is unavailable and count nothing', async () => {
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('lost'), 'some text');
    const sql = 'update files set object_key = object_key || ? where id = ?';
    await world.testApp.em().getConnection().execute(sql, ['0', id]);
    const { body } = await member.client.get(`/api/files/${id}/view`).expect(503);
    expect(body.code).toBe('STORAGE_UNAVAILABLE');
    expect(body.message).toBeTruthy();
    expect((await counts(id)).viewCount).toBe(0);
  });
});
