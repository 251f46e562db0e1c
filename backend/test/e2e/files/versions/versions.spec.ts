import type { IncomingMessage } from 'node:http';
import { RequestContext } from '@mikro-orm/core';
import { createPdf } from '../../../../src/cli/seed/demo-files.js';
import { expireVersions } from '../../../../src/modules/files/files.jobs.js';
import { PageRenderingService } from '../../../../src/modules/files/pages/page-rendering.service.js';
import { DAY } from '../../../../src/platform/clock/clock.js';
import { CronScheduler } from '../../../../src/platform/jobs/cron/cron-scheduler.js';
import { RenderingService } from '../../../../src/platform/rendering/rendering.service.js';
import { Storage } from '../../../../src/platform/storage/storage.js';
import { createZone, joinPublicZone, registerUser, uniqueName, type Actor } from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';
import { FilesZone } from '../files-zone.js';
import { postUpload, sendChunk } from '../upload/files-tus.js';
import { buildMultipart, PNG } from '../upload/multipart-helpers.js';
import { exactly, listVersions, readBytes, replaceFile } from './version-helpers.js';

let world: World;
let here: FilesZone;
let member: Actor;

const execute = <T extends object>(sql: string, params: unknown[] = []) => world.testApp.em().execute<T[]>(sql, params);
const download = async (id: number, { client } = here.owner) =>
  String((await client.get(`/api/files/${id}/download`).buffer(true).expect(200)).text);
const listActivity = async () => {
  const { body } = await here.owner.client.get('/api/dashboard/activity').expect(200);
  return (body as { type: string }[]).map(({ type }) => type);
};
const codeOf = async (response: ReturnType<typeof replaceFile>, status: number) =>
  (await response.expect(status)).body.code as string;

beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  here = await FilesZone.open(world);
  member = await registerUser(world);
  await joinPublicZone(here.zone, member);
});
afterAll(() => world.close());

