import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createZone,
  joinPublicZone,
  registerUser,
  registerUsers,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { joinAsRestrictedUser } from '../../../support/people/restricted-user.js';
import { describeInProcess, World, type Client } from '../../../support/world.js';
import { readZip } from '../../../support/zip.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';
import { parseBytes } from '../reading/archive-helpers.js';
import { createTextPdf, textLines } from '../rendering/generated/text-pdf.js';
import { createUpload, postUpload, requestOffset, sendChunk } from '../upload/files-tus.js';
import { createFolder, postFiles, uploadFile } from '../upload/multipart-helpers.js';
import { replaceFile } from '../versions/version-helpers.js';

const MB = 2 ** 20;
const OPENAPI = join(import.meta.dirname, '../../../../../openapi.json');

describeInProcess('File requests', () => {
  let world: World;
  let zone: TestZone;
  let [owner, admin, sender, peer]: Actor[] = [];

  beforeAll(async () => {
    world = await World.open();
    [owner, admin] = await registerUsers(world, 2);
    sender = await registerUser(world, { firstName: 'Sena', lastName: 'Kaya' });
    peer = await registerUser(world, { firstName: 'Berk', lastName: 'Ak' });
    zone = await createZone(owner!);
    for (const actor of [admin!, sender, peer]) await joinPublicZone(zone, actor);
    await execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [zone.id, admin!.id]);
    await allowUnlimitedZones(world, owner!);
  });
  afterAll(() => world.close());

  const execute = <T extends object = object>(sql: string, params: unknown[] = []) =>
    world.testApp.em().execute<T[]>(sql, params);
  const save = (client: Client, folderId: number, terms: object) =>
    client.put(`/api/folders/${folderId}/file-request`).send({ isPrivate: false, ...terms });
  const requestFiles = async (terms: object = {}) => {
    const folderId = await createFolder(owner!.client, zone.id, uniqueName('request'));
    await save(owner!.client, folderId, terms).expect(200);
    return folderId;
  };
  const send = ({ client }: Actor, folderId: number, name: string, body: Buffer | string = 'sent') =>
    postFiles(client, zone.id, [{ name, body }], `?folderId=${folderId}`);
  const sendFile = async (actor: Actor, folderId: number, name: string, body?: Buffer | string) =>
    (await send(actor, folderId, name, body).expect(201)).body[0] as { id: number; name: string };
  const readFolder = async ({ client }: Actor, id: number) => (await client.get(`/api/folders/${id}`).expect(200)).body;
  const listNames = async ({ client }: Actor, folderId: number) => {
    const { body, headers } = await client.get(`/api/zones/${zone.id}/files?folderId=${folderId}`).expect(200);
    expect(headers['x-total-count']).toBe(String(body.length));
    return (body as { name: string }[]).map(({ name }) => name);
  };
  const close = (folderId: number) =>
    execute(`update file_requests set closes_at = clock_timestamp() where folder_id = ?`, [folderId]);
  const readUsage = async () => {
    const [row] = await execute<{ used: string; reserved: string }>(
      `select used, reserved from usage where owner_id = ? and metric = 'bytes'`,
      [owner!.id],
    );
    return { used: Number(row?.used ?? 0), reserved: Number(row?.reserved ?? 0) };
  };

  it('are saved, listed and stopped only by those who manage the zone', async () => {
    const outsider = await registerUser(world);
    const people = [owner!, admin!, sender!, outsider].map(({ client }) => client).concat(world.createClient());
    const statusesOf = async (call: (client: Client) => Promise<{ status: number }>) => {
      const statuses = [];
      for (const client of people) statuses.push((await call(client)).status);
      return statuses;
    };
    const folderId = await requestFiles();
    expect(await statusesOf(async (c) => save(c, folderId, {}))).toEqual([200, 200, 403, 404, 401]);
    const submissions = `/api/folders/${folderId}/file-request/submissions`;
    expect(await statusesOf(async (c) => c.get(submissions))).toEqual([200, 200, 403, 404, 401]);
    expect(
      await statusesOf(async (c) =>
        postFiles(c, zone.id, [{ name: uniqueName('f'), body: 'x' }], `?folderId=${folderId}`),
      ),
    ).toEqual([201, 201, 201, 404, 401]);
    expect(await statusesOf(async (c) => c.delete(`/api/folders/${await requestFiles()}/file-request`))).toEqual([
      204, 204, 403, 404, 401,
    ]);
    const own = async () => (await sendFile(sender!, folderId, uniqueName('own'))).id;
    expect(await statusesOf(async (c) => c.delete(`/api/files/${await own()}`))).toEqual([204, 204, 204, 404, 401]);
    const restricted = await joinAsRestrictedUser(world, zone);
    const { body } = await postFiles(restricted, zone.id, [{ name: 'x', body: 'x' }], `?folderId=${folderId}`);
    expect(body.code).toBe('PROFILE_INCOMPLETE');
  });

  it('belong to a folder of the zone and are shown with it', async () => {
    const folderId = await createFolder(owner!.client, zone.id, uniqueName('request'));
    expect((await readFolder(sender!, folderId)).fileRequest).toBeNull();
    expect((await send(sender!, folderId, 'x').expect(403)).body.code).toBe('ZONE_FORBIDDEN');
    const terms = {
      instructions: 'Your essay, as a PDF',
      closesAt: new Date(Date.now() + 86_400_000).toISOString(),
      isPrivate: true,
      maxFilesPerPerson: 2,
      maxFileBytes: 1000,
    };
    await save(owner!.client, folderId, { ...terms, instructions: ` ${terms.instructions} ` }).expect(200);
    expect((await readFolder(owner!, folderId)).fileRequest).toEqual({
      ...terms,
      isOpen: true,
      sentFiles: 0,
      canSend: false,
    });
    await sendFile(sender!, folderId, 'essay.pdf');
    const listed = (await sender!.client.get(`/api/zones/${zone.id}/folders`).expect(200)).body as { id: number }[];
    expect(listed.find(({ id }) => id === folderId)).toMatchObject({
      fileCount: 1,
      fileRequest: { ...terms, isOpen: true, sentFiles: 1, canSend: true },
      can: { upload: false },
    });
    await save(owner!.client, folderId, {}).expect(200);
    expect((await readFolder(peer!, folderId)).fileRequest).toMatchObject({
      instructions: null,
      closesAt: null,
      maxFilesPerPerson: null,
      maxFileBytes: null,
      isPrivate: false,
    });
    for (const wrong of [{ isPrivate: 'yes' }, { maxFilesPerPerson: 0 }, { maxFileBytes: 0 }, { closesAt: 'soon' }])
      await save(owner!.client, folderId, wrong).expect(400);
    await owner!.client.delete(`/api/folders/${folderId}/file-request`).expect(204);
    expect((await readFolder(sender!, folderId)).fileRequest).toBeNull();
    const { body } = await owner!.client.delete(`/api/folders/${folderId}/file-request`).expect(404);
    expect(body.code).toBe('FILE_REQUEST_NOT_FOUND');
  });

  it('keep both files of a name and let senders change only their own', async () => {
    const folderId = await requestFiles();
    const existing = await uploadFile(owner!.client, zone.id, 'a.txt', 'theirs', `?folderId=${folderId}`);
    const { body } = await postFiles(
      sender!.client,
      zone.id,
      [{ name: 'a.txt', body: 'mine' }],
      `?folderId=${folderId}&onConflict=replace`,
    ).expect(201);
    expect(body[0]).toMatchObject({
      name: 'a (1).txt',
      can: { delete: true, rename: false, replace: false, move: false, allowDownload: false, share: false },
    });
    expect((await owner!.client.get(`/api/files/${existing.id}/view`).expect(200)).text).toBe('theirs');
    const replaces = { folderId, replaces: existing.id };
    expect((await postUpload(sender!.client, zone, 'a.txt', 4, replaces).expect(403)).body.code).toBe('ZONE_FORBIDDEN');
    const own = body[0].id as number;
    await sender!.client.patch(`/api/files/${own}/rename`).send({ originalName: 'b' }).expect(403);
    await sender!.client.post(`/api/zones/${zone.id}/folders`).send({ name: 'x', parentId: folderId }).expect(403);
    await peer!.client.delete(`/api/files/${own}`).expect(403);
    await sender!.client.delete(`/api/files/${existing.id}`).expect(403);
    await sender!.client.delete(`/api/files/${own}`).expect(204);
    expect(await listNames(peer!, folderId)).toEqual(['a.txt']);
  });

  it('take exactly as many files per person as they allow, also of 50 parallel uploads', async () => {
    const folderId = await requestFiles({ maxFilesPerPerson: 7 });
    const before = await readUsage();
    const responses = await Promise.all(Array.from({ length: 50 }, (_, n) => send(sender!, folderId, `f${n % 3}`)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(7);
    const rejected = responses.filter(({ status }) => status !== 201);
    expect(new Set(rejected.map(({ status, body }) => `${status} ${body.code} ${body.message}`))).toEqual(
      new Set(['403 FILE_REQUEST_LIMIT You can send at most 7 files here.']),
    );
    expect(await listNames(owner!, folderId)).toHaveLength(7);
    expect(await readUsage()).toEqual({ used: before.used + 7 * 4, reserved: 0 });
    expect((await readFolder(sender!, folderId)).fileRequest).toMatchObject({ sentFiles: 7, canSend: false });
    await sendFile(peer!, folderId, 'f0');
    const three = ['x', 'y', 'z'].map((name) => ({ name, body: 'x' }));
    const [first] = (await sender!.client.get(`/api/zones/${zone.id}/files?folderId=${folderId}`)).body;
    await sender!.client.delete(`/api/files/${first.id}`).expect(204);
    await postFiles(sender!.client, zone.id, three, `?folderId=${folderId}`).expect(403);
    await sendFile(sender!, folderId, 'instead');
  });

  it('answer a repeated request after the limit is reached', async () => {
    const folderId = await requestFiles({ maxFilesPerPerson: 1 });
    const key = '8b1f7c7e-5d5a-4b2c-9d4e-0f6a7b8c9d0e';
    const post = () => send(sender!, folderId, 'once.txt').set('Idempotency-Key', key);
    const { body } = await post().expect(201);
    expect((await post().expect(201)).body[0].id).toBe(body[0].id);
  });

  it('close at their deadline, also for uploads in progress', async () => {
    const folderId = await requestFiles();
    const before = await readUsage();
    const own = await sendFile(sender!, folderId, 'early.txt');
    const address = await createUpload(sender!.client, zone, 'late.bin', 2 * MB, { folderId });
    await sendChunk(sender!.client, address, 0, Buffer.alloc(MB)).expect(204);
    expect((await readUsage()).reserved).toBe(2 * MB);
    await close(folderId);
    const { body } = await sendChunk(sender!.client, address, MB, Buffer.alloc(MB)).expect(403);
    expect(body).toMatchObject({
      code: 'FILE_REQUEST_CLOSED',
      message: 'This file request is closed. Files are no longer accepted.',
    });
    await requestOffset(sender!.client, address).expect(404);
    expect(await readUsage()).toEqual({ used: before.used + 4, reserved: 0 });
    expect((await send(sender!, folderId, 'x').expect(403)).body.code).toBe('FILE_REQUEST_CLOSED');
    const { body: begun } = await postUpload(sender!.client, zone, 'x', 1, { folderId }).expect(403);
    expect(begun.code).toBe('FILE_REQUEST_CLOSED');
    await sender!.client.delete(`/api/files/${own.id}`).expect(403);
    expect((await readFolder(sender!, folderId)).fileRequest).toMatchObject({ isOpen: false, canSend: false });
    await uploadFile(owner!.client, zone.id, 'by the owner', 'x', `?folderId=${folderId}`);
    await execute(`update file_requests set closes_at = clock_timestamp() + interval '1 hour' where folder_id = ?`, [
      folderId,
    ]);
    await sendFile(sender!, folderId, 'again.txt');
  });

  it('check the deadline and the number once more when the last byte arrives', async () => {
    const folderId = await requestFiles({ maxFilesPerPerson: 1 });
    const [first, second] = [
      await createUpload(sender!.client, zone, 'a', 2, { folderId }),
      await createUpload(sender!.client, zone, 'b', 2, { folderId }),
    ];
    await sendChunk(sender!.client, first, 0, 'ab').expect(204);
    expect((await sendChunk(sender!.client, second, 0, 'ab').expect(403)).body.code).toBe('FILE_REQUEST_LIMIT');
    const closing = await requestFiles();
    // The deadline passes between the first check and the transaction that inserts the file.
    await execute(`create function close_request() returns trigger language plpgsql as $$
      begin update file_requests set closes_at = clock_timestamp() where folder_id = ${closing}; return new; end $$`);
    await execute(
      `create trigger close_request before insert on uploads for each row execute function close_request()`,
    );
    try {
      expect((await send(sender!, closing, 'x').expect(403)).body.code).toBe('FILE_REQUEST_CLOSED');
    } finally {
      await execute('drop function close_request cascade');
    }
    expect(await listNames(owner!, closing)).toEqual([]);
    expect((await readUsage()).reserved).toBe(0);
  });

  it('limit the size of each file', async () => {
    const folderId = await requestFiles({ maxFileBytes: 1000 });
    const { body } = await send(sender!, folderId, 'big', Buffer.alloc(1001)).expect(413);
    expect(body.code).toBe('FILE_TOO_LARGE');
    await postUpload(sender!.client, zone, 'big', 1001, { folderId }).expect(413);
    await sendFile(sender!, folderId, 'fits', Buffer.alloc(1000));
    await uploadFile(owner!.client, zone.id, 'more', Buffer.alloc(1001), `?folderId=${folderId}`);
  });

  it('say that the zone is full, without figures, and store nothing', async () => {
    const folderId = await requestFiles();
    await sendFile(sender!, folderId, 'first');
    const [{ used }] = (await execute<{ used: string }>(
      `select used from usage where owner_id = ? and metric = 'bytes'`,
      [owner!.id],
    )) as [{ used: string }];
    const setUsed = (sql: string) =>
      execute(`update usage set used = ${sql} where owner_id = ? and metric = 'bytes'`, [owner!.id]);
    await setUsed('allowed - 10');
    try {
      const full = { code: 'ZONE_FULL', message: "This zone is full at the moment. We've notified its owner." };
      const { body } = await send(sender!, folderId, 'no room', Buffer.alloc(11)).expect(403);
      expect(body).toMatchObject(full);
      expect(body).not.toHaveProperty('allowed');
      expect((await postUpload(sender!.client, zone, 'no room', 11, { folderId }).expect(403)).body).toMatchObject(
        full,
      );
      expect(await listNames(owner!, folderId)).toEqual(['first']);
      expect((await readUsage()).reserved).toBe(0);
      expect(await execute('select id from uploads where owner_id = ?', [owner!.id])).toEqual([]);
    } finally {
      await setUsed(used);
    }
    await sendFile(sender!, folderId, 'room again', Buffer.alloc(11));
  });

  it('list who sent what, by person', async () => {
    const folderId = await requestFiles({ isPrivate: true });
    const ids: Record<string, number> = {};
    for (const [actor, name] of [
      [sender!, 's1'],
      [peer!, 'p1'],
      [sender!, 's2'],
    ] as const)
      ids[name] = (await sendFile(actor, folderId, name)).id;
    await uploadFile(owner!.client, zone.id, 'example', 'x', `?folderId=${folderId}`);
    const left = await registerUser(world, { firstName: 'Left' });
    await joinPublicZone(zone, left);
    ids.l1 = (await sendFile(left, folderId, 'l1')).id;
    await execute('update file_submissions set user_id = null where user_id = ?', [left.id]);
    const path = `/api/folders/${folderId}/file-request/submissions`;
    const senderOf = ({ id }: Actor, name: string) => ({ id, name, email: null, code: null, isGuest: false });
    const expected = [
      [ids.p1, 'p1 (Berk Ak)', senderOf(peer!, 'Berk Ak')],
      [ids.s2, 's2 (Sena Kaya)', senderOf(sender!, 'Sena Kaya')],
      [ids.s1, 's1 (Sena Kaya)', senderOf(sender!, 'Sena Kaya')],
      [ids.l1, 'l1 (Left Test)', null],
    ];
    const rows = [];
    for (let next: string | null = `${path}?limit=1`; next !== null;) {
      const { body, headers }: { body: Record<string, unknown>[]; headers: Record<string, string> } =
        await admin!.client.get(next).expect(200);
      expect(headers['x-total-count']).toBe('4');
      rows.push(...body);
      next = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1] ?? null;
    }
    expect(rows.map(({ id, name, sender }) => [id, name, sender])).toEqual(expected);
    expect(rows[0]).toMatchObject({ size: 4, mimeType: 'text/plain', sentAt: expect.any(String) });
  });

  describe('that are private', () => {
    const SECRET = 'whispering secret';
    let folderId: number;
    let hidden: { id: number; name: string };

    beforeAll(async () => {
      folderId = await requestFiles({ isPrivate: true });
      const pdf = createTextPdf({ pages: [textLines(SECRET)] });
      hidden = await sendFile(sender!, folderId, 'hiddenfile.pdf', pdf);
      await uploadFile(owner!.client, zone.id, 'example.txt', 'visible', `?folderId=${folderId}`);
      await world.testApp.drain();
    });

    it('answer every route of a hidden file as for one that does not exist', async () => {
      const { paths } = JSON.parse(readFileSync(OPENAPI, 'utf8')) as { paths: Record<string, Record<string, object>> };
      const routes = Object.entries(paths)
        .filter(([path]) => path.startsWith('/api/files/{id}'))
        .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ path, method: method as 'get' })));
      expect(routes.length).toBeGreaterThan(20);
      const answerOf = async (path: string, method: 'get', id: number) => {
        const url = path.replace('{id}', String(id)).replace(/\{\w+\}/g, '1');
        const request = peer!.client[method](`${url}${url.endsWith('/search') ? '?q=secret' : ''}`);
        const { status, body, headers } = await (method === 'get' ? request : request.send({}));
        const { requestId: _, ...rest } = body as Record<string, unknown>;
        return [status, rest, headers['content-type']];
      };
      for (const { path, method } of routes) {
        const missing = await answerOf(path, method, 999_999_999);
        expect([method, path, ...(await answerOf(path, method, hidden.id))]).toEqual([method, path, ...missing]);
        // This one takes another body, and the public route checks its signature first.
        if (!['/api/files/{id}/versions', '/api/files/{id}/content'].includes(path)) expect(missing[0]).toBe(404);
      }
      await replaceFile(peer!.client, hidden.id, 'hiddenfile.pdf', 'x').expect(404);
      for (const { client } of [owner!, admin!, sender!]) await client.get(`/api/files/${hidden.id}/view`).expect(200);
    });

    it('leave hidden files out of lists, counts, searches, archives and the home page', async () => {
      expect(await listNames(peer!, folderId)).toEqual(['example.txt']);
      expect((await listNames(sender!, folderId)).toSorted()).toEqual(['example.txt', 'hiddenfile (Sena Kaya).pdf']);
      const countsOf = async (actor: Actor) => {
        const { fileCount } = await readFolder(actor, folderId);
        const everything = await actor.client.get(`/api/zones/${zone.id}/all-files?limit=1`).expect(200);
        const zoneDto = (await actor.client.get(`/api/zones/${zone.id}`).expect(200)).body;
        const listed = (await actor.client.get('/api/shared-zones').expect(200)).body as (typeof zoneDto)[];
        const fromList = listed.find(({ id }: { id: number }) => id === zone.id);
        if (fromList)
          expect([fromList.fileCount, fromList.totalBytes]).toEqual([zoneDto.fileCount, zoneDto.totalBytes]);
        expect(String(zoneDto.fileCount)).toBe(everything.headers['x-total-count']);
        return { fileCount, inZone: zoneDto.fileCount as number, bytes: zoneDto.totalBytes as number };
      };
      const [all, visible] = [await countsOf(admin!), await countsOf(peer!)];
      const sumPrivate = async (notFrom: number) => {
        const [row] = await execute<{ files: string; bytes: string }>(
          `select count(*) filter (where f.trashed_at is null) as files, sum(f.size) as bytes
           from file_submissions s join files f on f.id = s.file_id
           where f.zone_id = ? and s.is_private and s.user_id is distinct from ?`,
          [zone.id, notFrom],
        );
        return { files: Number(row!.files), bytes: Number(row!.bytes) };
      };
      const { files, bytes } = await sumPrivate(peer!.id);
      const { body: link } = await peer!.client.get(`/api/public-zones/${zone.publicLink}`).expect(200);
      expect(link.fileCount).toBe(all.inZone - (await sumPrivate(0)).files);
      expect(all).toEqual({
        fileCount: visible.fileCount + 1,
        inZone: visible.inZone + files,
        bytes: visible.bytes + bytes,
      });

      const hitsOf = async ({ client }: Actor, path: string) =>
        JSON.stringify((await client.get(path).expect(200)).body).includes(`"id":${hidden.id},`);
      for (const path of [
        '/api/search?q=hiddenfile',
        `/api/zones/${zone.id}/search?q=hiddenfile`,
        '/api/search/texts?q=whispering',
        `/api/zones/${zone.id}/all-files`,
        `/api/zones/${zone.id}/files?folderId=${folderId}&sort=date&order=desc`,
      ]) {
        expect([path, await hitsOf(sender!, path)]).toEqual([path, true]);
        expect([path, await hitsOf(peer!, path)]).toEqual([path, false]);
      }
      expect(await hitsOf(peer!, '/api/home')).toBe(false);
      expect((await peer!.client.get('/api/search?q=hiddenfile').expect(200)).headers['x-total-count']).toBe('0');
      const names = async ({ client }: Actor, body: object) => {
        const request = client.post(`/api/zones/${zone.id}/download`).send(body).buffer(true).parse(parseBytes);
        return [...readZip((await request.expect(200)).body as Buffer).keys()].join();
      };
      for (const body of [{ folderIds: [folderId] }, { all: true }]) {
        expect(await names(sender!, body)).toContain('hiddenfile');
        expect(await names(peer!, body)).not.toContain('hiddenfile');
      }
      await peer!.client
        .post(`/api/zones/${zone.id}/download`)
        .send({ fileIds: [hidden.id] })
        .expect(404);
    });

    it('hide them in mirrors and from guests, except a file that the owner shares itself', async () => {
      const orphan = await sendFile(peer!, folderId, 'orphan.txt');
      await execute('update file_submissions set user_id = null where file_id = ?', [orphan.id]);
      const target = await createZone(owner!);
      const [reader, helper] = await registerUsers(world, 2);
      for (const actor of [reader!, helper!]) await joinPublicZone(target, actor);
      await execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [
        target.id,
        helper!.id,
      ]);
      const { body: mirror } = await owner!.client
        .post(`/api/zones/${zone.id}/folder-mirrors`)
        .send({ sourceFolderId: folderId, targetZoneId: target.id, targetFolderName: 'Mount' })
        .expect(201);
      const mount = mirror.targetFolderId as number;
      for (const actor of [reader!, helper!]) {
        const { body } = await actor.client.get(`/api/zones/${target.id}/files?folderId=${mount}`).expect(200);
        expect((body as { name: string }[]).map(({ name }) => name)).toEqual(['example.txt']);
        expect(await readFolder(actor, mount)).toMatchObject({ fileCount: 1, fileRequest: null });
        await actor.client.get(`/api/files/${hidden.id}`).expect(404);
        expect((await actor.client.get('/api/search?q=hiddenfile').expect(200)).body).toEqual([]);
        expect((await actor.client.get('/api/search/texts?q=whispering').expect(200)).body.hits).toEqual([]);
      }
      const mirrored = await owner!.client.get(`/api/zones/${target.id}/files?folderId=${mount}`).expect(200);
      expect(mirrored.body).toHaveLength(3);
      expect((await save(owner!.client, mount, {}).expect(409)).body.code).toBe('MIRROR_READ_ONLY');
      await postFiles(reader!.client, target.id, [{ name: 'x', body: 'x' }], `?folderId=${mount}`).expect(403);

      const share = async (path: string) => {
        const { body } = await owner!.client.post(path).send({ name: 'Link' }).expect(201);
        const guest = world.createClient();
        await guest.post(`/api/shared/${body.token}/enter`).send({}).expect(200);
        return (rest: string) => guest.get(`/api/shared/${body.token}${rest}`);
      };
      const inFolder = await share(`/api/folders/${folderId}/links`);
      const { body: listed } = await inFolder('/files').expect(200);
      expect((listed as { name: string }[]).map(({ name }) => name)).toEqual(['example.txt']);
      for (const route of ['', '/view', '/download', '/pages', '/pages/1'])
        await inFolder(`/files/${hidden.id}${route}`).expect(404);
      const archive = await inFolder('/download').buffer(true).parse(parseBytes).expect(200);
      expect([...readZip(archive.body as Buffer).keys()].join()).not.toContain('hiddenfile');
      const single = await share(`/api/files/${hidden.id}/links`);
      await single(`/files/${hidden.id}/view`).expect(200);
    });

    it('keep what was promised: after changes, a replacement and the end, until a manager moves the file', async () => {
      const own = await requestFiles({ isPrivate: true });
      const { id } = await sendFile(sender!, own, 'kept.txt');
      const read = async () => (await peer!.client.get(`/api/files/${id}/view`)).status;
      await save(owner!.client, own, { isPrivate: false }).expect(200);
      expect(await read()).toBe(404);
      await sendFile(sender!, own, 'open.txt');
      expect(await listNames(peer!, own)).toEqual(['open.txt']);
      await replaceFile(owner!.client, id, 'kept.txt', 'corrected').expect(201);
      expect(await read()).toBe(404);
      await owner!.client.delete(`/api/folders/${own}/file-request`).expect(204);
      expect(await read()).toBe(404);
      await sender!.client.delete(`/api/files/${id}`).expect(403);
      await owner!.client
        .post(`/api/zones/${zone.id}/move`)
        .send({ fileIds: [id], targetFolderId: null })
        .expect(200);
      expect(await read()).toBe(200);
    });

    it('give names that do not tell what others sent', async () => {
      const own = await requestFiles({ isPrivate: true });
      expect((await sendFile(sender!, own, 'essay.tar.gz')).name).toBe('essay (Sena Kaya).tar.gz');
      expect((await sendFile(peer!, own, 'essay.tar.gz')).name).toBe('essay (Berk Ak).tar.gz');
      expect((await sendFile(peer!, own, 'essay.tar.gz')).name).toBe('essay (Berk Ak) (1).tar.gz');
    });
  });
});
