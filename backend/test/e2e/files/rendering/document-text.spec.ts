import { RequestContext } from '@mikro-orm/core';
import { PageTextStoreService } from '../../../../src/modules/files/pages/page-text-store.service.js';
import { TextExtractionService } from '../../../../src/modules/files/pages/text-extraction.service.js';
import { RenderError } from '../../../../src/platform/rendering/rendering.errors.js';
import { RenderingService } from '../../../../src/platform/rendering/rendering.service.js';
import { FairSchedulerService } from '../../../../src/platform/rendering/scheduling/fair-scheduler.service.js';
import { EventBus } from '../../../../src/platform/events/event-bus.js';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { createTestApp } from '../../../support/test-app.js';
import { describeInProcess, World, type Client } from '../../../support/world.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';
import { createFolder, uploadFile } from '../upload/multipart-helpers.js';
import { pdfWithPages, invalidPageTrees } from './generated/pdf-samples.js';
import {
  FIRST_EXTRA_OBJECT,
  FIRST_PAGE_OBJECT,
  textLines,
  createNumberedPages,
  createTextPdf,
} from './generated/text-pdf.js';

let world: World;
let owner: Actor;
let member: Actor;
let zone: TestZone;
let people: Record<'owner' | 'admin' | 'member' | 'outsider' | 'signedOut', Client>;

const execute = <T extends object>(sql: string, params: unknown[] = []) => world.testApp.em().execute<T[]>(sql, params);
const store = (bytes: Buffer | string, name = 'document.pdf') =>
  uploadFile(owner.client, zone.id, uniqueName(name), bytes);
/** A document with rendered pages and extracted text. */
const storeAndRender = async (bytes: Buffer) => {
  const file = await store(bytes);
  await world.testApp.drain();
  return file;
};
const getText = (id: number, page: number | string, client = people.member) =>
  client.get(`/api/files/${id}/pages/${page}/text`);
const search = (id: number, q: string, client = people.member) =>
  client.get(`/api/files/${id}/pages/search?q=${encodeURIComponent(q)}`);
const readOutline = async (id: number) => (await people.member.get(`/api/files/${id}/pages`).expect(200)).body.outline;
const renderingService = (app = world.testApp) => app.app.get(RenderingService);
const rows = (id: number) =>
  execute<{ page: number; text: string; layer_key: string | null }>(
    'select page, text, layer_key from file_page_texts where file_id = ? order by page',
    [id],
  );
const listJobs = (id: number) =>
  execute(`select id, priority, payload from jobs where name = 'files.extract-texts' and payload->>'fileId' = ?`, [
    String(id),
  ]);
/** Records the documents announced as indexed from now on. */
const collectAnnouncements = () => {
  const emit = jest.spyOn(world.testApp.app.get(EventBus), 'emit');
  return () => emit.mock.calls.flatMap(([, name, event]) => (name === 'file.textsReady' ? [event] : []));
};
/** Makes extraction of some pages fail. */
const failExtractionOf = (...pages: number[]) => {
  const original = renderingService().extractText.bind(renderingService());
  return jest
    .spyOn(renderingService(), 'extractText')
    .mockImplementation((source, page) =>
      pages.includes(page) ? Promise.reject(new RenderError('too-slow')) : original(source, page),
    );
};

/** A job last in the queue is never put further back, however long the suite takes. */
const FAR_BACK = 99;
/** Extracts as the job does. */
const readNext = (fileId: number, place = FAR_BACK) =>
  RequestContext.create(world.testApp.em(), () =>
    world.testApp.app
      .get(TextExtractionService)
      .extractNextPages(
        { fileId, faults: 0, place },
        { id: 1, attempt: 1, isLastAttempt: false, signal: new AbortController().signal },
      ),
  );