describeInProcess('Replacing a file', () => {
  it('keeps its id, name, place, permissions and figures, also in mirrors', async () => {
    await allowUnlimitedZones(world, here.owner);
    const target = await createZone(here.owner);
    const reader = await registerUser(world);
    await joinPublicZone(target, reader);
    const folderId = await here.createFolder('Papers');
    const { id } = await here.uploadFile('plan.txt', folderId, 'first');
    const mirror = { sourceFolderId: folderId, targetZoneId: target.id, targetFolderName: 'Mirror' };
    await here.post('folder-mirrors', mirror).expect(201);
    await here.owner.client.patch(`/api/files/${id}`).send({ allowText: false }).expect(200);
    await download(id, member);
    const before = (await here.owner.client.get(`/api/files/${id}`).expect(200)).body;
    expect(before).toMatchObject({ version: 1, contentUpdatedAt: before.createdAt, can: { replace: true } });
    world.testApp.clock.advance(1000);
    const { body } = await replaceFile(here.owner.client, id, 'other name.txt', 'second').expect(201);
    expect(body).toEqual({
      ...before,
      size: 6,
      version: 2,
      contentUpdatedAt: expect.any(String),
      updatedAt: body.contentUpdatedAt,
    });
    expect(new Date(body.contentUpdatedAt).getTime()).toBeGreaterThanOrEqual(
      new Date(before.createdAt).getTime() + 1000,
    );
    expect(await download(id, member)).toBe('second');
    expect(await download(id, reader)).toBe('second');
    expect(await listVersions(here.owner.client, id)).toMatchObject([
      { number: 2, isCurrent: true, size: 6, name: 'plan.txt', replacedAt: null, viewable: true },
      {
        number: 1,
        isCurrent: false,
        size: 5,
        uploadedBy: expect.stringContaining('Ada'),
        replacedAt: body.contentUpdatedAt,
      },
    ]);
    expect(await readBytes(world, here)).toEqual(exactly(11));
    expect(await listActivity()).toContain('file.replaced');
  });

  it('lists versions in pages', async () => {
    const { id } = await here.uploadFile('a.txt', undefined, '1');
    for (const body of ['2', '3']) await replaceFile(here.owner.client, id, 'a.txt', body).expect(201);
    const first = await here.owner.client.get(`/api/files/${id}/versions?limit=2`).expect(200);
    expect(first.body.map(({ number }: { number: number }) => number)).toEqual([3, 2]);
    expect(first.headers['x-total-count']).toBe('3');
    const next = /<([^>]+)>/.exec(String(first.headers.link))![1]!;
    expect((await here.owner.client.get(next).expect(200)).body).toMatchObject([{ number: 1 }]);
  });

  it('is refused if somebody else replaced the file meanwhile', async () => {
    const { id } = await here.uploadFile('a.txt', undefined, 'first');
    await replaceFile(here.owner.client, id, 'a.txt', 'second', 1).expect(201);
    expect(await codeOf(replaceFile(here.owner.client, id, 'a.txt', 'third', 1), 409)).toBe('FILE_CHANGED');
    expect(await codeOf(replaceFile(here.owner.client, id, 'a.txt', 'third', 'x'), 400)).toBe('VALIDATION_FAILED');
    expect(await download(id)).toBe('second');
    await world.testApp.drain();
    expect(await readBytes(world, here)).toEqual(exactly(11));
  });

  it('needs a file of the same extension or type', async () => {
    const { id } = await here.uploadFile('photo.png', undefined, PNG);
    expect(await codeOf(replaceFile(here.owner.client, id, 'photo.txt', 'text'), 409)).toBe('FILE_TYPE_DIFFERS');
    await replaceFile(here.owner.client, id, 'picture.PNG', PNG).expect(201);
    await replaceFile(here.owner.client, id, 'without extension', PNG).expect(201);
    expect((await listVersions(here.owner.client, id)).map(({ name }) => name)).toEqual(
      Array.from({ length: 3 }, () => 'photo.png'),
    );
  });

  it.each([
    ['no file', [], 'NO_FILES'],
    ['two files', ['1', '2'].map((body) => ({ field: 'file', name: 'a.txt', body })), 'TOO_MANY_FILES'],
    ['another field', [{ field: 'files', name: 'a.txt', body: 'x' }], 'VALIDATION_FAILED'],
  ])('changes nothing for a form with %s', async (_case, parts, code) => {
    const { id } = await here.uploadFile('a.txt', undefined, 'first');
    const { type, body } = buildMultipart(...parts);
    const response = here.owner.client.post(`/api/files/${id}/versions`).set('Content-Type', type).send(body);
    expect((await response.expect(400)).body.code).toBe(code);
    await world.testApp.drain();
    expect(await readBytes(world, here)).toEqual(exactly(5));
  });

  it('is refused to members and through a mirror', async () => {
    await allowUnlimitedZones(world, here.owner);
    const target = await createZone(here.owner);
    const folderId = await here.createFolder('Papers');
    const { id } = await here.uploadFile('a.txt', folderId, 'first');
    const mirror = { sourceFolderId: folderId, targetZoneId: target.id, targetFolderName: 'Mirror' };
    await here.post('folder-mirrors', mirror).expect(201);
    expect(await codeOf(replaceFile(member.client, id, 'a.txt', 'x'), 403)).toBe('ZONE_FORBIDDEN');
    await member.client.get(`/api/files/${id}/versions`).expect(403);
    const admin = await registerUser(world);
    await joinPublicZone(target, admin);
    await execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [target.id, admin.id]);
    expect(await codeOf(replaceFile(admin.client, id, 'a.txt', 'x'), 409)).toBe('MIRROR_READ_ONLY');
    expect((await admin.client.get(`/api/files/${id}/versions`).expect(409)).body.code).toBe('MIRROR_READ_ONLY');
  });

  it('counts all versions in the plan', async () => {
    const { id } = await here.uploadFile('a.bin', undefined, Buffer.alloc(600));
    await execute(`update usage set allowed = 1000 where owner_id = ? and metric = 'bytes'`, [here.owner.id]);
    const { body } = await replaceFile(here.owner.client, id, 'a.bin', Buffer.alloc(600)).expect(403);
    expect(body).toMatchObject({ code: 'PLAN_LIMIT', planLimit: true, limit: 'bytes' });
    await execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [
      here.zone.id,
      member.id,
    ]);
    expect(await codeOf(replaceFile(member.client, id, 'a.bin', Buffer.alloc(600)), 403)).toBe('ZONE_FULL');
    await world.testApp.drain();
    expect(await readBytes(world, here)).toEqual(exactly(600));
    await replaceFile(here.owner.client, id, 'a.bin', Buffer.alloc(400)).expect(201);
    expect(await readBytes(world, here)).toEqual(exactly(1000));
  });

  it('numbers 20 concurrent replacements without gaps and counts each', async () => {
    const { id } = await here.uploadFile('a.txt', undefined, '00');
    const bodies = Array.from({ length: 20 }, (_, index) => String(index + 10));
    await Promise.all(bodies.map((body) => replaceFile(here.owner.client, id, 'a.txt', body).expect(201)));
    const versions = await listVersions(here.owner.client, id);
    expect(versions.map(({ number }) => number)).toEqual(Array.from({ length: 21 }, (_, index) => 21 - index));
    expect(await readBytes(world, here)).toEqual(exactly(42));
    expect(bodies).toContain(await download(id));
  });

  it('lets a download in progress end with the old bytes', async () => {
    const [old, replacement] = [Buffer.alloc(8 * 2 ** 20, 1), Buffer.alloc(2 ** 20, 2)];
    const { id } = await here.uploadFile('a.bin', undefined, old);
    const replaced = Promise.withResolvers<void>();
    const received: Buffer[] = [];
    const reading = here.owner.client
      .get(`/api/files/${id}/download`)
      .buffer(true)
      .parse((parsed, done) => {
        const response = parsed as unknown as IncomingMessage;
        response.once('data', (chunk: Buffer) => {
          received.push(chunk);
          response.pause();
          response.on('data', (more: Buffer) => received.push(more));
          void replaced.promise.then(() => response.resume());
          replaceFile(here.owner.client, id, 'a.bin', replacement)
            .expect(201)
            .then(
              () => replaced.resolve(),
              (error: unknown) => replaced.reject(error),
            );
        });
        response.on('end', () => done(null, null));
      });
    await reading.expect(200);
    await replaced.promise;
    expect(Buffer.concat(received).equals(old)).toBe(true);
    const { body } = await here.owner.client.get(`/api/files/${id}/download`).buffer(true).expect(200);
    expect((body as Buffer).equals(replacement)).toBe(true);
  });
});

