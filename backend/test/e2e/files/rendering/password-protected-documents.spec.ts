import { readdirSync, readFileSync } from 'node:fs';
import { join as pathOf } from 'node:path';
import { Logger } from '@nestjs/common';
import sharp from 'sharp';
import { RenderError } from '../../../../src/platform/rendering/rendering.errors.js';
import { RenderingService } from '../../../../src/platform/rendering/rendering.service.js';
import { Storage } from '../../../../src/platform/storage/storage.js';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { describeInProcess, World, type Client } from '../../../support/world.js';
import { uploadFile } from '../upload/multipart-helpers.js';
import { createEncryptedPdf, pdfWithPages, invalidPageTrees } from './generated/pdf-samples.js';

/** Occurs nowhere else, so that leaks can be found. */
const PASSWORD = 'swallow-5150-at-noon';
const WORDS = 'BT /F1 12 Tf 10 50 Td (Quiet light) Tj ET';

let world: World;
let owner: Actor;
let member: Actor;
let zone: TestZone;

const execute = <T extends object>(sql: string, params: unknown[] = []) => world.testApp.em().execute<T[]>(sql, params);
const storeDocument = async (bytes: Buffer | string, name = 'locked.pdf') => {
  const { id } = await uploadFile(owner.client, zone.id, uniqueName(name), bytes);
  await world.testApp.drain();
  return id;
};
const unlock = (id: number, password: unknown, client: Client = member.client) =>
  client.post(`/api/files/${id}/pages/unlock`).send({ password });
const getPages = (id: number, what = '', client: Client = member.client) => client.get(`/api/files/${id}/pages${what}`);
const renderingService = () => world.testApp.app.get(RenderingService);

