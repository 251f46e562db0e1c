import { readFileSync } from 'node:fs';
import { join as path } from 'node:path';
import { createBackup } from '../../../../src/cli/backup/create-backup.js';
import { FileObjectReferences } from '../../../../src/modules/files/objects/quarantine/file-object-references.js';
import { sweepObjects } from '../../../../src/modules/files/files.jobs.js';
import { RenderingService } from '../../../../src/platform/rendering/rendering.service.js';
import { CronScheduler } from '../../../../src/platform/jobs/cron/cron-scheduler.js';
import { storageErrors } from '../../../../src/platform/storage/storage.errors.js';
import { Storage } from '../../../../src/platform/storage/storage.js';
import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';
import { uploadFile } from '../upload/multipart-helpers.js';
import { createNumberedPages } from './generated/text-pdf.js';

let world: World;
let owner: Actor;
let zone: TestZone;

const execute = <T extends object>(sql: string, params: unknown[] = []) => world.testApp.em().execute<T[]>(sql, params);
const storeAndRender = async (pages: number, zoneId = zone.id) => {
  const { id } = await uploadFile(
    owner.client,
    zoneId,
    uniqueName('document.pdf'),
    createNumberedPages(pages, 'Light'),
  );
  await world.testApp.drain();
  return id as number;
};
const layers = async (id: number) => {
  const rows = await execute<{ layer_key: string }>(
    'select layer_key from file_page_texts where file_id = ? order by page',
    [id],
  );
  return rows.map((row) => row.layer_key);
};
const getText = (id: number, page: number) => owner.client.get(`/api/files/${id}/pages/${page}/text`);
const storage = () => world.testApp.app.get(Storage);
const listObjects = async () => {
  const keys: string[] = [];
  for await (const { key } of storage().list('pages/')) keys.push(key);
  return keys.sort();
};
const runWeeklyJob = async () => {
  const { app, clock } = world.testApp;
  await app.get(CronScheduler).enqueueCronRun(sweepObjects, clock.now());
  await world.testApp.drain();
};