describeInProcess('Pictures of a replaced file', () => {
  const listRendered = async () => {
    const keys: string[] = [];
    for (const family of ['pages/', 'thumbnails/'])
      for await (const { key } of world.testApp.app.get(Storage).list(family)) keys.push(key);
    return keys.sort();
  };
  const countRows = async (id: number) =>
    (
      await execute(
        `select (select count(*)::int from file_pages where file_id = $1) as pages,
          (select count(*)::int from file_thumbnails where file_id = $1) as thumbnails,
          (select string_agg(text, ' ') from file_page_texts where file_id = $1) as text`.replaceAll('$1', String(id)),
      )
    )[0];

  it('are deleted at once and generated again', async () => {
    const others = await listRendered();
    const { id } = await here.uploadFile('letter.pdf', undefined, createPdf('Letter', ['Soft light']));
    await world.testApp.drain();
    const before = await listRendered();
    expect(await countRows(id)).toMatchObject({ pages: 2, thumbnails: 1, text: expect.stringContaining('Soft light') });
    await replaceFile(here.owner.client, id, 'letter.pdf', createPdf('Letter', ['Hard light'])).expect(201);
    expect(await countRows(id)).toEqual({ pages: 0, thumbnails: 0, text: null });
    await world.testApp.drain();
    expect(await countRows(id)).toMatchObject({ pages: 2, thumbnails: 1, text: expect.stringContaining('Hard light') });
    const after = await listRendered();
    expect(after).toHaveLength(before.length);
    expect(after.filter((key) => before.includes(key))).toEqual(others);
  });

  it('never show a content from which they were not drawn', async () => {
    const { id } = await here.uploadFile('letter.pdf', undefined, createPdf('Letter', ['Soft light']));
    const rendering = world.testApp.app.get(RenderingService);
    const renderPage = rendering.renderPage.bind(rendering);
    // The file is replaced after its page was drawn and before it is stored.
    const slow = jest.spyOn(rendering, 'renderPage').mockImplementationOnce(async (...args) => {
      const pages = await renderPage(...args);
      await replaceFile(here.owner.client, id, 'letter.pdf', createPdf('Letter', ['Hard light'])).expect(201);
      return pages;
    });
    const before = await listRendered();
    const job = { signal: new AbortController().signal, isLastAttempt: false } as never;
    await RequestContext.create(world.testApp.em(), () =>
      world.testApp.app.get(PageRenderingService).renderFirstPages({ fileId: id }, job),
    );
    slow.mockRestore();
    expect(await countRows(id)).toEqual({ pages: 0, thumbnails: 0, text: null });
    expect(await listRendered()).toEqual(before);
    await world.testApp.drain();
    expect(await countRows(id)).toMatchObject({ pages: 2, thumbnails: 1, text: expect.stringContaining('Hard light') });
  });
});