describeInProcess('Password-protected documents', () => {
  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    zone = await createZone(owner);
    member = await registerUser(world);
    await joinPublicZone(zone, member);
  });
  afterAll(() => world.close());
  afterEach(() => jest.restoreAllMocks());

  it('require the password for every request', async () => {
    const id = await storeDocument(createEncryptedPdf('pass', WORDS));
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'failed', failure: 'locked', pages: [] });
    for (const what of ['/1', '/1?width=600&strip', '/1/text', '/search?q=light']) {
      const { body } = await getPages(id, what).expect(423);
      expect(body).toMatchObject({ code: 'DOCUMENT_LOCKED', message: 'This document is password-protected.' });
    }
  });

  it('reject a wrong password at its field, in both languages', async () => {
    const id = await storeDocument(createEncryptedPdf('pass'));
    for (const [language, sentence] of [
      ['tr', 'Belgenin parolası hatalı.'],
      ['en', 'Wrong password for this document.'],
    ] as const) {
      await execute('update users set language = ? where id = ?', [language, member.id]);
      const { body, headers } = await unlock(id, 'pass ').expect(422);
      expect(body).toMatchObject({
        code: 'DOCUMENT_PASSWORD_WRONG',
        message: sentence,
        errors: { password: [sentence] },
      });
      expect(headers['set-cookie']).toBeUndefined();
    }
    for (const odd of ['', 'x'.repeat(257), 5, null, ['pass'], undefined]) await unlock(id, odd).expect(400);
    await getPages(id, '/1').expect(423);
  });

  it('are readable with the correct password, page by page, and not cached', async () => {
    const id = await storeDocument(createEncryptedPdf('pass', WORDS, 5));
    const { headers } = await unlock(id, 'pass').expect(204);
    const [cookie] = (headers['set-cookie'] as unknown as string[]).filter((header) =>
      header.startsWith('zonary_document='),
    );
    expect(cookie).toMatch(/; Max-Age=3600; Path=\/api\/files\/\d+\/pages; .*HttpOnly; SameSite=Strict$/);
    expect(cookie).toContain(`Path=/api/files/${id}/pages;`);

    const response = await getPages(id).expect(200);
    expect(response.headers['cache-control']).toBe('private, no-store');
    expect(response.body).toEqual({
      state: 'ready',
      count: 5,
      failure: null,
      outline: [],
      hidden: null,
      attachments: [],
      recordsReading: true,
      pages: Array.from({ length: 5 }, () => ({ width: 100, height: 100 })),
    });
    const page = await getPages(id, '/5?width=600').expect(200);
    expect(page.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'private, no-store' });
    expect(page.headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    expect(page.headers.etag).toBeUndefined();
    expect((await sharp(page.body as Buffer).metadata()).width).toBe(600);
    const text = await getPages(id, '/1/text').expect(200);
    expect(text.headers['cache-control']).toBe('private, no-store');
    expect((text.body as { words: [string][] }).words.map(([word]) => word)).toEqual(['Quiet', 'light']);
    for (const what of ['/6', '/6/text'])
      expect((await getPages(id, what).expect(404)).body.code).toBe('PAGE_NOT_FOUND');
    const { body } = await getPages(id, '/search?q=light').expect(422);
    expect(body).toMatchObject({
      code: 'LOCKED_NOT_SEARCHED',
      message: "Password-protected documents can't be searched because their text isn't stored.",
    });
    // Other users are asked for the password.
    expect((await getPages(id, '/1', owner.client).expect(423)).body.code).toBe('DOCUMENT_LOCKED');
  });

  it('leave no derived data behind, and the password is stored nowhere', async () => {
    const logged: unknown[] = [];
    for (const method of ['log', 'warn', 'error', 'debug'] as const)
      jest.spyOn(Logger.prototype, method).mockImplementation((...words: unknown[]) => void logged.push(words));
    const storage = world.testApp.app.get(Storage);
    const listObjects = async () => {
      const keys: string[] = [];
      for await (const { key } of storage.list('pages/')) keys.push(key);
      return keys.sort();
    };
    const before = await listObjects();
    const id = await storeDocument(createEncryptedPdf(PASSWORD, WORDS, 2));
    await unlock(id, `${PASSWORD}!`).expect(422);
    await unlock(id, PASSWORD).expect(204);
    await getPages(id).expect(200);
    for (const what of ['/1', '/2?width=2000', '/1/text']) await getPages(id, what).expect(200);
    const renderPage = jest.spyOn(renderingService(), 'renderPage').mockRejectedValue(new RenderError('damaged'));
    await getPages(id, '/2').expect(422);
    renderPage.mockRestore();
    await world.testApp.drain();

    expect(await listObjects()).toEqual(before);
    for (const table of ['file_pages', 'file_page_texts', 'file_thumbnails'])
      expect(await execute(`select file_id from ${table} where file_id = ?`, [id])).toEqual([]);
    expect(
      await execute('select state, failure, page_count, sizes, outline from file_documents where file_id = ?', [id]),
    ).toEqual([{ state: 'failed', failure: 'locked', page_count: null, sizes: null, outline: null }]);
    const { body } = await member.client.get(`/api/files/${id}`).expect(200);
    expect(body).toMatchObject({ thumbnailUrl: null, viewCount: 1, document: { state: 'failed', failure: 'locked' } });
    expect(JSON.stringify(logged)).not.toContain(PASSWORD);
    expect(await tablesWith(PASSWORD)).toEqual([]);
    expect(filesWith(world.testApp.config.dataDir, PASSWORD)).toEqual([]);
  });

  it('try a page that cannot be rendered only once until it is retried', async () => {
    const id = await storeDocument(createEncryptedPdf('pass'));
    await unlock(id, 'pass').expect(204);
    const renderPage = jest.spyOn(renderingService(), 'renderPage').mockRejectedValue(new RenderError('too-slow'));
    for (let times = 0; times < 3; times++)
      expect((await getPages(id, '/1').expect(422)).body.code).toBe('PAGE_FAILED');
    expect(renderPage).toHaveBeenCalledTimes(1);
    renderPage.mockRestore();
    await owner.client.post(`/api/files/${id}/pages/retry`).expect(204);
    await world.testApp.drain();
    await getPages(id, '/1').expect(200);
  });

  it('are locked again when the contents have another password', async () => {
    const id = await storeDocument(createEncryptedPdf('pass'));
    await unlock(id, 'pass').expect(204);
    const rejectLocked = () => Promise.reject(new RenderError('locked'));
    for (const method of ['openDocument', 'renderPage', 'extractText'] as const)
      jest.spyOn(renderingService(), method).mockImplementation(rejectLocked);
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'failed', failure: 'locked' });
    for (const what of ['/1', '/1/text'])
      expect((await getPages(id, what).expect(423)).body.code).toBe('DOCUMENT_LOCKED');
    expect(await execute('select page from file_broken_pages where file_id = ?', [id])).toEqual([]);
  });

  it('return no text for a page whose text cannot be read, but show the page', async () => {
    const id = await storeDocument(createEncryptedPdf('pass'));
    await unlock(id, 'pass').expect(204);
    jest.spyOn(renderingService(), 'extractText').mockRejectedValue(new RenderError('too-slow'));
    expect((await getPages(id, '/1/text').expect(200)).body).toEqual({ words: [], links: [] });
    await getPages(id, '/1').expect(200);
  });

  it('are readable without their outline when it cannot be read', async () => {
    const id = await storeDocument(createEncryptedPdf('pass'));
    await unlock(id, 'pass').expect(204);
    jest.spyOn(renderingService(), 'readOutline').mockRejectedValue(new RenderError('too-slow'));
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'ready', count: 1, outline: [] });
  });

  it('are the only documents that accept a password', async () => {
    const open = await storeDocument(pdfWithPages(1), 'open.pdf');
    expect((await unlock(open, 'pass').expect(409)).body.code).toBe('DOCUMENT_NOT_LOCKED');
    const broken = await storeDocument(invalidPageTrees['no page']!, 'broken.pdf');
    expect((await unlock(broken, 'pass').expect(422)).body.code).toBe('DOCUMENT_FAILED');
    const notes = await storeDocument('<html></html>', 'notes.html');
    expect((await unlock(notes, 'pass').expect(404)).body.code).toBe('PAGE_NOT_FOUND');
    const { id: waiting } = await uploadFile(
      owner.client,
      zone.id,
      uniqueName('waits.pdf'),
      createEncryptedPdf('pass'),
    );
    expect((await unlock(waiting, 'pass').expect(409)).body.code).toBe('DOCUMENT_NOT_READY');
    await world.testApp.drain();
    await unlock(waiting, 'pass').expect(204);
  });
});

/** Lists the tables with a row that contains the text. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await execute<{ name: string }>(
    `select format('%I', tablename) as name from pg_tables where schemaname = 'public'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await execute(`select 1 as found from ${name} t where t::text like ? limit 1`, [`%${text}%`]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

/** Lists the files below a folder that contain the text. */
const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => pathOf(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
