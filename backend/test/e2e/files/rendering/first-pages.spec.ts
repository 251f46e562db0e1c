import { readFileSync } from 'node:fs';
import { join as path } from 'node:path';
import { RequestContext } from '@mikro-orm/core';
import sharp from 'sharp';
import { createPdf } from '../../../../src/cli/seed/demo-files.js';
import { createBackup } from '../../../../src/cli/backup/create-backup.js';
import { FileObjectReferences } from '../../../../src/modules/files/objects/quarantine/file-object-references.js';
import { PageRenderingService } from '../../../../src/modules/files/pages/page-rendering.service.js';
import { sweepObjects } from '../../../../src/modules/files/files.jobs.js';
import { RenderingService } from '../../../../src/platform/rendering/rendering.service.js';
import { FairSchedulerService } from '../../../../src/platform/rendering/scheduling/fair-scheduler.service.js';
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
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';
import { PNG, uploadFile } from '../upload/multipart-helpers.js';
import { pdfWithPages, invalidPageTrees } from './generated/pdf-samples.js';

/** A job last in the queue is never put further back, however long the suite takes. */
const FAR_BACK = 99;

let world: World;
let owner: Actor;
let member: Actor;
let zone: TestZone;

const execute = <T extends object>(sql: string, params: unknown[] = []) => world.testApp.em().execute<T[]>(sql, params);
const createLetter = () => createPdf(uniqueName('Letter'), ['Soft light and hard light']);
const getThumbnail = (actor: Actor, id: number) => actor.client.get(`/api/files/${id}/thumbnail`);
const readDocument = async (id: number) => {
  const [row] = await execute<Record<string, unknown>>(
    'select state, failure, page_count, first_at is not null as shown from file_documents where file_id = ?',
    [id],
  );
  return row;
};
const listPageRows = (id: number) =>
  execute<{ page: number; width: number; object_key: string }>(
    'select page, width, object_key from file_pages where file_id = ? order by page, width',
    [id],
  );
/** Rendered pages and thumbnails in the storage. */
const listRenderedObjects = async () => {
  const keys: string[] = [];
  for (const family of ['pages/', 'thumbnails/'])
    for await (const { key } of world.testApp.app.get(Storage).list(family)) keys.push(key);
  return keys.sort();
};
const runWeeklyJob = async () => {
  const { app, clock } = world.testApp;
  await app.get(CronScheduler).enqueueCronRun(sweepObjects, clock.now());
  await world.testApp.drain();
};
const purge = async (id: number) => {
  await owner.client.delete(`/api/files/${id}`).expect(204);
  await owner.client
    .post(`/api/zones/${zone.id}/trash/purge`)
    .send({ fileIds: [id] })
    .expect(200);
  await world.testApp.drain();
};

