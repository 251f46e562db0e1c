import type { OpenAPIObject } from '@nestjs/swagger';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as path } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createPdf } from '../../../../src/cli/seed/demo-files.js';
import { convertDocument, renderFirstPages, sweepObjects } from '../../../../src/modules/files/files.jobs.js';
import { FileObjectReferences } from '../../../../src/modules/files/objects/quarantine/file-object-references.js';
import { RenderError } from '../../../../src/platform/rendering/rendering.errors.js';
import type { HiddenContent } from '../../../../src/platform/rendering/office/hidden-content.js';
import { OfficeService, type OfficeSource } from '../../../../src/platform/rendering/office/office.service.js';
import { DAY } from '../../../../src/platform/clock/clock.js';
import { CronScheduler } from '../../../../src/platform/jobs/cron/cron-scheduler.js';
import { queues } from '../../../../src/platform/jobs/queues.js';
import { newObjectKey, Storage } from '../../../../src/platform/storage/storage.js';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { waitUntil } from '../../../support/wait-until.js';
import { describeInProcess, World } from '../../../support/world.js';
import { uploadFile } from '../upload/multipart-helpers.js';
import { docx, odt, paragraph, rtf } from './office-samples.js';

let world: World;
let owner: Actor;
let member: Actor;
let zone: TestZone;
/** Replaces LibreOffice, which isn't installed everywhere: returns the converted document. */
let createBytes: () => Buffer;
/** Awaited before each conversion. */
let before: () => Promise<void>;
let isThere: boolean;
/** The document's hidden content. */
let hidden: HiddenContent | null;
/** The requested conversions. */
const convertedSources: OfficeSource[] = [];
const folder = mkdtempSync(path(tmpdir(), 'zonary-office-pages-'));

const contract = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenAPIObject;
/** Every GET route of a file; the one that never ends returns no content. */
const readRoutes = Object.entries(contract.paths)
  .filter(([route, item]) => route.startsWith('/api/files/{id}') && item.get !== undefined)
  .filter(([, item]) => !JSON.stringify(item.get!.responses).includes('text/event-stream'))
  .map(([route]) => route);
/** Buffers a body unchanged. */
const bytesOf = (response: unknown, done: (error: Error | null, body: Buffer) => void) =>
  void buffer(response as Readable).then(
    (body) => done(null, body),
    (error: Error) => done(error, Buffer.alloc(0)),
  );

const execute = <T extends object>(sql: string, params: unknown[] = []) => world.testApp.em().execute<T[]>(sql, params);
const store = (bytes: Buffer, name = 'letter.docx') =>
  uploadFile(owner.client, zone.id, `${uniqueName('a')}-${name}`, bytes);
const uploadAndRender = async (bytes: Buffer, name?: string) => {
  const file = await store(bytes, name);
  await world.testApp.drain();
  return file;
};
const getPages = (id: number, rest = '', actor = member) => actor.client.get(`/api/files/${id}/pages${rest}`);
const readPdfKey = async (id: number) => {
  const [row] = await execute<{ object_key: string }>('select object_key from file_pdfs where file_id = ?', [id]);
  return row?.object_key;
};
const listDerivedObjects = async () => {
  const keys: string[] = [];
  for (const family of ['pages/', 'thumbnails/'])
    for await (const { key } of world.testApp.app.get(Storage).list(family)) keys.push(key);
  return keys.sort();
};
/** Number of the week, because the sweep runs weekly. */
let week = 0;
const runWeeklyJob = async () => {
  const { app, clock } = world.testApp;
  await app.get(CronScheduler).enqueueCronRun(sweepObjects, new Date(clock.now().getTime() + 7 * DAY * week++));
  await world.testApp.drain();
};

