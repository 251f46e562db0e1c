import sharp from 'sharp';
import { createPdf } from '../../../../src/cli/seed/demo-files.js';
import { RenderingService } from '../../../../src/platform/rendering/rendering.service.js';
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
import { createTestApp, type TestApp } from '../../../support/test-app.js';
import { describeInProcess, World, type Client } from '../../../support/world.js';
import { uploadFile } from '../upload/multipart-helpers.js';
import { pdfWithPages, buildPdf, invalidPageTrees } from './generated/pdf-samples.js';

let world: World;
let other: TestApp;
let owner: Actor;
let zone: TestZone;
let people: Record<'owner' | 'admin' | 'member' | 'outsider' | 'signedOut', Client>;
let member: Actor;

const execute = <T extends object>(sql: string, params: unknown[] = []) => world.testApp.em().execute<T[]>(sql, params);
const store = (bytes: Buffer | string, name = 'document.pdf') =>
  uploadFile(owner.client, zone.id, uniqueName(name), bytes);
/** A document whose first pages are rendered. */
const uploadAndRender = async (bytes: Buffer) => {
  const file = await store(bytes);
  await world.testApp.drain();
  return file;
};
const getPages = (id: number, client = people.member) => client.get(`/api/files/${id}/pages`);
const getPage = (id: number, number: number | string, query = '', client = people.member) =>
  client.get(`/api/files/${id}/pages/${number}${query}`);
const retry = (id: number, client = owner.client) => client.post(`/api/files/${id}/pages/retry`);
const renderingService = (app = world.testApp) => app.app.get(RenderingService);
const listJobs = (id: number) =>
  execute(`select id from jobs where name = 'files.render-first-pages' and payload->>'fileId' = ?`, [String(id)]);
const widths = (id: number, number: number) =>
  execute<{ width: number; object_key: string }>(
    'select width, object_key from file_pages where file_id = ? and page = ? order by width',
    [id, number],
  );

/** Page objects that no row references. */
const listOrphans = async () => {
  const named = new Set(
    (await execute<{ object_key: string }>('select object_key from file_pages')).map((row) => row.object_key),
  );
  const keys: string[] = [];
  for await (const { key } of world.testApp.app.get(Storage).list('pages/')) if (!named.has(key)) keys.push(key);
  return keys.sort();
};

/** Builds pages, of which the given ones are missing objects. */
function createWithBrokenPages(count: number, ...broken: number[]): Buffer {
  const kids = Array.from({ length: count }, (_, index) => (broken.includes(index + 1) ? '9 0 R' : '3 0 R')).join(' ');
  return buildPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>',
  ]);
}