describeInProcess('Earlier versions', () => {
  let id: number;
  const version = (number: number | string, what = '') => `/api/files/${id}/versions/${number}${what}`;

  beforeEach(async () => {
    ({ id } = await here.uploadFile('a.txt', undefined, 'first'));
    await replaceFile(here.owner.client, id, 'a.txt', 'second').expect(201);
  });

  it('are viewed and downloaded by people who manage the file, and not counted', async () => {
    const { text, headers } = await here.owner.client.get(version(1, '/view')).expect(200);
    expect(text).toBe('first');
    expect(headers).toMatchObject({
      'content-disposition': expect.stringMatching(/^inline; filename="a\.txt"/),
      'content-security-policy': expect.stringContaining('sandbox'),
      'cache-control': 'private, no-cache',
    });
    const part = await here.owner.client.get(version(1, '/download')).set('Range', 'bytes=1-2').expect(206);
    expect(part.headers).toMatchObject({ 'content-range': 'bytes 1-2/5', etag: headers.etag });
    await here.owner.client.get(version(1, '/view')).set('If-None-Match', headers.etag!).expect(304);
    expect((await here.owner.client.get(version(2, '/view')).expect(200)).text).toBe('second');
    for (const number of [0, 3, 'x', '9999999999'])
      expect((await here.owner.client.get(version(number, '/view')).expect(404)).body.code).toBe('VERSION_NOT_FOUND');
    for (const what of ['/view', '/download'])
      expect((await member.client.get(version(1, what)).expect(403)).body.code).toBe('ZONE_FORBIDDEN');
    const { body } = await here.owner.client.get(`/api/files/${id}`).expect(200);
    expect(body).toMatchObject({ viewCount: 0, downloadCount: 0 });
  });

  it('are restored as a new version, so that none is lost', async () => {
    expect((await member.client.post(version(1, '/restore')).expect(403)).body.code).toBe('ZONE_FORBIDDEN');
    const { body } = await here.owner.client.post(version(1, '/restore')).expect(201);
    expect(body).toMatchObject({ id, version: 3, size: 5, mimeType: 'text/plain' });
    expect(await download(id)).toBe('first');
    expect((await listVersions(here.owner.client, id)).map(({ number }) => number)).toEqual([3, 2, 1]);
    expect(await readBytes(world, here)).toEqual(exactly(16));
    expect((await here.owner.client.post(version(3, '/restore')).expect(409)).body.code).toBe('VERSION_IS_CURRENT');
    expect((await here.owner.client.post(version(9, '/restore')).expect(404)).body.code).toBe('VERSION_NOT_FOUND');
    expect(await listActivity()).toContain('file.version_restored');
  });

  it('are restored only if their bytes are whole', async () => {
    const [row] = await execute<{ object_key: string }>('select object_key from file_versions where file_id = ?', [id]);
    await execute(`update file_versions set sha256 = repeat('0', 64) where file_id = ?`, [id]);
    await here.owner.client.post(version(1, '/restore')).expect(503);
    await world.testApp.app.get(Storage).delete(row!.object_key);
    await here.owner.client.post(version(1, '/restore')).expect(503);
    await world.testApp.drain();
    expect(await download(id)).toBe('second');
    expect(await readBytes(world, here)).toEqual(exactly(11));
  });

  it('are deleted with their objects, and their numbers are not used again', async () => {
    const [row] = await execute<{ object_key: string }>('select object_key from file_versions where file_id = ?', [id]);
    await member.client.delete(version(1)).expect(403);
    expect((await here.owner.client.delete(version(2)).expect(409)).body.code).toBe('VERSION_IS_CURRENT');
    await here.owner.client.delete(version(1)).expect(204);
    expect(await listActivity()).toContain('file.version_deleted');
    expect((await here.owner.client.delete(version(1)).expect(404)).body.code).toBe('VERSION_NOT_FOUND');
    expect(await readBytes(world, here)).toEqual(exactly(6));
    await world.testApp.drain();
    expect(await world.testApp.app.get(Storage).stat(row!.object_key)).toBeNull();
    await replaceFile(here.owner.client, id, 'a.txt', 'third').expect(201);
    expect((await listVersions(here.owner.client, id)).map(({ number }) => number)).toEqual([3, 2]);
  });

  it('are exact when they are replaced, restored and deleted at once', async () => {
    const { client } = here.owner;
    for (const body of ['3', '4', '5']) await replaceFile(client, id, 'a.txt', body).expect(201);
    await Promise.all([
      ...Array.from({ length: 6 }, () => replaceFile(client, id, 'a.txt', 'x').expect(201)),
      ...[3, 4].map((number) => client.post(version(number, '/restore')).expect(201)),
      ...[1, 1, 2].map((number) => client.delete(version(number))),
    ]);
    const versions = await listVersions(client, id);
    expect(versions.map(({ number }) => number)).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    expect(await readBytes(world, here)).toEqual(exactly(versions.reduce((sum, { size }) => sum + size, 0)));
  });
});