describeInProcess('Stored text of documents', () => {
  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    zone = await createZone(owner);
  });
  afterAll(() => world.close());
  afterEach(() => jest.restoreAllMocks());

  it('is deleted with the file, leaving no objects', async () => {
    const before = await listObjects();
    const id = await storeAndRender(4);
    // Three pages in two widths, and four texts.
    expect(await listObjects()).toHaveLength(before.length + 10);
    await owner.client.delete(`/api/files/${id}`).expect(204);
    const trash = { fileIds: [id] };
    await owner.client.post(`/api/zones/${zone.id}/trash/purge`).send(trash).expect(200);
    await world.testApp.drain();
    expect(await listObjects()).toEqual(before);
    expect(await layers(id)).toEqual([]);
  });

  it('is deleted with a document of 6,000 pages', async () => {
    const id = await storeAndRender(1);
    await execute(
      `insert into file_page_texts (file_id, page, text, layer_key)
       select ?, n, 'text', case when n % 2 = 0 then 'pages/ff/text' || n end from generate_series(2, 6001) n`,
      [id],
    );
    await owner.client.delete(`/api/files/${id}`).expect(204);
    const trash = { fileIds: [id] };
    await owner.client.post(`/api/zones/${zone.id}/trash/purge`).send(trash).expect(200);
    const remove = jest.spyOn(storage(), 'delete');
    await world.testApp.drain();
    const removed = new Set(remove.mock.calls.map(([key]) => key).filter((key) => key.startsWith('pages/ff/text')));
    expect(removed.size).toBe(3000);
  });

  it('is deleted with the zone', async () => {
    await allowUnlimitedZones(world, owner);
    const other = await createZone(owner);
    const before = await listObjects();
    await storeAndRender(2, other.id);
    expect(await listObjects()).toHaveLength(before.length + 6);
    await owner.client.delete(`/api/zones/${other.id}`).expect(204);
    await world.testApp.drain();
    expect(await listObjects()).toEqual(before);
  });

  it('references its objects until deletion so that they are not seen as orphans', async () => {
    const keys = await layers(await storeAndRender(2));
    const named = await world.testApp.app.get(FileObjectReferences).findReferenced([...keys, 'pages/00/nobody']);
    expect(named.sort()).toEqual([...keys].sort());
  });

  it('is extracted again by the weekly job when lost or never queued', async () => {
    const id = await storeAndRender(3);
    const early = await storeAndRender(2);
    await execute('delete from file_page_texts where file_id = ?', [early]);
    await execute(`update file_documents set texts = 'none' where file_id = ?`, [early]);
    const [, lostLayer] = await layers(id);
    await storage().delete(lostLayer!);
    await runWeeklyJob();
    const layersAfter = await layers(id);
    expect(layersAfter).toHaveLength(3);
    expect(layersAfter[1]).not.toBe(lostLayer);
    for (const key of [...layersAfter, ...(await layers(early))]) expect(await storage().stat(key)).not.toBeNull();
    expect(await layers(early)).toHaveLength(2);
  });

  it('is extracted again on request when lost, but not while the storage is unavailable', async () => {
    const id = await storeAndRender(2);
    const [, lostLayer] = await layers(id);
    await storage().delete(lostLayer!);
    expect((await getText(id, 2).expect(200)).body.words).toHaveLength(2);
    const [, layersAfter] = await layers(id);
    expect(layersAfter).not.toBe(lostLayer);
    const away = () => Promise.reject(storageErrors.STORAGE_UNAVAILABLE());
    jest.spyOn(storage(), 'read').mockImplementation(away);
    jest.spyOn(storage(), 'stat').mockImplementation(away);
    expect((await getText(id, 2).expect(503)).body.code).toBe('STORAGE_UNAVAILABLE');
    expect((await layers(id))[1]).toBe(layersAfter);
  });

  it('is extracted again for new contents, and the old text is deleted', async () => {
    const id = await storeAndRender(2);
    const old = await layers(id);
    const before = await listObjects();
    await execute(`update file_documents set content_key = 'files/00/other' where file_id = ?`, [id]);
    await owner.client.get(`/api/files/${id}/pages`).expect(200);
    await world.testApp.drain();
    const repeated = await layers(id);
    expect(repeated).toHaveLength(2);
    expect(repeated.filter((key) => old.includes(key))).toEqual([]);
    expect(await listObjects()).toHaveLength(before.length);
  });

  it('is stored once when extracted concurrently', async () => {
    const id = await storeAndRender(2);
    await execute('delete from file_page_texts where file_id = ?', [id]);
    const before = await listObjects();
    const rendering = world.testApp.app.get(RenderingService);
    const original = rendering.extractText.bind(rendering);
    jest.spyOn(rendering, 'extractText').mockImplementation(async (source, page) => {
      // Simulates another process that was faster.
      await execute(`insert into file_page_texts (file_id, page, text) values (?, ?, 'other') on conflict do nothing`, [
        id,
        page,
      ]);
      return original(source, page);
    });
    expect((await getText(id, 1).expect(200)).body).toEqual({ words: [], links: [] });
    expect(await listObjects()).toEqual(before);
  });

  it('is not stored when the file has other contents in the meantime', async () => {
    const id = await storeAndRender(2);
    await execute('delete from file_page_texts where file_id = ?', [id]);
    const before = await listObjects();
    const rendering = world.testApp.app.get(RenderingService);
    const original = rendering.extractText.bind(rendering);
    jest.spyOn(rendering, 'extractText').mockImplementation(async (source, page) => {
      await execute(`update file_documents set content_key = 'files/00/other' where file_id = ?`, [id]);
      return original(source, page);
    });
    expect((await getText(id, 1).expect(409)).body.code).toBe('DOCUMENT_NOT_READY');
    expect(await layers(id)).toEqual([]);
    expect(await listObjects()).toEqual(before);
  });

  it('is backed up as plain text, without the word positions', async () => {
    await storeAndRender(1);
    const to = path(world.testApp.config.dataDir, 'texts.tar');
    const { config, connection } = world.testApp;
    await createBackup(config, connection, to);
    expect(readFileSync(to).toString('latin1')).not.toMatch(/objects\/pages\//);
  });
});