describeInProcess('Text of documents', () => {
  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    zone = await createZone(owner);
    const admin = await registerUser(world);
    member = await registerUser(world);
    for (const actor of [admin, member]) await joinPublicZone(zone, actor);
    await execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [zone.id, admin.id]);
    const outsider = await registerUser(world);
    people = {
      owner: owner.client,
      admin: admin.client,
      member: member.client,
      outsider: outsider.client,
      signedOut: world.createClient(),
    };
  });
  afterAll(() => world.close());
  afterEach(() => jest.restoreAllMocks());

  const collectStatuses = async (sendRequest: (client: Client) => Promise<{ status: number }>) => {
    const statuses: number[] = [];
    for (const client of Object.values(people)) statuses.push((await sendRequest(client)).status);
    return statuses;
  };

  it('is readable by everyone who can read the file', async () => {
    const { id } = await storeAndRender(createNumberedPages(2, 'Light'));
    expect(await collectStatuses((client) => getText(id, 2, client))).toEqual([200, 200, 200, 404, 401]);
    expect(await collectStatuses((client) => search(id, 'light', client))).toEqual([200, 200, 200, 404, 401]);
  });

  it('consists of words with positions, links and the outline', async () => {
    const { id } = await storeAndRender(
      createTextPdf({
        pages: [textLines('Soft light'), textLines('Hard light')],
        pageEntries: `/Annots [${FIRST_EXTRA_OBJECT} 0 R]`,
        catalogueEntries: `/Outlines ${FIRST_EXTRA_OBJECT + 1} 0 R`,
        extraObjects: [
          `<< /Type /Annot /Subtype /Link /Rect [60 600 160 620] /Dest [${FIRST_PAGE_OBJECT + 2} 0 R /Fit] >>`,
          `<< /Type /Outlines /First ${FIRST_EXTRA_OBJECT + 2} 0 R >>`,
          `<< /Title (Hard) /Dest [${FIRST_PAGE_OBJECT + 2} 0 R /Fit] >>`,
        ],
      }),
    );
    const { body } = await getText(id, 1).expect(200);
    expect(body.words.map(([word]: [string]) => word)).toEqual(['Soft', 'light']);
    expect(body.words[0].slice(1).every((place: number) => place > 0 && place < 1000)).toBe(true);
    expect(body.links).toEqual([{ x: 100, y: 225, w: 166.7, h: 25, page: 2 }]);
    expect(await readOutline(id)).toEqual([{ title: 'Hard', page: 2, level: 1 }]);
    expect((await rows(id)).map((row) => row.text)).toEqual(['Soft light', 'Hard light']);
  });

  it('is empty for pages without text, which store no object', async () => {
    const { id } = await storeAndRender(pdfWithPages(3));
    expect((await getText(id, 3).expect(200)).body).toEqual({ words: [], links: [] });
    expect(await readOutline(id)).toEqual([]);
    expect((await rows(id)).map((row) => row.layer_key)).toEqual([null, null, null]);
    expect((await search(id, 'light').expect(200)).body).toEqual([]);
  });

  it('returns 404 after the last page, for invalid numbers and for files without pages', async () => {
    const { id } = await storeAndRender(createNumberedPages(2, 'Light'));
    for (const page of [3, 0, '-1', 'abc', '1.5', '100000']) {
      const { body } = await getText(id, page).expect(404);
      expect(body.code).toBe('PAGE_NOT_FOUND');
    }
    const notes = await store('<html></html>', 'notes.html');
    expect((await getText(notes.id, 1).expect(404)).body.code).toBe('PAGE_NOT_FOUND');
    expect((await search(notes.id, 'words').expect(404)).body.code).toBe('PAGE_NOT_FOUND');
  });

  it('is pending or failed together with the document', async () => {
    const { id } = await store(createNumberedPages(2, 'Light'));
    expect((await getText(id, 1).expect(409)).body.code).toBe('DOCUMENT_NOT_READY');
    expect((await search(id, 'light').expect(409)).body.code).toBe('DOCUMENT_NOT_READY');
    await world.testApp.drain();
    await getText(id, 1).expect(200);
    const broken = await storeAndRender(invalidPageTrees['no page']!);
    expect((await getText(broken.id, 1).expect(422)).body.code).toBe('DOCUMENT_FAILED');
    expect((await search(broken.id, 'light').expect(422)).body.code).toBe('DOCUMENT_FAILED');
    expect(await listJobs(broken.id)).toEqual([]);
  });

  it('becomes inaccessible with the end of the membership or the file', async () => {
    const { id } = await storeAndRender(createNumberedPages(2, 'Light'));
    const until = (when: string) =>
      execute(`update zone_members set expires_at = ${when} where zone_id = ? and user_id = ?`, [zone.id, member.id]);
    await until(`now() - interval '1 second'`);
    await getText(id, 1).expect(404);
    await search(id, 'light').expect(404);
    await until('null');
    await getText(id, 1).expect(200);
    await owner.client.delete(`/api/files/${id}`).expect(204);
    await getText(id, 1).expect(404);
    await search(id, 'light').expect(404);
  });

  it('is readable through a mirror, but not after its removal or in the trash', async () => {
    await allowUnlimitedZones(world, owner);
    const folder = await createFolder(owner.client, zone.id, uniqueName('source'));
    const { id } = await uploadFile(
      owner.client,
      zone.id,
      uniqueName('m.pdf'),
      createNumberedPages(1, 'Light'),
      `?folderId=${folder}`,
    );
    await world.testApp.drain();
    const target = await createZone(owner);
    const visitor = await registerUser(world);
    await joinPublicZone(target, visitor);
    const readStatuses = async () => [
      (await getText(id, 1, visitor.client)).status,
      (await search(id, 'light', visitor.client)).status,
    ];
    expect(await readStatuses()).toEqual([404, 404]);
    const mirror = {
      sourceFolderId: folder,
      targetZoneId: target.id,
      targetFolderName: 'Shown',
      mirrorType: 'one_way',
    };
    await owner.client.post(`/api/zones/${zone.id}/folder-mirrors`).send(mirror).expect(201);
    expect(await readStatuses()).toEqual([200, 200]);
    await owner.client.delete(`/api/files/${id}`).expect(204);
    expect(await readStatuses()).toEqual([404, 404]);
    expect([(await getText(id, 1, owner.client)).status, (await search(id, 'light', owner.client)).status]).toEqual([
      404, 404,
    ]);
  });

  it('is extracted in jobs of fifty pages after the first pages, with one event', async () => {
    const events = collectAnnouncements();
    const enqueueNextPages = jest.spyOn(world.testApp.app.get(PageTextStoreService), 'enqueueNextPages');
    const { id } = await storeAndRender(createNumberedPages(120, 'Light'));
    // The first of three batches is enqueued with the first pages.
    expect(enqueueNextPages).toHaveBeenCalledTimes(2);
    expect(await rows(id)).toHaveLength(120);
    expect(events()).toEqual([{ fileId: id }]);
    await readNext(id);
    await world.testApp.drain();
    expect(events()).toEqual([{ fileId: id }]);
    expect((await search(id, 'light 119').expect(200)).body).toMatchObject([{ page: 119, from: 0, length: 9 }]);
  });

  it('is queued behind the text of others when the owner had much text extracted', async () => {
    const { id } = await storeAndRender(createNumberedPages(2, 'Light'));
    const busy = world.testApp.app.get(FairSchedulerService);
    const penaltyOf = jest.spyOn(busy, 'penaltyOf').mockReturnValue(2);
    await readNext(id, 0);
    expect(await listJobs(id)).toMatchObject([{ priority: 2, payload: { place: 2 } }]);
    await readNext(id, 2);
    expect(await listJobs(id)).toHaveLength(1);
    penaltyOf.mockRestore();
    await world.testApp.drain();
    expect(await listJobs(id)).toEqual([]);
  });

  it('resumes where a killed worker stopped', async () => {
    const { id } = await store(createNumberedPages(5, 'Light'));
    const original = renderingService().extractText.bind(renderingService());
    const tried: number[] = [];
    const spy = jest.spyOn(renderingService(), 'extractText').mockImplementation((source, page) => {
      tried.push(page);
      return tried.length === 3 ? Promise.reject(new Error('killed')) : original(source, page);
    });
    const events = collectAnnouncements();
    await expect(world.testApp.drain()).rejects.toThrow('files.extract-texts');
    expect(events()).toEqual([]);
    expect((await search(id, 'light').expect(409)).body.code).toBe('DOCUMENT_NOT_READY');
    world.testApp.clock.advance(3_600_000);
    await world.testApp.drain();
    spy.mockRestore();
    expect(tried).toEqual([1, 2, 3, 3, 4, 5]);
    expect(events()).toEqual([{ fileId: id }]);
  });

  it('is extracted at once for a requested page, once for twenty requests, and stored', async () => {
    const { id } = await storeAndRender(createNumberedPages(4, 'Light'));
    await execute('delete from file_page_texts where file_id = ?', [id]);
    const read = jest.spyOn(renderingService(), 'extractText');
    const responses = await Promise.all(Array.from({ length: 20 }, () => getText(id, 4)));
    expect(responses.map(({ body }) => body.words?.[1]?.[0])).toEqual(Array.from({ length: 20 }, () => '4'));
    expect(read).toHaveBeenCalledTimes(1);
    expect((await rows(id)).map(({ page }) => page)).toEqual([4]);
    await getText(id, 4).expect(200);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('is queued once by concurrent requests for earlier documents', async () => {
    const { id } = await storeAndRender(createNumberedPages(2, 'Light'));
    await execute('delete from file_page_texts where file_id = ?', [id]);
    await execute(`update file_documents set texts = 'none', outline = null where file_id = ?`, [id]);
    const before = (await listJobs(id)).length;
    await Promise.all(Array.from({ length: 10 }, () => search(id, 'light').expect(409)));
    expect(await listJobs(id)).toHaveLength(before + 1);
    await world.testApp.drain();
    expect((await search(id, 'light').expect(200)).body).toHaveLength(2);
    expect(await rows(id)).toHaveLength(2);
  });

  it('is empty for unreadable pages, which can be retried', async () => {
    const events = collectAnnouncements();
    const spy = failExtractionOf(2);
    const { id } = await storeAndRender(createNumberedPages(4, 'Light'));
    expect((await rows(id)).map((row) => row.text)).toEqual(['Light 1', '', 'Light 3', 'Light 4']);
    expect((await getText(id, 2).expect(200)).body).toEqual({ words: [], links: [] });
    expect(spy.mock.calls.filter(([, page]) => page === 2)).toHaveLength(1);
    expect(events()).toEqual([{ fileId: id }]);
    spy.mockRestore();
    await owner.client.post(`/api/files/${id}/pages/retry`).expect(204);
    await world.testApp.drain();
    expect((await rows(id)).map((row) => row.text)).toEqual(['Light 1', 'Light 2', 'Light 3', 'Light 4']);
    expect((await search(id, 'light').expect(200)).body).toHaveLength(4);
  });

  it('stops a job at a failing page, and the document after ten of them', async () => {
    const events = collectAnnouncements();
    const bad = Array.from({ length: 20 }, (_, index) => index + 1);
    const spy = failExtractionOf(...bad);
    const enqueueNextPages = jest.spyOn(world.testApp.app.get(PageTextStoreService), 'enqueueNextPages');
    const { id } = await storeAndRender(createNumberedPages(30, 'Light'));
    expect(enqueueNextPages).toHaveBeenCalledTimes(9);
    expect(spy).toHaveBeenCalledTimes(10);
    expect(events()).toEqual([{ fileId: id }]);
    // Pages not tried yet are extracted on request.
    expect((await getText(id, 30).expect(200)).body.words).toHaveLength(2);
  });

  it('is extracted on request at most 120 times a minute per user', async () => {
    const limited = await createTestApp({ RATE_LIMIT: 'on' }, [], world.testApp.connection);
    try {
      const client = World.prototype.createClient.call({ url: limited.url } as World);
      await client.post('/api/login').send({ email: member.email, password: member.password }).expect(200);
      const { id } = await storeAndRender(pdfWithPages(121));
      await execute('delete from file_page_texts where file_id = ?', [id]);
      jest
        .spyOn(renderingService(limited), 'extractText')
        .mockImplementation(() => Promise.resolve({ words: [], links: [], hasHidden: false }));
      for (let page = 1; page <= 120; page++) await getText(id, page, client).expect(200);
      expect((await getText(id, 121, client).expect(429)).body.code).toBe('TOO_MANY_REQUESTS');
      await getText(id, 100, client).expect(200);
      for (let count = 1; count <= 120; count++) await search(id, 'light', client).expect(200);
      expect((await search(id, 'light', client).expect(429)).body.code).toBe('TOO_MANY_REQUESTS');
    } finally {
      await limited.close();
    }
  });
});
