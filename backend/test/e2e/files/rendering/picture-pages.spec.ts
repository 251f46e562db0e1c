import sharp from 'sharp';
import { sweepObjects } from '../../../../src/modules/files/files.jobs.js';
import { CronScheduler } from '../../../../src/platform/jobs/cron/cron-scheduler.js';
import { storageErrors } from '../../../../src/platform/storage/storage.errors.js';
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
import { uploadFile } from '../upload/multipart-helpers.js';
import {
  dominantColour,
  heicPhoto,
  solidColour,
  pngClaimingSize,
  createTiffScan,
  createSvg,
} from './generated/image-samples.js';

let world: World;
let owner: Actor;
let member: Actor;
let zone: TestZone;

const execute = <T extends object>(sql: string, params: unknown[] = []) => world.testApp.em().execute<T[]>(sql, params);
const store = async (bytes: Buffer | Promise<Buffer>, name = 'picture') =>
  uploadFile(owner.client, zone.id, uniqueName(name), await bytes);
/** A file whose jobs are done. */
const uploadAndRender = async (bytes: Buffer | Promise<Buffer>) => {
  const file = await store(bytes);
  await world.testApp.drain();
  return file;
};
const getPages = (id: number, rest = '') => member.client.get(`/api/files/${id}/pages${rest}`);
const getThumbnail = (id: number) => member.client.get(`/api/files/${id}/thumbnail`);
const readDocument = async (id: number) => {
  const [row] = await execute<object>('select state, texts, page_count from file_documents where file_id = ?', [id]);
  return row;
};
const listJobs = (name: string) => execute('select id from jobs where name = ?', [name]);
const listDerivedObjects = async () => {
  const keys: string[] = [];
  for (const family of ['pages/', 'thumbnails/'])
    for await (const { key } of world.testApp.app.get(Storage).list(family)) keys.push(key);
  return keys.sort();
};

