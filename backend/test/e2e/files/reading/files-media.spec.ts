import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { MIB } from '../../../../src/platform/text/byte-units.js';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { uploadFile } from '../upload/multipart-helpers.js';

let world: World;
let owner: Actor;
let member: Actor;
let outsider: Actor;
let zone: TestZone;

/** An MP4 header followed by bytes that all differ. */
function createVideo(length: number): Buffer {
  const head = Buffer.from('000000186674797069736f6d0000000069736f6d6d703431', 'hex');
  const rest = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash('sha256').update(`${index}`).digest(),
  );
  return Buffer.concat([head, ...rest]).subarray(0, length);
}

const bytes = (response: unknown, done: (error: Error | null, body: Buffer) => void) =>
  void buffer(response as Readable).then(
    (body) => done(null, body),
    (error: Error) => done(error, Buffer.alloc(0)),
  );
const requestMedia = (actor: Actor, id: number, headers: Record<string, string> = {}) =>
  actor.client.get(`/api/files/${id}/media`).set(headers).buffer(true).parse(bytes);

describeInProcess('Audio and video without download permission', () => {
  const whole = createVideo(9 * MIB + 5);
  let id: number;

  beforeAll(async () => {
    world = await World.open();
    [owner, member, outsider] = [await registerUser(world), await registerUser(world), await registerUser(world)];
    zone = await createZone(owner);
    await joinPublicZone(zone, member);
    const file = await uploadFile(owner.client, zone.id, 'film.mp4', whole);
    expect(file.mimeType).toBe('video/mp4');
    id = file.id;
    await owner.client.patch(`/api/files/${id}`).send({ allowDownload: false }).expect(200);
  });
  afterAll(() => world?.close());

  it.each([
    [undefined, 0, 4 * MIB],
    ['bytes=0-', 0, 4 * MIB],
    ['bytes=0-1', 0, 2],
    ['bytes=100-', 100, 4 * MIB],
    [`bytes=0-${9 * MIB}`, 0, 4 * MIB],
    [`bytes=${8 * MIB}-`, 8 * MIB, MIB + 5],
    ['bytes=-7', 9 * MIB - 2, 7],
    [`bytes=-${9 * MIB}`, 5, 4 * MIB],
    ['bytes=0-1,5-6', 0, 4 * MIB],
  ])('are sent in chunks of at most 4 MiB: %s', async (range, start, length) => {
    const { body, headers } = await requestMedia(member, id, range === undefined ? {} : { Range: range }).expect(206);
    expect(whole.subarray(start, start + length).equals(body)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(length),
      'content-range': `bytes ${start}-${start + length - 1}/${whole.length}`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline',
    });
    expect(headers).not.toHaveProperty('etag');
  });

  it('report their size and end', async () => {
    const { headers } = await member.client.head(`/api/files/${id}/media`).expect(206);
    expect(headers['content-length']).toBe(String(4 * MIB));
    const beyond = await requestMedia(member, id, { Range: `bytes=${whole.length}-` }).expect(416);
    expect(beyond.headers['content-range']).toBe(`bytes */${whole.length}`);
  });

  it('are sent to media elements only', async () => {
    for (const player of ['video', 'audio']) await requestMedia(member, id, { 'Sec-Fetch-Dest': player }).expect(206);
    for (const other of ['document', 'empty', 'iframe', 'image']) {
      await requestMedia(member, id, { 'Sec-Fetch-Dest': other }).expect(403);
    }
  });

  it('check permission on each request', async () => {
    await requestMedia(owner, id).expect(206);
    await requestMedia(outsider, id).expect(404);
    await world.createClient().get(`/api/files/${id}/media`).expect(401);
    const leaver = await registerUser(world);
    await joinPublicZone(zone, leaver);
    await requestMedia(leaver, id).expect(206);
    await world.testApp.em().execute('delete from zone_members where user_id = ?', [leaver.id]);
    await requestMedia(leaver, id, { Range: 'bytes=100-' }).expect(404);
    const other = await registerUser(world);
    await joinPublicZone(zone, other);
    await other.client.post('/api/logout').expect(200);
    await requestMedia(other, id).expect(401);
  });

  it('count as viewed once, with the first bytes', async () => {
    const { id: seen } = await uploadFile(owner.client, zone.id, 'seen.mp4', createVideo(1000));
    const readViewCount = async () => (await owner.client.get(`/api/files/${seen}`).expect(200)).body.viewCount;
    await requestMedia(member, seen, { Range: 'bytes=10-' }).expect(206);
    expect(await readViewCount()).toBe(0);
    for (const range of ['bytes=0-', 'bytes=0-1', 'bytes=5-'])
      await requestMedia(member, seen, { Range: range }).expect(206);
    expect(await readViewCount()).toBe(1);
  });

  it('return 404 for files that are not media', async () => {
    for (const [name, content] of [
      ['a.txt', 'text'],
      ['empty.mp4', ''],
    ] as const) {
      const { id: other } = await uploadFile(owner.client, zone.id, uniqueName(name), content);
      expect((await member.client.get(`/api/files/${other}/media`).expect(404)).body.code).toBe('NOTHING_TO_PLAY');
    }
  });
});