describeInProcess('Rendering of the first pages of documents', () => {
  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    member = await registerUser(world);
    zone = await createZone(owner);
    await joinPublicZone(zone, member);
  });
  afterAll(() => world.close());

  it('runs in a job, not in the request, and the first page becomes the thumbnail', async () => {
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('letter.pdf'), createLetter());
    await getThumbnail(member, id).expect(404);
    expect(await readDocument(id)).toBeUndefined();
    await world.testApp.drain();
    const { body, headers } = await getThumbnail(member, id).expect(200);
    expect(headers['content-type']).toBe('image/webp');
    const { width, height } = await sharp(body).metadata();
    expect([width, height]).toEqual([480, 679]);
    const { body: files } = await member.client.get(`/api/zones/${zone.id}/files`).expect(200);
    const listed = files.find((file: { id: number }) => file.id === id);
    expect(listed).toMatchObject({ thumbnailUrl: `/api/files/${id}/thumbnail`, viewCount: 0, downloadCount: 0 });
    expect(await readDocument(id)).toEqual({ state: 'ready', failure: null, page_count: 1, shown: true });
    expect((await listPageRows(id)).map(({ page, width }) => [page, width])).toEqual([
      [1, 600],
      [1, 1200],
    ]);
  });

  it('is limited to three pages', async () => {
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('many.pdf'), pdfWithPages(5));
    await world.testApp.drain();
    expect((await listPageRows(id)).map(({ page }) => page)).toEqual([1, 1, 2, 2, 3, 3]);
    const [row] = await execute<{ sizes: number[][] }>('select sizes from file_documents where file_id = ?', [id]);
    expect(row!.sizes).toEqual(Array.from({ length: 5 }, () => [100, 100]));
  });

  it.each([
    ['damaged', 'a page that is no object', invalidPageTrees['a page that is no object']!],
    ['damaged', 'only a header', Buffer.from('%PDF-1.4\n%âãÏÓ\n1 0 obj')],
    ['too-many-pages', 'one page too many', pdfWithPages(10_001)],
  ])(
    'fails for a document that is %s (%s), is tried once, and later documents are rendered',
    async (failure, _name, bytes) => {
      const [bad, good] = [
        await uploadFile(owner.client, zone.id, uniqueName('bad.pdf'), bytes),
        await uploadFile(owner.client, zone.id, uniqueName('good.pdf'), createLetter()),
      ];
      await world.testApp.drain();
      expect(await readDocument(bad.id)).toMatchObject({ state: 'failed', failure });
      await getThumbnail(member, bad.id).expect(404);
      await getThumbnail(member, good.id).expect(200);
      const rendering = world.testApp.app.get(RenderingService);
      const open = jest.spyOn(rendering, 'openDocument');
      await renderFirstPages(bad.id);
      expect(open).not.toHaveBeenCalled();
      open.mockRestore();
    },
  );

  it('applies to documents only', async () => {
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('picture.pdf'), PNG);
    await world.testApp.drain();
    await getThumbnail(member, id).expect(200);
    expect(await readDocument(id)).toBeUndefined();
    const words = await uploadFile(owner.client, zone.id, uniqueName('words.pdf'), '<html></html>');
    await world.testApp.drain();
    await renderFirstPages(words.id);
    await renderFirstPages(999_999_999);
    expect(await readDocument(words.id)).toBeUndefined();
  });

  it('ranks users with much recent rendering behind others', async () => {
    const other = await registerUser(world);
    const otherZone = await createZone(other);
    const { app } = world.testApp;
    const rendering = app.get(RenderingService);
    const order: string[] = [];
    const original = rendering.openDocument.bind(rendering);
    const spy = jest.spyOn(rendering, 'openDocument').mockImplementation((source) => {
      order.push(source.objectKey);
      return original(source);
    });
    app.get(FairSchedulerService).recordUsage(owner.id, 90_000);
    const [mine, second] = [
      await uploadFile(owner.client, zone.id, uniqueName('a.pdf'), createLetter()),
      await uploadFile(owner.client, zone.id, uniqueName('b.pdf'), createLetter()),
    ];
    const otherFile = await uploadFile(other.client, otherZone.id, uniqueName('c.pdf'), createLetter());
    await world.testApp.drain();
    spy.mockRestore();
    const keys = await execute<{ id: number; object_key: string }>('select id, object_key from files');
    const opened = order.map((key) => Number(keys.find((file) => file.object_key === key)!.id));
    expect(opened.filter((id, index) => opened.indexOf(id) === index)).toEqual([otherFile.id, mine.id, second.id]);
    for (const { id } of [mine, second, otherFile]) expect(await readDocument(id)).toMatchObject({ state: 'ready' });
  });

  it('resumes where a killed worker stopped', async () => {
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('killed.pdf'), pdfWithPages(3));
    const rendering = world.testApp.app.get(RenderingService);
    const original = rendering.renderPage.bind(rendering);
    const tried: number[] = [];
    const spy = jest.spyOn(rendering, 'renderPage').mockImplementation((source, page, widths) => {
      tried.push(page);
      if (page === 2 && tried.length === 2) return Promise.reject(new Error('killed'));
      return original(source, page, widths);
    });
    await expect(world.testApp.drain()).rejects.toThrow('files.render-first-pages');
    expect(await readDocument(id)).toMatchObject({ state: 'waiting', page_count: 3 });
    world.testApp.clock.advance(3_600_000);
    await world.testApp.drain();
    spy.mockRestore();
    expect(tried).toEqual([1, 2, 2, 3]);
    expect(await listPageRows(id)).toHaveLength(6);
    expect(await readDocument(id)).toMatchObject({ state: 'ready' });
  });

  it('keeps each page once when rendered concurrently', async () => {
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('twice.pdf'), createLetter());
    await world.testApp.drain();
    const before = await listRenderedObjects();
    await execute('delete from file_pages where file_id = ?', [id]);
    await execute('delete from file_thumbnails where file_id = ?', [id]);
    await Promise.all([renderFirstPages(id), renderFirstPages(id), renderFirstPages(id)]);
    expect(await listPageRows(id)).toHaveLength(2);
    // Three new objects, and the previous ones, which no row references any more.
    expect(await listRenderedObjects()).toHaveLength(before.length + 3);
  });

  it('is deleted with the file, leaving no objects', async () => {
    const before = await listRenderedObjects();
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('purged.pdf'), pdfWithPages(3));
    await world.testApp.drain();
    expect(await listRenderedObjects()).toHaveLength(before.length + 7);
    await purge(id);
    expect(await listRenderedObjects()).toEqual(before);
    expect(await readDocument(id)).toBeUndefined();
  });

  it('deletes 12,000 pages of a file in jobs of a few hundred objects', async () => {
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('long.pdf'), createLetter());
    await world.testApp.drain();
    await execute(
      `insert into file_pages (file_id, page, width, object_key, size)
       select ?, n, 2000, 'pages/ff/long' || n, 1 from generate_series(1, 12000) n`,
      [id],
    );
    await owner.client.delete(`/api/files/${id}`).expect(204);
    await owner.client
      .post(`/api/zones/${zone.id}/trash/purge`)
      .send({ fileIds: [id] })
      .expect(200);
    const orders = await execute<{ keys: number }>(
      `select jsonb_array_length(payload->'objectKeys') as keys from jobs where name = 'files.delete-objects'`,
    );
    expect(Math.max(...orders.map(({ keys }) => keys))).toBe(500);
    const remove = jest.spyOn(world.testApp.app.get(Storage), 'delete');
    await world.testApp.drain();
    const removed = new Set(remove.mock.calls.map(([key]) => key));
    remove.mockRestore();
    expect([...removed].filter((key) => key.startsWith('pages/ff/long'))).toHaveLength(12_000);
    expect(await listPageRows(id)).toEqual([]);
  });

  it('is deleted with the zone', async () => {
    await allowUnlimitedZones(world, owner);
    const other = await createZone(owner);
    const before = await listRenderedObjects();
    await uploadFile(owner.client, other.id, uniqueName('zone.pdf'), createLetter());
    await world.testApp.drain();
    // A page in two widths, its text, and the thumbnail.
    expect(await listRenderedObjects()).toHaveLength(before.length + 4);
    await owner.client.delete(`/api/zones/${other.id}`).expect(204);
    await world.testApp.drain();
    expect(await listRenderedObjects()).toEqual(before);
  });

  it('repeats for lost objects and is queued where it never ran', async () => {
    const storage = world.testApp.app.get(Storage);
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('lost.pdf'), createLetter());
    const early = await uploadFile(owner.client, zone.id, uniqueName('early.pdf'), createLetter());
    await world.testApp.drain();
    await execute('delete from file_documents where file_id = ?', [early.id]);
    const [small] = await execute<{ object_key: string }>('select object_key from file_thumbnails where file_id = ?', [
      id,
    ]);
    const lostKeys = [small!.object_key, (await listPageRows(id))[0]!.object_key];
    for (const key of lostKeys) await storage.delete(key);
    await getThumbnail(member, id).expect(503);
    await runWeeklyJob();
    await getThumbnail(member, id).expect(200);
    const pages = await listPageRows(id);
    expect(pages).toHaveLength(2);
    for (const { object_key } of pages) expect(await storage.stat(object_key)).not.toBeNull();
    expect(await readDocument(early.id)).toMatchObject({ state: 'ready' });
    expect(await listPageRows(early.id)).toHaveLength(2);
  });

  it('references its objects until deletion so that they are not seen as orphans', async () => {
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('named.pdf'), createLetter());
    await world.testApp.drain();
    const keys = (await listPageRows(id)).map((page) => page.object_key);
    const objects = world.testApp.app.get(FileObjectReferences);
    expect((await objects.findReferenced([...keys, 'pages/00/nobody'])).sort()).toEqual([...keys].sort());
    await purge(id);
    expect(await objects.findReferenced(keys)).toEqual([]);
  });

  it('repeats for new contents and deletes the old pages', async () => {
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('anew.pdf'), createLetter());
    await world.testApp.drain();
    const old = await listPageRows(id);
    const before = await listRenderedObjects();
    await execute(`update file_documents set content_key = 'files/00/other' where file_id = ?`, [id]);
    await renderFirstPages(id);
    await world.testApp.drain();
    const pages = await listPageRows(id);
    expect(pages).toHaveLength(2);
    expect(pages.map((page) => page.object_key)).not.toContain(old[0]!.object_key);
    expect(await listRenderedObjects()).toHaveLength(before.length);
    await getThumbnail(member, id).expect(200);
  });

  it('is left out of backups because it can be repeated', async () => {
    const to = path(world.testApp.config.dataDir, 'documents.tar');
    const { config, connection } = world.testApp;
    await createBackup(config, connection, to);
    const names = readFileSync(to).toString('latin1');
    expect(names).toMatch(/objects\/thumbnails\//);
    expect(names).not.toMatch(/objects\/pages\//);
  });

  /** Renders as the job does. */
  const renderFirstPages = (fileId: number) =>
    RequestContext.create(world.testApp.em(), () =>
      world.testApp.app
        .get(PageRenderingService)
        .renderFirstPages(
          { fileId, place: FAR_BACK },
          { id: 1, attempt: 1, isLastAttempt: false, signal: new AbortController().signal },
        ),
    );
});