describeInProcess('Pages of Office documents', () => {
  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    member = await registerUser(world);
    zone = await createZone(owner);
    await joinPublicZone(zone, member);
    const office = world.testApp.app.get(OfficeService);
    jest.spyOn(office, 'isInstalled', 'get').mockImplementation(() => isThere);
    jest.spyOn(office, 'toPdf').mockImplementation(async (source, _signal, use) => {
      convertedSources.push(source);
      await before();
      const [file, bytes] = [path(folder, 'made.pdf'), createBytes()];
      writeFileSync(file, bytes);
      return use({ path: file, size: bytes.length, hidden });
    });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await world.close();
  });
  beforeEach(() => {
    isThere = true;
    hidden = null;
    before = () => Promise.resolve();
    createBytes = () => createPdf('Letter', ['Soft light and hard light']);
  });

  it.each([
    ['docx', () => docx('Light'), 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['odt', () => odt(paragraph('Light')), 'application/vnd.oasis.opendocument.text'],
    ['rtf', () => rtf('Light'), 'application/rtf'],
  ])('are rendered from the converted PDF, with text and search: %s', async (extension, make, type) => {
    const file = await uploadAndRender(make(), `letter.${extension}`);
    expect(file.mimeType).toBe(type);
    expect((await getPages(file.id).expect(200)).body).toMatchObject({ state: 'ready', count: 1, failure: null });
    await getPages(file.id, '/1?width=2000').expect(200);
    await member.client.get(`/api/files/${file.id}/thumbnail`).expect(200);
    expect((await getPages(file.id, '/1/text').expect(200)).body.words.length).toBeGreaterThan(0);
    expect((await getPages(file.id, '/search?q=hard').expect(200)).body).toHaveLength(1);
  });

  it('report hidden content only to those who manage the file', async () => {
    hidden = { sheets: 2, deletions: true };
    const { id } = await uploadAndRender(docx('Light'));
    const hiddenContent = { sheets: 2, deletions: true, layers: false };
    expect((await getPages(id, '', owner).expect(200)).body.hidden).toEqual(hiddenContent);
    expect((await getPages(id).expect(200)).body.hidden).toBeNull();
    hidden = null;
    const { id: other } = await uploadAndRender(docx('Light'));
    expect((await getPages(other, '', owner).expect(200)).body.hidden).toBeNull();
  });

  it('are rendered again when they predate the removal of hidden content', async () => {
    const { id } = await uploadAndRender(docx('Light'));
    const before = await readPdfKey(id);
    await execute(`update file_documents set content_key = '', state = 'waiting' where file_id = ?`, [id]);
    expect((await getPages(id).expect(200)).body.state).toBe('waiting');
    await world.testApp.drain();
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'ready', count: 1 });
    expect(await readPdfKey(id)).not.toBe(before);
  });

  it('report no-office without LibreOffice and are rendered once it is installed', async () => {
    isThere = false;
    const { id } = await uploadAndRender(docx('Light'));
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'none', failure: 'no-office', pages: [] });
    const { body } = await getPages(id, '/1').expect(422);
    expect(body).toMatchObject({
      code: 'DOCUMENT_FAILED',
      message: "This server can't display documents of this type.",
    });
    await runWeeklyJob();
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'none', failure: 'no-office' });
    isThere = true;
    await runWeeklyJob();
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'ready', failure: null, count: 1 });
  });

  it('do not block other documents while LibreOffice works', async () => {
    const gate = Promise.withResolvers<void>();
    before = () => gate.promise;
    const letter = await store(docx('Light'));
    const callsBefore = convertedSources.length;
    const working = world.testApp.drain();
    await waitUntil('LibreOffice is converting', () => convertedSources.length > callsBefore);
    const other = await uploadAndRender(createPdf('Letter', ['Soft light']), 'letter.pdf');
    expect((await getPages(other.id).expect(200)).body).toMatchObject({ state: 'ready' });
    expect((await getPages(letter.id).expect(200)).body).toMatchObject({ state: 'waiting' });
    gate.resolve();
    await working;
    expect((await getPages(letter.id).expect(200)).body).toMatchObject({ state: 'ready' });
    // `drain` ignores concurrency; workers have one slot for each of the two queues.
    expect(convertDocument.queue).not.toBe(renderFirstPages.queue);
    expect(queues[convertDocument.queue].concurrency).toBe(1);
  });

  it('are retried once after a timeout', async () => {
    let tries = 0;
    createBytes = () => {
      if (++tries === 1) throw new RenderError('too-slow');
      return createPdf('Letter', ['Light']);
    };
    const { id } = await uploadAndRender(docx('Light'));
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'ready', failure: null });
    expect(tries).toBe(2);
  });

  it('report why conversion failed and can be retried', async () => {
    createBytes = () => {
      throw new RenderError('too-slow');
    };
    const { id } = await uploadAndRender(docx('Light'));
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'failed', failure: 'too-slow' });
    createBytes = () => createPdf('Letter', ['Light']);
    await owner.client.post(`/api/files/${id}/pages/retry`).expect(204);
    await world.testApp.drain();
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'ready', failure: null });
  });

  it('are rejected when external files cannot be blocked', async () => {
    createBytes = () => {
      throw new RenderError('outside');
    };
    const { id } = await uploadAndRender(docx('Light'));
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'failed', failure: 'outside' });
    expect((await getPages(id, '/1').expect(422)).body.message).toMatch(/may load external files/);
  });

  it('are readable without download permission, and the PDF is never exposed', async () => {
    const { id } = await uploadAndRender(docx('Light'));
    await owner.client.patch(`/api/files/${id}`).send({ allowDownload: false, allowText: false }).expect(200);
    await getPages(id, '/1').expect(200);
    await getPages(id, '/1/text').expect(403);
    await member.client.get(`/api/files/${id}/download`).expect(403);
    const whole = createBytes();
    for (const actor of [member, owner]) {
      for (const route of readRoutes) {
        const { body } = await actor.client
          .get(route.replace('{id}', String(id)).replace('{page}', '1').replace('{attachment}', '1'))
          .buffer(true)
          .parse(bytesOf);
        expect({ route, hasIt: (body as Buffer).includes(whole.subarray(0, 60)) }).toEqual({ route, hasIt: false });
      }
    }
  });

  it('are created on request for a text file that may not be downloaded', async () => {
    const { id, mimeType } = await uploadAndRender(Buffer.from('Soft light'), 'notes.csv');
    expect([mimeType, await readPdfKey(id)]).toEqual(['text/plain', undefined]);
    await owner.client.patch(`/api/files/${id}`).send({ allowDownload: false }).expect(200);
    const { body } = await member.client.get(`/api/files/${id}`).expect(200);
    expect(body.can).toMatchObject({ view: true, download: false });
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'waiting' });
    await world.testApp.drain();
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'ready', count: 1 });
    await getPages(id, '/1').expect(200);
    expect(convertedSources.at(-1)).toMatchObject({ extension: 'txt', container: 'text' });
  });

  it('do not exist for fake or empty documents', async () => {
    const before = convertedSources.length;
    const named = await uploadAndRender(Buffer.from([0, 1, 2, 3]), 'letter.docx');
    expect(named.mimeType).toBe('application/octet-stream');
    expect((await getPages(named.id).expect(200)).body).toMatchObject({ state: 'none', failure: null });
    const empty = await uploadAndRender(Buffer.alloc(0), 'letter.txt');
    expect((await getPages(empty.id).expect(200)).body).toMatchObject({ state: 'failed', failure: 'empty' });
    expect(convertedSources).toHaveLength(before);
  });

  it('are deleted with their file and its PDF', async () => {
    const before = await listDerivedObjects();
    const { id } = await uploadAndRender(docx('Light'));
    expect(await listDerivedObjects()).toContain(await readPdfKey(id));
    // Backups contain no objects of this family.
    expect(await readPdfKey(id)).toMatch(/^pages\//);
    await owner.client.delete(`/api/files/${id}`).expect(204);
    await owner.client
      .post(`/api/zones/${zone.id}/trash/purge`)
      .send({ fileIds: [id] })
      .expect(200);
    await world.testApp.drain();
    expect(await listDerivedObjects()).toEqual(before);
  });

  it('are created again for new contents, leaving nothing of the old ones', async () => {
    const before = await listDerivedObjects();
    const { id } = await uploadAndRender(docx('Light'));
    const objects = await listDerivedObjects();
    const key = newObjectKey('files');
    const { object_key: old } = (
      await execute<{ object_key: string }>('select object_key from files where id = ?', [id])
    )[0]!;
    await world.testApp.app.get(Storage).write(key, await world.testApp.app.get(Storage).read(old));
    await execute('update files set object_key = ? where id = ?', [key, id]);
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'waiting' });
    await world.testApp.drain();
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'ready' });
    expect(await listDerivedObjects()).toHaveLength(objects.length);
    expect((await listDerivedObjects()).filter((each) => objects.includes(each))).toEqual(before);
  });

  it('are created again when the PDF is lost, on request and by the weekly job', async () => {
    const { id } = await uploadAndRender(docx('Light'));
    const storage = world.testApp.app.get(Storage);
    await storage.delete((await readPdfKey(id))!);
    // An open document stays open.
    await uploadAndRender(createPdf('One', ['Light']), 'one.pdf');
    await uploadAndRender(createPdf('Two', ['Light']), 'two.pdf');
    expect((await getPages(id, '/1?width=2000').expect(409)).body.code).toBe('DOCUMENT_NOT_READY');
    await world.testApp.drain();
    await getPages(id, '/1?width=2000').expect(200);
    await storage.delete((await readPdfKey(id))!);
    await runWeeklyJob();
    expect(await storage.stat((await readPdfKey(id))!)).not.toBeNull();
    const key = (await readPdfKey(id))!;
    expect(await world.testApp.app.get(FileObjectReferences).findReferenced([key, 'pages/ff/nobody'])).toEqual([key]);
  });
});