describeInProcess('Pages of pictures', () => {
  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    member = await registerUser(world);
    zone = await createZone(owner);
    await joinPublicZone(zone, member);
  });
  afterAll(() => world.close());
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['image/heic', () => heicPhoto, [[640, 480]], 'red'],
    ['image/svg+xml', () => createSvg('<rect width="300" height="200" fill="#0000d8"/>'), [[300, 200]], 'blue'],
    ['image/tiff', () => createTiffScan('#00d800', '#d80000', '#0000d8'), [1, 2, 3].map(() => [300, 200]), 'green'],
  ] as const)(
    'are rendered after upload in formats that browsers do not show: %s',
    async (type, make, sizes, first) => {
      const file = await store(make());
      expect(file.mimeType).toBe(type);
      await world.testApp.drain();
      expect(await readDocument(file.id)).toEqual({ state: 'ready', texts: 'ready', page_count: sizes.length });
      const pages = sizes.map(([width, height]) => ({ width, height }));
      const { body } = await getPages(file.id).expect(200);
      expect(body).toEqual({
        state: 'ready',
        count: sizes.length,
        failure: null,
        pages,
        outline: [],
        hidden: null,
        attachments: [],
        recordsReading: true,
      });
      const left = (bytes: Buffer) => sharp(bytes).extract({ left: 0, top: 0, width: 100, height: 100 }).toBuffer();
      for (const { body: picture } of [
        await getPages(file.id, '/1?width=600').expect(200),
        await getThumbnail(file.id).expect(200),
      ])
        expect(await dominantColour(await left(picture as Buffer))).toBe(first);
      const { body: files } = await member.client.get(`/api/zones/${zone.id}/files`).expect(200);
      const listed = (files as { id: number }[]).find(({ id }) => id === file.id);
      expect(listed).toMatchObject({ thumbnailUrl: `/api/files/${file.id}/thumbnail`, viewable: false });
    },
  );

  it('show the requested page of a scan', async () => {
    const { id } = await uploadAndRender(createTiffScan('#d80000', '#00d800', '#0000d8', '#d80000'));
    const colours: string[] = [];
    for (const page of [1, 2, 3, 4])
      colours.push(await dominantColour((await getPages(id, `/${page}`).expect(200)).body as Buffer));
    expect(colours).toEqual(['red', 'green', 'blue', 'red']);
    expect((await getPages(id, '/5').expect(404)).body.code).toBe('PAGE_NOT_FOUND');
  });

  it('are a single page, created on request, in formats that browsers show', async () => {
    const { id } = await uploadAndRender(
      solidColour('#d80000', 900, 600).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    );
    expect(await readDocument(id)).toBeUndefined();
    const { body } = await getPages(id).expect(200);
    const pages = [{ width: 600, height: 900 }];
    expect(body).toEqual({
      state: 'ready',
      count: 1,
      failure: null,
      pages,
      outline: [],
      hidden: null,
      attachments: [],
      recordsReading: true,
    });
    const { body: picture, headers } = await getPages(id, '/1?width=2000').expect(200);
    const { width, height, format } = await sharp(picture as Buffer).metadata();
    expect([width, height, format, headers['content-type']]).toEqual([600, 900, 'webp', 'image/webp']);
    expect((await getPages(id, '/2').expect(404)).body.code).toBe('PAGE_NOT_FOUND');
    const { body: file } = await member.client.get(`/api/files/${id}`).expect(200);
    expect(file).toMatchObject({ viewCount: 1, downloadCount: 0 });
    expect(await listJobs('files.render-first-pages')).toEqual([]);
  });

  it('are available even if a page is the first request', async () => {
    const { id } = await store(solidColour('#0000d8').png().toBuffer());
    const all = await Promise.all([getPages(id, '/1'), getPages(id, '/1'), getPages(id), getPages(id, '/1?width=600')]);
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await dominantColour(all[0].body as Buffer)).toBe('blue');
  });

  it.each([
    ['heic', () => heicPhoto],
    ['png', () => solidColour('#0000d8').png().toBuffer()],
  ])('have no text, answered at once and without a job: %s', async (_name, make) => {
    const { id } = await uploadAndRender(make());
    const nothing = { words: [], links: [] };
    expect((await getPages(id, '/search?q=light').expect(200)).body).toEqual([]);
    expect((await getPages(id, '/1/text').expect(200)).body).toEqual(nothing);
    expect((await getPages(id, '/2/text').expect(404)).body.code).toBe('PAGE_NOT_FOUND');
    expect(await readDocument(id)).toMatchObject({ texts: 'ready' });
    expect(await listJobs('files.extract-texts')).toEqual([]);
    await owner.client.post(`/api/files/${id}/pages/retry`).expect(204);
    await world.testApp.drain();
    expect((await getPages(id, '/search?q=light').expect(200)).body).toEqual([]);
  });

  it('report the reason when they cannot be rendered', async () => {
    const { id } = await uploadAndRender(pngClaimingSize(30_000));
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'failed', failure: 'too-large' });
    const { body } = await getPages(id, '/1').expect(422);
    expect(body).toMatchObject({ code: 'DOCUMENT_FAILED', message: 'This document is too large to be displayed.' });
    const torn = await uploadAndRender(createSvg('<rect').subarray(0, -6));
    expect((await getPages(torn.id).expect(200)).body).toMatchObject({ state: 'failed', failure: 'damaged' });
    await getThumbnail(torn.id).expect(404);
  });

  it('do not exist for unreadable formats', async () => {
    const bmp = Buffer.alloc(70);
    bmp.write('BM');
    bmp.writeUInt32LE(70, 2);
    bmp.writeUInt32LE(54, 10);
    bmp.writeUInt32LE(40, 14);
    const file = await uploadAndRender(bmp);
    expect(file.mimeType).toBe('image/bmp');
    expect((await getPages(file.id).expect(200)).body).toMatchObject({ state: 'none', pages: [] });
    await getPages(file.id, '/1').expect(404);
  });

  it('return 503 while the storage is unavailable and work afterwards', async () => {
    const { id } = await store(solidColour('#0000d8').png().toBuffer());
    const read = jest
      .spyOn(world.testApp.app.get(Storage), 'read')
      .mockRejectedValue(storageErrors.STORAGE_UNAVAILABLE());
    expect((await getPages(id).expect(503)).body.code).toBe('STORAGE_UNAVAILABLE');
    read.mockRestore();
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'ready', count: 1 });
  });

  it('are readable by members who may not download the file', async () => {
    const { id } = await uploadAndRender(heicPhoto);
    await owner.client.patch(`/api/files/${id}`).send({ allowDownload: false }).expect(200);
    await member.client.get(`/api/files/${id}/view`).expect(403);
    await getPages(id, '/1').expect(200);
  });

  it('are created by the weekly job for earlier files in formats that browsers do not show', async () => {
    const ids: number[] = [];
    for (const bytes of [heicPhoto, await solidColour('#0000d8').png().toBuffer()])
      ids.push((await uploadAndRender(bytes)).id);
    for (const id of ids) await execute('delete from file_documents where file_id = ?', [id]);
    const { app, clock } = world.testApp;
    await app.get(CronScheduler).enqueueCronRun(sweepObjects, clock.now());
    await world.testApp.drain();
    expect(await Promise.all(ids.map(readDocument))).toMatchObject([{ state: 'ready' }, undefined]);
  });

  it('are deleted with their file', async () => {
    await world.testApp.drain();
    const before = await listDerivedObjects();
    const ids: number[] = [];
    for (const bytes of [createTiffScan('#d80000', '#00d800'), solidColour('#0000d8').png().toBuffer()]) {
      const { id } = await uploadAndRender(bytes);
      await getPages(id, '/1?width=2000').expect(200);
      ids.push(id);
    }
    // The TIFF: two pages in two widths, one in a third, and the thumbnail. The image: a page and its thumbnail.
    expect(await listDerivedObjects()).toHaveLength(before.length + 8);
    for (const id of ids) await owner.client.delete(`/api/files/${id}`).expect(204);
    await owner.client.post(`/api/zones/${zone.id}/trash/purge`).send({ fileIds: ids }).expect(200);
    await world.testApp.drain();
    expect(await listDerivedObjects()).toEqual(before);
  });
});