describeInProcess('Pages of documents', () => {
  beforeAll(async () => {
    world = await World.open();
    other = await createTestApp({}, [], world.testApp.connection);
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
  afterAll(async () => {
    await other.close();
    await world.close();
  });
  afterEach(() => jest.restoreAllMocks());

  const collectStatuses = async (sendRequest: (client: Client) => Promise<{ status: number }>) => {
    const statuses: number[] = [];
    for (const client of Object.values(people)) statuses.push((await sendRequest(client)).status);
    return statuses;
  };

  it('are readable by everyone who can read the file and retried by its managers', async () => {
    const { id } = await uploadAndRender(pdfWithPages(2));
    expect(await collectStatuses((client) => getPages(id, client))).toEqual([200, 200, 200, 404, 401]);
    expect(await collectStatuses((client) => getPage(id, 2, '', client))).toEqual([200, 200, 200, 404, 401]);
    expect(await collectStatuses((client) => retry(id, client))).toEqual([204, 204, 403, 404, 401]);
  });

  it('are listed with sizes and state', async () => {
    const file = await store(pdfWithPages(5));
    expect((await getPages(file.id).expect(200)).body).toEqual({
      state: 'waiting',
      count: null,
      failure: null,
      pages: [],
      outline: [],
      hidden: null,
      attachments: [],
      recordsReading: true,
    });
    await world.testApp.drain();
    expect((await getPages(file.id).expect(200)).body).toEqual({
      state: 'ready',
      count: 5,
      failure: null,
      pages: Array.from({ length: 5 }, () => ({ width: 100, height: 100 })),
      outline: [],
      hidden: null,
      attachments: [],
      recordsReading: true,
    });
    const text = await store('<html></html>', 'notes.html');
    expect((await getPages(text.id).expect(200)).body).toEqual({
      state: 'none',
      count: null,
      failure: null,
      pages: [],
      outline: [],
      hidden: null,
      attachments: [],
      recordsReading: true,
    });
  });

  it('are queued once by concurrent requests for a document without state', async () => {
    const { id } = await uploadAndRender(pdfWithPages(1));
    await execute('delete from file_documents where file_id = ?', [id]);
    const before = (await listJobs(id)).length;
    const responses = await Promise.all(Array.from({ length: 20 }, () => getPages(id)));
    expect(responses.map(({ body }) => body.state)).toEqual(Array.from({ length: 20 }, () => 'waiting'));
    await getPage(id, 1).expect(409);
    expect(await listJobs(id)).toHaveLength(before + 1);
    await world.testApp.drain();
    await getPage(id, 1).expect(200);
  });

  it('are returned in the requested width with an ETag for revalidation', async () => {
    const { id } = await uploadAndRender(createPdf(uniqueName('Letter'), ['Soft light']));
    const sizeOf = async (query: string) => {
      const { body, headers } = await getPage(id, 1, query).expect(200);
      expect(headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'private, no-cache' });
      expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox");
      return (await sharp(body as Buffer).metadata()).width;
    };
    expect(await sizeOf('')).toBe(1200);
    expect(await sizeOf('?width=600')).toBe(600);
    expect(await sizeOf('?width=2000')).toBe(2000);
    const { etag } = (await getPage(id, 1).expect(200)).headers;
    const revalidated = await getPage(id, 1).set('If-None-Match', etag!).expect(304);
    expect(revalidated.headers.etag).toBe(etag);
    await getPage(id, 1, '?width=600').set('If-None-Match', etag!).expect(200);
    const { body: file } = await people.member.get(`/api/files/${id}`).expect(200);
    expect(file).toMatchObject({ viewCount: 1, downloadCount: 0 });
  });

  it('count as a view when the first is shown, once in half an hour, even when the page is cached', async () => {
    const { id } = await uploadAndRender(pdfWithPages(2));
    const countViews = async () => {
      const { body } = await owner.client.get(`/api/files/${id}`).expect(200);
      return (body as { viewCount: number }).viewCount;
    };
    await getPage(id, 2).expect(200);
    await getPage(id, 1, '?width=600&strip').expect(200);
    await getPage(id, 1, '?strip=much').expect(400);
    await getPage(id, 1, '', people.owner).expect(200);
    await getPage(id, 1, '', people.admin).expect(200);
    await people.member.head(`/api/files/${id}/pages/1`).expect(200);
    expect(await countViews()).toBe(0);
    const { headers } = await getPage(id, 1).expect(200);
    expect(await countViews()).toBe(1);
    await getPage(id, 1, '?width=600').expect(200);
    expect(await countViews()).toBe(1);
    const { id: survivor } = await uploadAndRender(pdfWithPages(2));
    const etag = (await getPage(survivor, 1, '?strip').expect(200)).headers.etag as string;
    expect(etag).not.toBe(headers.etag);
    await getPage(survivor, 1).set('If-None-Match', etag).expect(304);
    const { body } = await owner.client.get(`/api/files/${survivor}`).expect(200);
    expect((body as { viewCount: number }).viewCount).toBe(1);
  });

  it('return 404 after the last page, for invalid numbers and for files without pages', async () => {
    const { id } = await uploadAndRender(pdfWithPages(2));
    for (const number of [3, 0, '-1', 'abc', '1.5', '99999', '100000', '1e1']) {
      const { body } = await getPage(id, number).expect(404);
      expect(body.code).toBe('PAGE_NOT_FOUND');
    }
    for (const width of ['1', '1201', 'wide', '', '600&width=1200'])
      await getPage(id, 1, `?width=${width}`).expect(400);
    const text = await store('<html></html>', 'notes.html');
    expect((await getPage(text.id, 1).expect(404)).body.code).toBe('PAGE_NOT_FOUND');
    await retry(text.id).expect(404);
  });

  it('are rendered on first request, once for twenty concurrent ones, and stored', async () => {
    const { id } = await uploadAndRender(pdfWithPages(5));
    expect(await widths(id, 4)).toEqual([]);
    const renderPage = jest.spyOn(renderingService(), 'renderPage');
    const statuses = await Promise.all(Array.from({ length: 20 }, () => getPage(id, 4)));
    expect(statuses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(renderPage).toHaveBeenCalledTimes(1);
    expect((await widths(id, 4)).map(({ width }) => width)).toEqual([1200]);
    await getPage(id, 4).expect(200);
    expect(renderPage).toHaveBeenCalledTimes(1);
  });

  it('are stored once when two processes render them concurrently', async () => {
    const { id } = await uploadAndRender(pdfWithPages(5));
    const before = await listOrphans();
    const otherClient = World.prototype.createClient.call({ url: other.url } as World);
    await otherClient.post('/api/login').send({ email: member.email, password: member.password }).expect(200);
    const barrier = Promise.withResolvers<void>();
    let waiting = 0;
    for (const app of [world.testApp, other]) {
      const original = renderingService(app).renderPage.bind(renderingService(app));
      jest.spyOn(renderingService(app), 'renderPage').mockImplementation(async (...args) => {
        const pictures = await original(...args);
        if (++waiting === 2) barrier.resolve();
        await barrier.promise;
        return pictures;
      });
    }
    const responses = await Promise.all([getPage(id, 5), getPage(id, 5, '', otherClient)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(responses.map(({ headers }) => headers.etag)).size).toBe(1);
    const storedWidths = await widths(id, 5);
    expect(storedWidths).toHaveLength(1);
    expect(await listOrphans()).toEqual(before);
  });

  it('fail individually, are tried once, and leave the other pages intact', async () => {
    const { id } = await uploadAndRender(createWithBrokenPages(6, 1, 5));
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'ready', count: 6 });
    const renderPage = jest.spyOn(renderingService(), 'renderPage');
    for (const number of [1, 5, 5]) {
      const { body } = await getPage(id, number).expect(422);
      expect(body).toMatchObject({ code: 'PAGE_FAILED', message: "Couldn't display this page of the document." });
    }
    expect(renderPage).toHaveBeenCalledTimes(1);
    await getPage(id, 6).expect(200);
    await retry(id).expect(204);
    await getPage(id, 5).expect(422);
    expect(renderPage).toHaveBeenCalledTimes(3);
  });

  const setLanguage = (language: string) =>
    execute('update users set language = ? where id = ?', [language, member.id]);

  it('are rejected with the reason for a failed document, in both languages, until a retry', async () => {
    const { id } = await uploadAndRender(invalidPageTrees['no page']!);
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'failed', failure: 'damaged' });
    const { body } = await getPage(id, 1).expect(422);
    expect(body).toMatchObject({
      code: 'DOCUMENT_FAILED',
      message: "This document is damaged and can't be displayed.",
    });
    await setLanguage('tr');
    expect((await getPage(id, 1).expect(422)).body.message).toBe('Bu belge hasarlı olduğu için görüntülenemiyor.');
    await setLanguage('en');
    // The failure may have been a timeout.
    await execute(`update file_documents set failure = 'too-slow' where file_id = ?`, [id]);
    await retry(id).expect(204);
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'waiting', failure: null });
    await world.testApp.drain();
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'failed', failure: 'damaged' });
  });

  it('do not exist for an empty file', async () => {
    const { id } = await uploadAndRender(pdfWithPages(1));
    await execute('update files set size = 0 where id = ?', [id]);
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'failed', failure: 'empty' });
    expect((await getPage(id, 1).expect(422)).body.message).toBe('This document is empty.');
    await execute('update files set size = 1 where id = ?', [id]);
  });

  it('are rendered again when lost and return 503 while the storage is unavailable', async () => {
    const { id } = await uploadAndRender(pdfWithPages(1));
    const storage = world.testApp.app.get(Storage);
    const [, wide] = await widths(id, 1);
    await storage.delete(wide!.object_key);
    await getPage(id, 1).expect(200);
    const [, revalidated] = await widths(id, 1);
    expect(revalidated!.object_key).not.toBe(wide!.object_key);
    const away = () => Promise.reject(storageErrors.STORAGE_UNAVAILABLE());
    jest.spyOn(storage, 'read').mockImplementation(away);
    const stat = jest.spyOn(storage, 'stat').mockImplementation(away);
    expect((await getPage(id, 1).expect(503)).body.code).toBe('STORAGE_UNAVAILABLE');
    expect(stat).toHaveBeenCalled();
    expect((await widths(id, 1))[1]!.object_key).toBe(revalidated!.object_key);
  });

  it('become inaccessible with the end of the membership or the file', async () => {
    const { id } = await uploadAndRender(pdfWithPages(3));
    await getPage(id, 1).expect(200);
    const until = (when: string) =>
      execute(`update zone_members set expires_at = ${when} where zone_id = ? and user_id = ?`, [zone.id, member.id]);
    await until(`now() - interval '1 second'`);
    await getPage(id, 2).expect(404);
    await getPages(id).expect(404);
    await until('null');
    await getPage(id, 2).expect(200);
    await owner.client.delete(`/api/files/${id}`).expect(204);
    await getPage(id, 3).expect(404);
  });

  it('are rendered at most 120 times a minute per user, and stored ones are unlimited', async () => {
    const limited = await createTestApp({ RATE_LIMIT: 'on' }, [], world.testApp.connection);
    try {
      const client = World.prototype.createClient.call({ url: limited.url } as World);
      await client.post('/api/login').send({ email: member.email, password: member.password }).expect(200);
      const { id } = await uploadAndRender(pdfWithPages(130));
      const small = await sharp({ create: { width: 1, height: 1, channels: 3, background: 'white' } })
        .webp()
        .toBuffer();
      const picture = { width: 1, height: 1, bytes: small };
      jest.spyOn(renderingService(limited), 'renderPage').mockImplementation(() => Promise.resolve([picture]));
      for (let number = 4; number < 124; number++) await getPage(id, number, '', client).expect(200);
      const rejected = await getPage(id, 124, '', client).expect(429);
      expect(rejected.body.code).toBe('TOO_MANY_REQUESTS');
      expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
      await getPage(id, 100, '', client).expect(200);
      await getPage(id, 124).expect(200);
    } finally {
      await limited.close();
    }
  });
});