describeInProcess('Kept versions', () => {
  const runExpiry = async () => {
    const { app, clock } = world.testApp;
    clock.advance(DAY);
    expect(await app.get(CronScheduler).enqueueCronRun(expireVersions, clock.now())).toBe(true);
    await world.testApp.drain();
  };
  const update = (changes: object) => here.owner.client.patch(`/api/zones/${here.zone.id}`).send(changes);
  const createVersions = async (count: number) => {
    const { id } = await here.uploadFile(`${uniqueName('a')}.txt`, undefined, '1');
    for (let number = 2; number <= count; number++)
      await replaceFile(here.owner.client, id, 'a.txt', String(number), number - 1).expect(201);
    return id;
  };
  const numbersOf = async (id: number) => (await listVersions(here.owner.client, id)).map(({ number }) => number);

  it('are a setting of the zone', async () => {
    const { body } = await here.owner.client.get(`/api/zones/${here.zone.id}`).expect(200);
    expect(body).toMatchObject({ versionsKept: 10, versionsDays: null });
    const changed = await update({ versionsKept: 0, versionsDays: 30, version: body.version }).expect(200);
    expect(changed.body).toMatchObject({ versionsKept: 0, versionsDays: 30, version: body.version + 1 });
    expect((await update({ name: 'Other' }).expect(200)).body).toMatchObject({ versionsKept: 0, versionsDays: 30 });
    expect((await update({ versionsDays: null }).expect(200)).body).toMatchObject({ versionsDays: null });
    for (const wrong of [{ versionsKept: 101 }, { versionsKept: -1 }, { versionsKept: null }, { versionsDays: 0 }])
      await update(wrong).expect(400);
    await update({ versionsDays: 3651 }).expect(400);
    await member.client.patch(`/api/zones/${here.zone.id}`).send({ versionsKept: 5 }).expect(403);
  });

  it('are limited by number, the oldest going first and the current one never', async () => {
    const [id, trashed] = [await createVersions(5), await createVersions(3)];
    await here.deleteItem('files', trashed);
    await update({ versionsKept: 2 }).expect(200);
    await runExpiry();
    expect(await numbersOf(id)).toEqual([5, 4, 3]);
    expect(await readBytes(world, here)).toEqual(exactly(6));
    await execute('update zones set versions_kept = 0 where id = ?', [here.zone.id]);
    await runExpiry();
    expect(await numbersOf(id)).toEqual([5]);
    // Versions in the trash go with their file.
    expect(await readBytes(world, here)).toEqual(exactly(4));
  });

  it('are limited by the days since they were replaced', async () => {
    const id = await createVersions(3);
    await update({ versionsDays: 3 }).expect(200);
    await runExpiry();
    expect(await numbersOf(id)).toEqual([3, 2, 1]);
    await execute(
      `update file_versions set created_at = created_at - interval '5 days' where file_id = ? and number = 1`,
      [id],
    );
    await runExpiry();
    expect(await numbersOf(id)).toEqual([3, 2]);
    world.testApp.clock.advance(DAY);
    await runExpiry();
    expect(await numbersOf(id)).toEqual([3]);
    expect(await readBytes(world, here)).toEqual(exactly(1));
  });
});

