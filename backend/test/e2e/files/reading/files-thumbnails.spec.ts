import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import supertest from 'supertest';
import { sweepObjects } from '../../../../src/modules/files/files.jobs.js';
import { DAY } from '../../../../src/platform/clock/clock.js';
import { CronScheduler } from '../../../../src/platform/jobs/cron/cron-scheduler.js';
import { Storage } from '../../../../src/platform/storage/storage.js';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { createFolder, PNG, uploadFile, postFiles } from '../upload/multipart-helpers.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';

let world: World;
let owner: Actor;
let member: Actor;
let zone: TestZone;

const createPhoto = (width: number, height: number, format: 'jpeg' | 'png' | 'webp' | 'avif' = 'jpeg') =>
  sharp({ create: { width, height, channels: 3, background: '#2643d8' } })
    .toFormat(format)
    .toBuffer();

/** A GIF of three frames, red first. */
async function createAnimation(): Promise<Buffer> {
  const frame = (background: string) =>
    sharp({ create: { width: 40, height: 40, channels: 3, background } })
      .png()
      .toBuffer();
  const frames = await Promise.all(['#ff0000', '#00ff00', '#0000ff'].map(frame));
  return sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
}

const get = (actor: Actor, id: number) => actor.client.get(`/api/files/${id}/thumbnail`);