describeInProcess('Resumable replacements', () => {
  let id: number;
  beforeEach(async () => {
    ({ id } = await here.uploadFile('a.txt', await here.createFolder('Papers'), 'first'));
  });
  const begin = (metadata: object, name = 'a.txt', { client } = here.owner) =>
    postUpload(client, here.zone, name, 6, { replaces: id, ...metadata });

  it('replace the file when they end', async () => {
    const { client } = here.owner;
    const { headers } = await begin({ ifVersion: 1 }).expect(201);
    const address = String(headers.location);
    await sendChunk(client, address, 0, 'sec').expect(204);
    expect((await client.get('/api/uploads').expect(200)).body).toMatchObject([{ replaces: id, fileId: null }]);
    expect(await download(id)).toBe('first');
    const last = await sendChunk(client, address, 3, 'ond').expect(204);
    expect(last.headers['x-file-id']).toBe(String(id));
    expect(await download(id)).toBe('second');
    expect((await listVersions(client, id)).map(({ number }) => number)).toEqual([2, 1]);
    await world.testApp.drain();
    expect(await readBytes(world, here)).toEqual(exactly(11));
  });

  it.each([
    ['FILE_CHANGED', 409, () => replaceFile(here.owner.client, id, 'a.txt', 'other').expect(201)],
    ['FILE_NOT_FOUND', 404, () => here.deleteItem('files', id)],
  ])('end with %s if that happened meanwhile, and release their bytes', async (code, status, happen) => {
    const { headers } = await begin({ ifVersion: 1 }).expect(201);
    await happen();
    const response = await sendChunk(here.owner.client, String(headers.location), 0, 'second').expect(status);
    expect(response.body.code).toBe(code);
    await world.testApp.drain();
    const { stored } = await readBytes(world, here);
    expect(await readBytes(world, here)).toEqual(exactly(stored));
  });

  it('are refused for another type, an unknown file, through a mirror and to members', async () => {
    const { headers } = await begin({}, 'a.pdf').expect(201);
    const pdf = await sendChunk(here.owner.client, String(headers.location), 0, '%PDF-1').expect(409);
    expect(pdf.body.code).toBe('FILE_TYPE_DIFFERS');
    expect((await begin({ replaces: 999_999_999 }).expect(404)).body.code).toBe('FILE_NOT_FOUND');
    expect((await begin({ replaces: 'x' }).expect(400)).body.code).toBe('VALIDATION_FAILED');
    expect((await begin({}, 'a.txt', member).expect(403)).body.code).toBe('ZONE_FORBIDDEN');
    await allowUnlimitedZones(world, here.owner);
    const target = await createZone(here.owner);
    const { body: file } = await here.owner.client.get(`/api/files/${id}`).expect(200);
    const mirror = { sourceFolderId: file.folderId, targetZoneId: target.id, targetFolderName: 'Mirror' };
    await here.post('folder-mirrors', mirror).expect(201);
    const mirrored = await postUpload(here.owner.client, target, 'a.txt', 6, { replaces: id }).expect(409);
    expect(mirrored.body.code).toBe('MIRROR_READ_ONLY');
    await world.testApp.drain();
    expect(await readBytes(world, here)).toEqual(exactly(5));
  });
});