describeInProcess('Thumbnails', () => {
  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    member = await registerUser(world);
    zone = await createZone(owner);
    await joinPublicZone(zone, member);
  });
  afterAll(() => world.close());

  const thumbnailUrl = async (id: number, query = '') => {
    const { body } = await owner.client.get(`/api/zones/${zone.id}/files${query}`).expect(200);
    return body.find((file: { id: number }) => file.id === id).thumbnailUrl as string | null;
  };
  const listThumbnails = async () => {
    const keys: string[] = [];
    for await (const { key } of world.testApp.app.get(Storage).list('thumbnails/')) keys.push(key);
    return keys;
  };

  it.each(['jpeg', 'png', 'webp', 'avif'] as const)(
    'are created from %s by a job, not in the request',
    async (format) => {
      const { id } = await uploadFile(owner.client, zone.id, uniqueName(format), await createPhoto(1200, 800, format));
      expect((await get(member, id).expect(404)).body.code).toBe('THUMBNAIL_NOT_FOUND');
      expect(await thumbnailUrl(id)).toBeNull();
      await world.testApp.drain();
      expect(await thumbnailUrl(id)).toBe(`/api/files/${id}/thumbnail`);
      const { body, headers } = await get(member, id).expect(200);
      expect(headers).toMatchObject({
        'content-type': 'image/webp',
        'content-length': String(body.length),
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
      });
      const { width, height, format: sent } = await sharp(body).metadata();
      expect([width, height, sent]).toEqual([480, 320, 'webp']);
      await get(member, id).set('If-None-Match', headers.etag!).expect(304);
    },
  );

  it('carry no metadata, are upright and do not count as a view', async () => {
    const original = await sharp(await createPhoto(300, 100))
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('exif'), original);
    await world.testApp.drain();
    const { body } = await get(member, id).expect(200);
    const { width, height, exif } = await sharp(body).metadata();
    expect([width, height, exif]).toEqual([100, 300, undefined]);
    const { body: files } = await owner.client.get(`/api/zones/${zone.id}/files`).expect(200);
    expect(files.find((file: { id: number }) => file.id === id)).toMatchObject({ viewCount: 0, downloadCount: 0 });
  });

  it('show the first frame of an animation', async () => {
    const { id, mimeType } = await uploadFile(owner.client, zone.id, uniqueName('gif'), await createAnimation());
    expect(mimeType).toBe('image/gif');
    await world.testApp.drain();
    const { body } = await get(member, id).expect(200);
    const { pages, height } = await sharp(body).metadata();
    expect([pages ?? 1, height]).toEqual([1, 40]);
    const { dominant } = await sharp(body).stats();
    expect(dominant.r).toBeGreaterThan(200);
    expect(dominant.g).toBeLessThan(60);
  });

  it('are not created from broken, huge or fake images, and the worker survives', async () => {
    const jpeg = await createPhoto(600, 400);
    const huge = Buffer.from(PNG);
    // The header claims 60,000 by 60,000 pixels.
    huge.writeUInt32BE(60_000, 16);
    huge.writeUInt32BE(60_000, 20);
    const files = [
      { name: uniqueName('cut.jpg'), body: jpeg.subarray(0, jpeg.length / 2) },
      { name: uniqueName('noise.png'), body: Buffer.concat([PNG.subarray(0, 40), randomBytes(500)]) },
      { name: uniqueName('huge.png'), body: huge },
      { name: uniqueName('text.txt'), body: 'text' },
      { name: uniqueName('draw.svg'), body: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
      { name: uniqueName('good.png'), body: PNG },
    ];
    const { body } = await postFiles(owner.client, zone.id, files).expect(201);
    await world.testApp.drain();
    const ids = body.map((file: { id: number }) => file.id) as number[];
    for (const id of ids.slice(0, -1)) await get(member, id).expect(404);
    await get(member, ids.at(-1)!).expect(200);
    const [left] = await world.testApp.em().execute('select count(*)::int from jobs where queue = ?', ['images']);
    expect(left).toEqual({ count: 0 });
  });

  it('are created once despite retries and wait for the storage', async () => {
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('again'), await createPhoto(50, 50));
    const storage = world.testApp.app.get(Storage);
    const read = storage.read;
    storage.read = () => Promise.reject(new Error('The storage is unavailable.'));
    await expect(world.testApp.drain()).rejects.toThrow('files.generate-thumbnails');
    storage.read = read;
    world.testApp.clock.advance(3_600_000);
    await world.testApp.drain();
    const before = await listThumbnails();
    const payload = JSON.stringify({ fileIds: [id, 999_999_999] });
    await world.testApp.em().execute(
      `insert into jobs (queue, name, payload, run_at, max_attempts, created_at)
         values ('images', 'files.generate-thumbnails', ?::jsonb, now(), 3, now())`,
      [payload],
    );
    await world.testApp.drain();
    expect((await listThumbnails()).sort()).toEqual(before.sort());
    await get(member, id).expect(200);
  });

  it('are readable by everyone who can read the file, including through mirrors', async () => {
    await allowUnlimitedZones(world, owner);
    const folder = await createFolder(owner.client, zone.id, uniqueName('source'));
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('m.png'), PNG, `?folderId=${folder}`);
    await world.testApp.drain();
    const target = await createZone(owner);
    const [visitor, outsider] = [await registerUser(world), await registerUser(world)];
    await joinPublicZone(target, visitor);
    await get(visitor, id).expect(404);
    const mirror = {
      sourceFolderId: folder,
      targetZoneId: target.id,
      targetFolderName: 'Shown',
      mirrorType: 'one_way',
    };
    await owner.client.post(`/api/zones/${zone.id}/folder-mirrors`).send(mirror).expect(201);
    await get(visitor, id).expect(200);
    expect((await get(outsider, id).expect(404)).body.code).toBe('FILE_NOT_FOUND');
    await supertest(world.url).get(`/api/files/${id}/thumbnail`).expect(401);
    await owner.client.patch(`/api/files/${id}`).send({ allowDownload: false }).expect(200);
    await get(visitor, id).expect(200);
    await owner.client.delete(`/api/files/${id}`).expect(204);
    await get(owner, id).expect(404);
  });

  it('are deleted with their files', async () => {
    const before = await listThumbnails();
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('purged'), await createPhoto(60, 60));
    await world.testApp.drain();
    expect(await listThumbnails()).toHaveLength(before.length + 1);
    await owner.client.delete(`/api/files/${id}`).expect(204);
    await owner.client
      .post(`/api/zones/${zone.id}/trash/purge`)
      .send({ fileIds: [id] })
      .expect(200);
    await world.testApp.drain();
    expect((await listThumbnails()).sort()).toEqual(before.sort());
  });

  it('are created again when lost and deleted when orphaned', async () => {
    const storage = world.testApp.app.get(Storage);
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('lost'), await createPhoto(70, 70));
    await world.testApp.drain();
    const rows: { object_key: string }[] = await world.testApp
      .em()
      .execute('select object_key from file_thumbnails where file_id = ?', [id]);
    await storage.delete(rows[0]!.object_key);
    await get(member, id).expect(503);
    await runWeeklyJob();
    await get(member, id).expect(200);
  });

  it('are created for earlier images that have none', async () => {
    const names = Array.from({ length: 22 }, (_, n) => `${uniqueName('before')}-${n}.jpg`);
    const body = await createPhoto(30, 30);
    const { body: files } = await postFiles(
      owner.client,
      zone.id,
      names.map((name) => ({ name, body })),
    ).expect(201);
    const ids = (files as { id: number }[]).map(({ id }) => id);
    await world.testApp.em().execute(`delete from jobs where name = 'files.generate-thumbnails'`);
    await world.testApp.drain();
    await get(member, ids[0]!).expect(404);
    await runWeeklyJob();
    for (const id of [ids[0]!, ids[19]!, ids[21]!]) await get(member, id).expect(200);
  });

  async function runWeeklyJob(): Promise<void> {
    // Runs weekly, so each call is in its own week.
    world.testApp.clock.advance(7 * DAY);
    await world.testApp.app.get(CronScheduler).enqueueCronRun(sweepObjects, world.testApp.clock.now());
    await world.testApp.drain();
  }
});
