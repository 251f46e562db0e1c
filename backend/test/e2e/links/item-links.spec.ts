import { RateLimitService } from '../../../src/platform/http/limits/rate-limit.service.js';
import { RetentionService } from '../../../src/modules/retention/retention.service.js';
import { createZone, joinPublicZone, registerUser, uniqueName, type Actor } from '../../support/people/actors.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { readZip } from '../../support/zip.js';
import { FilesZone } from '../files/files-zone.js';
import { parseBytes } from '../files/reading/archive-helpers.js';
import { createTextPdf, textLines } from '../files/rendering/generated/text-pdf.js';
import { PNG } from '../files/upload/multipart-helpers.js';
import { allowUnlimitedZones } from '../mirrors/mirror-helpers.js';

interface TestItemLink {
  readonly id: number;
  readonly token: string;
}

const UNKNOWN = { token: 'an-unknown-token-000000' };
const DAY = 86_400_000;
const SECRET = 'The original bytes of a shared file, which nobody outside may have.';

describeInProcess('Links to files and folders', () => {
  let world: World;
  let files: FilesZone;
  let owner: Actor;
  beforeAll(async () => {
    world = await World.open();
    files = await FilesZone.open(world);
    owner = files.owner;
  });
  afterAll(() => world.close());

  const createLink = async (kind: 'files' | 'folders', id: number, fields: object = {}): Promise<TestItemLink> => {
    const { body } = await owner.client
      .post(`/api/${kind}/${id}/links`)
      .send({ name: uniqueName('Link'), ...fields })
      .expect(201);
    return body as TestItemLink;
  };
  const change = (link: TestItemLink, fields: object) =>
    owner.client.patch(`/api/item-links/${link.id}`).send(fields).expect(200);
  const readLink = async (link: TestItemLink) =>
    (await owner.client.get(`/api/item-links/${link.id}`).expect(200)).body;
  const pathOf = ({ token }: { token: string }, rest = '') => `/api/shared/${token}${rest}`;
  const enter = (client: Client, link: { token: string }, entry: object = {}) =>
    client.post(pathOf(link, '/enter')).send(entry);
  const enterAsGuest = async (link: { token: string }, entry: object = {}): Promise<Client> => {
    const client = world.createClient();
    await enter(client, link, entry).expect(200);
    return client;
  };
  const uploadSecret = async (folderId?: number) =>
    (await files.uploadFile(`${uniqueName('a')}.txt`, folderId, SECRET)).id;
  const count = async (sql: string, values: unknown[] = []) =>
    Number((await world.testApp.em().execute<{ n: string }[]>(`select count(*) as n from ${sql}`, values))[0]!.n);

  /** Stops the clock, so that all openings of a file are in the same half hour. */
  const inOneWindow = (work: () => Promise<void>) => () => world.testApp.clock.freezeWhile(work);

  /** Every route of a link, for a file in it. */
  const routesOf = (link: { token: string }, fileId: number) => [
    pathOf(link),
    ...['files', 'folders', 'download'].map((name) => pathOf(link, `/${name}`)),
    pathOf(link, `/files/${fileId}`),
    ...['view', 'download', 'pages', 'pages/1', 'pages/1/text', 'pages/search?q=bytes'].map((name) =>
      pathOf(link, `/files/${fileId}/${name}`),
    ),
  ];

  /** The answers of all routes, without what differs in each response. */
  const answersOf = async (client: Client, link: { token: string }, fileId: number) => {
    const answers = [];
    for (const path of routesOf(link, fileId)) answers.push(await client.get(path));
    answers.push(await enter(client, link, { password: 'tulips', email: 'ada@example.com' }));
    return answers.map(({ status, body, headers }) => {
      const { requestId: _, ...rest } = body as Record<string, unknown>;
      return [status, rest, headers['content-type'], headers['cache-control'], headers['set-cookie']];
    });
  };

  it('are created, listed, changed and deleted by the owner', async () => {
    const fileId = await uploadSecret();
    const fields = { name: ' For Grace ', expiresInHours: 1, maxUses: 3, password: 'tulips', needsEmail: true };
    const { body } = await owner.client.post(`/api/files/${fileId}/links`).send(fields).expect(201);
    expect(body).toMatchObject({
      ...{ zoneId: files.zone.id, fileId, folderId: null, name: 'For Grace', maxUses: 3, currentUses: 0 },
      ...{ isActive: true, state: 'active', hasPassword: true, needsEmail: true, allowDownload: true },
      ...{ views: 0, downloads: 0, lastVisitAt: null, createdById: owner.id },
    });
    expect(body.url).toMatch(new RegExp(`/s/${body.token}$`));
    expect(JSON.stringify(body)).not.toMatch(/argon2|tulip/);
    expect((await owner.client.get(`/api/files/${fileId}/links`).expect(200)).body).toEqual([body]);
    const unlimited = { expiresAt: null, maxUses: null, password: null, needsEmail: false, allowDownload: false };
    expect((await change(body, unlimited)).body).toMatchObject({
      ...{ name: 'For Grace', expiresAt: null, maxUses: null, hasPassword: false, needsEmail: false },
      allowDownload: false,
    });
    expect((await change(body, { isActive: false })).body.state).toBe('inactive');
    await owner.client.delete(`/api/item-links/${body.id}`).expect(204);
    await owner.client.get(`/api/item-links/${body.id}`).expect(404);
    expect((await owner.client.get(`/api/files/${fileId}/links`).expect(200)).body).toEqual([]);
    const actions = await world.testApp
      .em()
      .execute<{ type: string }[]>(`select type from audit_log where params->>'linkId' = ? order by id`, [
        String(body.id),
      ]);
    expect(actions.map(({ type }) => type)).toEqual(['item-link.created', 'item-link.paused', 'item-link.deleted']);
  });

  it.each([
    ['no name', { name: ' ' }, 'name'],
    ['an end in the past', { name: 'x', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['two ends', { name: 'x', expiresAt: '2030-01-01T00:00:00Z', expiresInHours: 1 }, 'expiresInHours'],
    ['no uses', { name: 'x', maxUses: 0 }, 'maxUses'],
    ['a short password', { name: 'x', password: 'abc' }, 'password'],
    ['a choice in words', { name: 'x', needsEmail: 'yes' }, 'needsEmail'],
    ['the use counter', { name: 'x', currentUses: 1 }, 'currentUses'],
  ])('are rejected with %s', async (_, fields, field) => {
    const fileId = await uploadSecret();
    const { body } = await owner.client.post(`/api/files/${fileId}/links`).send(fields).expect(400);
    expect(Object.keys(body.errors)).toEqual([field]);
  });

  it('are listed for their zone with the item and the last visit', async () => {
    const own = await FilesZone.open(world);
    const parentFolderId = await own.createFolder('Parent');
    const file = await own.uploadFile('Lesson.txt', parentFolderId, SECRET);
    const create = async (path: string): Promise<TestItemLink> =>
      (await own.owner.client.post(`/api/${path}/links`).send({ name: 'Link' }).expect(201)).body as TestItemLink;
    const [toFile, toFolder] = [await create(`files/${file.id}`), await create(`folders/${parentFolderId}`)];
    await own.owner.client.post(`/api/zones/${own.zone.id}/folders`).send({ name: 'Without links' }).expect(201);
    await enterAsGuest(toFile);
    const list = (query = '') => own.owner.client.get(`/api/zones/${own.zone.id}/item-links${query}`).expect(200);
    const { body, headers } = await list();
    expect(headers['x-total-count']).toBe('2');
    expect(body).toMatchObject([
      { id: toFolder.id, itemName: 'Parent', parentFolderId: null, isInTrash: false, lastVisitAt: null },
      { id: toFile.id, itemName: 'Lesson.txt', parentFolderId, isInTrash: false, currentUses: 1 },
    ]);
    expect(Date.parse(body[1].lastVisitAt as string)).toBeGreaterThan(0);
    const { headers: first } = await list('?limit=1');
    const next = /cursor=[^>&]+/.exec(first.link as string)![0];
    expect((await list(`?limit=1&${next}`)).body).toMatchObject([{ id: toFile.id }]);
    await own.deleteItem('files', file.id);
    expect((await list()).body).toMatchObject([{ isInTrash: false }, { id: toFile.id, isInTrash: true }]);
  });

  it('are managed only by those who may share the zone', async () => {
    const folderId = await files.createFolder(uniqueName('Folder'));
    const fileId = await uploadSecret(folderId);
    const link = await createLink('files', fileId);
    const [admin, member, outsider] = [await registerUser(world), await registerUser(world), await registerUser(world)];
    await joinPublicZone(files.zone, admin);
    await joinPublicZone(files.zone, member);
    const setRole = `update zone_members set role = 'admin' where zone_id = ? and user_id = ?`;
    await world.testApp.em().execute(setRole, [files.zone.id, admin.id]);
    for (const [client, status] of [
      [admin.client, 403],
      [member.client, 403],
      [outsider.client, 404],
      [world.createClient(), 401],
      [await enterAsGuest(link), 401],
    ] as const) {
      for (const item of [`files/${fileId}`, `folders/${folderId}`]) {
        await client.get(`/api/${item}/links`).expect(status);
        await client.post(`/api/${item}/links`).send({ name: 'x' }).expect(status);
      }
      await client.get(`/api/zones/${files.zone.id}/item-links`).expect(status);
      await client.get(`/api/item-links/${link.id}`).expect(status);
      await client.get(`/api/item-links/${link.id}/guests`).expect(status);
      await client.patch(`/api/item-links/${link.id}`).send({ isActive: false }).expect(status);
      await client.delete(`/api/item-links/${link.id}`).expect(status);
    }
    expect(await readLink(link)).toMatchObject({ isActive: true });
  });

  it('show nothing of the content before the password and the address', async () => {
    const folderId = await files.createFolder(uniqueName('Secret folder'));
    const fileId = await uploadSecret(folderId);
    const link = await createLink('folders', folderId, { password: 'tulips', needsEmail: true });
    const client = world.createClient();
    const facts = await client.get(pathOf(link)).expect(200);
    expect(facts.body).toEqual({
      owner: { firstName: 'Ada', lastName: 'Test' },
      ...{ expiresAt: null, requiresPassword: true, needsEmail: true, item: null, memberPlace: null },
    });
    expect(facts.headers['referrer-policy']).toBe('no-referrer');
    const wrong = await enter(client, link, { password: 'rose', email: 'grace@example.com' }).expect(403);
    expect(wrong.body.code).toBe('LINK_PASSWORD_WRONG');
    await enter(client, link, {}).expect(403);
    const { body } = await enter(client, link, { password: 'tulips' }).expect(400);
    expect(Object.keys(body.errors)).toEqual(['email']);
    for (const path of routesOf(link, fileId).slice(1)) {
      const { status, body: rejection } = await client.get(path);
      expect([path, status, rejection.code]).toEqual([path, 403, 'SHARED_NOT_ENTERED']);
    }
    expect(await readLink(link)).toMatchObject({ currentUses: 0 });
    const entered = await enter(client, link, { password: 'tulips', email: ' Grace@Example.com ' }).expect(200);
    expect(entered.body.item).toMatchObject({ file: null, folder: { id: folderId }, allowDownload: true });
    expect((await client.get(pathOf(link)).expect(200)).body).toEqual(entered.body);
    expect((await owner.client.get(`/api/item-links/${link.id}/guests`).expect(200)).body).toMatchObject([
      { email: 'grace@example.com', views: 0, downloads: 0 },
    ]);
  });

  it('lead members to the item in their zone, even when used up, and count no guest', async () => {
    const folderId = await files.createFolder(uniqueName('Folder'));
    const link = await createLink('folders', folderId, { password: 'tulips', maxUses: 1 });
    const member = await registerUser(world);
    await joinPublicZone(files.zone, member);
    const memberPlace = { zoneId: files.zone.id, fileId: null, folderId };
    expect((await member.client.get(pathOf(link)).expect(200)).body).toMatchObject({ memberPlace, item: null });
    await enterAsGuest(link, { password: 'tulips' });
    expect((await owner.client.get(pathOf(link)).expect(200)).body).toMatchObject({ memberPlace, item: null });
    const outsider = await registerUser(world);
    expect((await outsider.client.get(pathOf(link)).expect(410)).body.code).toBe('SHARED_USED_UP');
    expect(await readLink(link)).toMatchObject({ currentUses: 1 });
  });

  it('follow an item into another zone of its owner', async () => {
    await allowUnlimitedZones(world, owner);
    const target = await createZone(owner);
    const folderId = await files.createFolder(uniqueName('Folder'));
    const fileId = await uploadSecret(folderId);
    const links = [await createLink('folders', folderId), await createLink('files', fileId)];
    const guests = [await enterAsGuest(links[0]!), await enterAsGuest(links[1]!)];
    await owner.client
      .post(`/api/zones/${files.zone.id}/transfer`)
      .send({ folderIds: [folderId], targetZoneId: target.id, targetFolderId: null })
      .expect(200);
    for (const [index, link] of links.entries()) {
      await guests[index]!.get(pathOf(link, `/files/${fileId}/download`)).expect(200);
      expect(await readLink(link)).toMatchObject({ zoneId: target.id, currentUses: 1 });
    }
    expect((await owner.client.get(`/api/folders/${folderId}/links`).expect(200)).body).toHaveLength(1);
  });

  it(
    'show a file to guests and count each of them once',
    inOneWindow(async () => {
      const { id } = await files.uploadFile(`${uniqueName('a')}.png`, undefined, PNG);
      const link = await createLink('files', id);
      const [first, second] = [await enterAsGuest(link), await enterAsGuest(link)];
      await enter(first, link).expect(200);
      const { body } = await first.get(pathOf(link)).expect(200);
      expect(body.item).toMatchObject({ folder: null, file: { id, mimeType: 'image/png', can: { download: true } } });
      for (const client of [first, first, second]) {
        const view = await client
          .get(pathOf(link, `/files/${id}/view`))
          .buffer(true)
          .parse(parseBytes)
          .expect(200);
        expect(view.body).toEqual(PNG);
        expect(view.headers['content-security-policy']).toContain('sandbox');
        expect(view.headers['x-content-type-options']).toBe('nosniff');
      }
      await second.head(pathOf(link, `/files/${id}/download`)).expect(200);
      const download = await second.get(pathOf(link, `/files/${id}/download`)).expect(200);
      expect(download.headers['content-disposition']).toMatch(/^attachment/);
      const pages = await first.get(pathOf(link, `/files/${id}/pages`)).expect(200);
      expect(pages.body).toMatchObject({ state: 'ready', count: 1, attachments: [] });
      await first
        .get(pathOf(link, `/files/${id}/pages/1`))
        .expect('content-type', 'image/webp')
        .expect(200);
      expect(await readLink(link)).toMatchObject({ currentUses: 2, views: 2, downloads: 1 });
      const { body: file } = await owner.client.get(`/api/files/${id}`).expect(200);
      expect(file).toMatchObject({ viewCount: 2, downloadCount: 1 });
      // Archives aren't for single files.
      await first.get(pathOf(link, '/download')).expect(404);
    }),
  );

  it('make nobody a member', async () => {
    const fileId = await uploadSecret();
    const link = await createLink('files', fileId, { needsEmail: true });
    const email = `${uniqueName('guest')}@example.com`;
    const guest = await enterAsGuest(link, { email });
    await guest.get(pathOf(link, `/files/${fileId}/view`)).expect(200);
    await world.testApp.drain();
    expect(await count('users where email = ?', [email])).toBe(0);
    expect(await count('zone_members where email = ?', [email])).toBe(0);
    expect(await count('audience where email_key = ?', [email])).toBe(0);
    expect(await world.listEmails(email)).toEqual([]);
    await guest.get(`/api/zones/${files.zone.id}/files`).expect(401);
    await guest.get(`/api/files/${fileId}/download`).expect(401);
  });

  it(
    'lead to a folder and everything below it, and nowhere else',
    inOneWindow(async () => {
      const above = await files.createFolder(uniqueName('Above'));
      const root = await files.createFolder('Root', above);
      const below = await files.createFolder('Below', root);
      const [sibling, inRoot, inBelow] = [
        await uploadSecret(above),
        await uploadSecret(root),
        await uploadSecret(below),
      ];
      const trashed = await uploadSecret(root);
      await files.deleteItem('files', trashed);
      const link = await createLink('folders', root);
      const client = await enterAsGuest(link);
      const ids = async (path: string) =>
        ((await client.get(pathOf(link, path)).expect(200)).body as { id: number }[]).map(({ id }) => id);
      expect(await ids('/files')).toEqual([inRoot]);
      expect(await ids('/folders')).toEqual([below]);
      expect(await ids(`/files?folderId=${below}`)).toEqual([inBelow]);
      const listed = (await client.get(pathOf(link, '/files')).expect(200)).body[0];
      expect(Object.keys(listed)).toEqual(['id', 'name', 'mimeType', 'size', 'isSent', 'can']);
      for (const id of [inRoot, inBelow]) await client.get(pathOf(link, `/files/${id}/download`)).expect(200);
      for (const id of [sibling, trashed]) {
        for (const name of ['', '/view', '/download', '/pages', '/pages/1', '/pages/1/text']) {
          const { body } = await client.get(pathOf(link, `/files/${id}${name}`)).expect(404);
          expect(body.code).toBe('SHARED_NOT_FOUND');
        }
      }
      for (const name of ['files', 'folders', 'download'])
        await client.get(pathOf(link, `/${name}?folderId=${above}`)).expect(404);
      await client.get(pathOf(link, `/folders/${above}`)).expect(404);
      expect((await client.get(pathOf(link, `/folders/${below}`)).expect(200)).body).toEqual({
        ...{ id: below, name: 'Below' },
        path: [
          { id: root, name: 'Root' },
          { id: below, name: 'Below' },
        ],
      });
      expect((await client.get(pathOf(link, `/files/${inBelow}`)).expect(200)).body).toMatchObject({
        ...{ id: inBelow, folderId: below },
        can: { view: true, download: true, text: true },
      });
      const zip = await client.get(pathOf(link, '/download')).buffer(true).parse(parseBytes).expect(200);
      const names = [...readZip(zip.body as Buffer).keys()];
      expect(names).toHaveLength(4);
      expect(names.every((name) => name.startsWith('Root/'))).toBe(true);
      expect(await readLink(link)).toMatchObject({ downloads: 2 });
      // Moved out of the folder and back.
      await owner.client.patch(`/api/files/${inBelow}/move`).send({ targetFolderId: above }).expect(200);
      await client.get(pathOf(link, `/files/${inBelow}/view`)).expect(404);
      await owner.client.patch(`/api/files/${inBelow}/move`).send({ targetFolderId: root }).expect(200);
      await client.get(pathOf(link, `/files/${inBelow}/view`)).expect(200);
    }),
  );

  it('let guests select and search the text of a document where members may', async () => {
    const document = createTextPdf({ pages: [textLines('Soft light and', 'hard light')] });
    const { id } = await files.uploadFile(uniqueName('document.pdf'), undefined, document);
    await world.testApp.drain();
    const link = await createLink('files', id);
    const client = await enterAsGuest(link);
    const search = () => client.get(pathOf(link, `/files/${id}/pages/search?q=light`));
    const readText = () => client.get(pathOf(link, `/files/${id}/pages/1/text`));
    expect((await search().expect(200)).body).toMatchObject([
      { page: 1, from: 5 },
      { page: 1, from: 20 },
    ]);
    expect((await readText().expect(200)).body.words.map(([word]: [string]) => word)).toContain('Soft');
    await owner.client.patch(`/api/files/${id}`).send({ allowDownload: false, allowText: false }).expect(200);
    expect((await search().expect(403)).body.code).toBe('TEXT_NOT_ALLOWED');
    await readText().expect(403);
    await owner.client.patch(`/api/files/${id}`).send({ allowDownload: true }).expect(200);
    await search().expect(200);
    await change(link, { allowDownload: false });
    await search().expect(403);
  });

  it('show no mirrors and lead to none', async () => {
    await allowUnlimitedZones(world, owner);
    const source = await createZone(owner);
    const { body: sourceFolder } = await owner.client.post(`/api/zones/${source.id}/folders`).send({ name: 'Source' });
    const mirror = { sourceFolderId: sourceFolder.id, targetZoneId: files.zone.id, targetFolderName: 'Mirror' };
    await owner.client.post(`/api/zones/${source.id}/folder-mirrors`).send(mirror).expect(201);
    const { body: listed } = await owner.client.get(`/api/zones/${files.zone.id}/folders`).expect(200);
    const mount = (listed as { id: number; isMirror: boolean }[]).find(({ isMirror }) => isMirror)!.id;
    const { body } = await owner.client.post(`/api/folders/${mount}/links`).send({ name: 'x' }).expect(409);
    expect(body.code).toBe('MIRROR_NOT_SHARED');
    // A mount below a shared folder, which the product doesn't create yet.
    const folderId = await files.createFolder(uniqueName('Folder'));
    await world.testApp.em().execute('update folders set parent_id = ? where id = ?', [folderId, mount]);
    const link = await createLink('folders', folderId);
    const client = await enterAsGuest(link);
    expect((await client.get(pathOf(link, '/folders')).expect(200)).body).toEqual([]);
    await client.get(pathOf(link, `/files?folderId=${mount}`)).expect(404);
    await client.get(pathOf(link, `/files?folderId=${sourceFolder.id}`)).expect(404);
  });

  it('send no original bytes by any way if downloads are off', async () => {
    const folderId = await files.createFolder(uniqueName('Folder'));
    const [byLink, byFile] = [await uploadSecret(folderId), await uploadSecret(folderId)];
    const picture = (await files.uploadFile(`${uniqueName('a')}.png`, folderId, PNG)).id;
    await owner.client.patch(`/api/files/${byFile}`).send({ allowDownload: false }).expect(200);
    const closed = await createLink('folders', folderId, { allowDownload: false });
    const open = await createLink('folders', folderId);
    const guests = [
      [await enterAsGuest(closed), closed, [byLink, byFile, picture]],
      [await enterAsGuest(open), open, [byFile]],
    ] as const;
    for (const [client, link, ids] of guests) {
      for (const id of ids) {
        for (const name of ['view', 'download']) {
          for (const headers of [{}, { Range: 'bytes=0-9' }, { Range: 'bytes=5-' }, { 'If-None-Match': '*' }]) {
            const { status, body, text } = await client.get(pathOf(link, `/files/${id}/${name}`)).set(headers);
            expect([id, name, status, body.code]).toEqual([id, name, 403, 'DOWNLOAD_NOT_ALLOWED']);
            expect(text).not.toContain('original bytes');
          }
          await client.head(pathOf(link, `/files/${id}/${name}`)).expect(403);
        }
        for (const name of ['content', 'url', 'media', 'versions/1/view', 'versions/1/download', 'thumbnail'])
          await client.get(pathOf(link, `/files/${id}/${name}`)).expect(404);
      }
    }
    const zip = await guests[0][0].get(pathOf(closed, '/download')).expect(403);
    expect(zip.body.code).toBe('DOWNLOAD_NOT_ALLOWED');
    const partial = await guests[1][0].get(pathOf(open, '/download')).buffer(true).parse(parseBytes).expect(200);
    expect([...readZip(partial.body as Buffer).values()].filter((bytes) => bytes.length > 0)).toHaveLength(2);
    // Pages are not the original.
    await guests[0][0].get(pathOf(closed, `/files/${picture}/pages/1`)).expect(200);
    expect(await readLink(closed)).toMatchObject({ downloads: 0, views: 1 });
  });

  it('answer like an unknown link once they or their item are gone', async () => {
    const client = world.createClient();
    const unknown = await answersOf(client, UNKNOWN, 1);
    expect(new Set(unknown.map(([status]) => status))).toEqual(new Set([404]));
    const fileId = await uploadSecret();
    const folderId = await files.createFolder(uniqueName('Folder'));
    const inFolder = await uploadSecret(folderId);
    const fields = { password: 'tulips', needsEmail: true };
    const entry = { password: 'tulips', email: 'ada@example.com' };
    for (const [kind, id, file] of [
      ['files', fileId, fileId],
      ['folders', folderId, inFolder],
    ] as const) {
      const link = await createLink(kind, id, fields);
      const guest = await enterAsGuest(link, entry);
      const expectUnknown = async (what: string) => {
        expect([what, await answersOf(client, link, file)]).toEqual([what, unknown]);
        expect([what, await answersOf(guest, link, file)]).toEqual([what, unknown]);
      };
      await change(link, { isActive: false });
      await expectUnknown(`paused link to ${kind}`);
      await change(link, { isActive: true });
      await guest.get(pathOf(link, `/files/${file}/view`)).expect(200);
      const trashId = await files.deleteItem(kind, id);
      await expectUnknown(`link to ${kind} in the trash`);
      await files.post('trash/restore', { trashId }).expect(200);
      await guest.get(pathOf(link, `/files/${file}/view`)).expect(200);
      const deleted = await createLink(kind, id, fields);
      const other = await enterAsGuest(deleted, entry);
      await owner.client.delete(`/api/item-links/${deleted.id}`).expect(204);
      expect(await answersOf(other, deleted, file)).toEqual(unknown);
      await files.deleteItem(kind, id);
      await files.post('trash/purge', { all: true }).expect(200);
      await world.testApp.drain();
      await expectUnknown(`link to purged ${kind}`);
      expect(await count('item_links where id = ?', [link.id])).toBe(0);
      expect(await count('item_guests where link_id = ?', [link.id])).toBe(0);
    }
  });

  it('end at the second of their expiry, also for guests', async () => {
    const fileId = await uploadSecret();
    const { clock } = world.testApp;
    await clock.freezeWhile(async () => {
      const link = await createLink('files', fileId, { expiresInHours: 1, maxUses: 5 });
      const guest = await enterAsGuest(link);
      const unknown = await answersOf(guest, UNKNOWN, fileId);
      clock.advance(3_600_000 - 1);
      await guest.get(pathOf(link, `/files/${fileId}/view`)).expect(200);
      await enterAsGuest(link);
      clock.advance(1);
      expect(await answersOf(guest, link, fileId)).toEqual(unknown);
      expect(await answersOf(world.createClient(), link, fileId)).toEqual(unknown);
      expect(await readLink(link)).toMatchObject({ state: 'expired', currentUses: 2 });
    });
  });

  it('admit as many guests as they have uses, however many come at once', async () => {
    const fileId = await uploadSecret();
    const link = await createLink('files', fileId, { maxUses: 10 });
    const clients = Array.from({ length: 50 }, () => world.createClient());
    const statuses = await Promise.all(clients.map(async (client) => (await enter(client, link)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 410)).toHaveLength(40);
    expect(await readLink(link)).toMatchObject({ currentUses: 10, state: 'max_uses' });
    expect(await count('item_guests where link_id = ?', [link.id])).toBe(10);
    for (const [index, client] of clients.entries())
      await client.get(pathOf(link)).expect(statuses[index] === 200 ? 200 : 410);
    const { body } = await owner.client.patch(`/api/item-links/${link.id}`).send({ maxUses: 9 }).expect(400);
    expect(body.errors.maxUses).toEqual(['This link has already been used 10 times.']);
  });

  it('count one guest for an address, however often it enters at once', async () => {
    const fileId = await uploadSecret();
    const link = await createLink('files', fileId, { needsEmail: true, maxUses: 2 });
    const email = 'grace@example.com';
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await enter(world.createClient(), link, { email })).status),
    );
    expect(statuses).toEqual(Array(10).fill(200));
    expect(await readLink(link)).toMatchObject({ currentUses: 1 });
    const last = await enterAsGuest(link, { email: 'alan@example.com' });
    // The address isn't verified, so it opens nothing once all places are taken.
    await enter(world.createClient(), link, { email }).expect(410);
    await last.get(pathOf(link, `/files/${fileId}/view`)).expect(200);
  });

  it('stop while somebody is reading', async () => {
    const fileId = await uploadSecret();
    const link = await createLink('files', fileId);
    const guest = await enterAsGuest(link);
    const read = (range: string) => guest.get(pathOf(link, `/files/${fileId}/view`)).set('Range', range);
    await read('bytes=0-9').expect(206);
    await change(link, { allowDownload: false });
    await read('bytes=10-19').expect(403);
    await change(link, { allowDownload: true, isActive: false });
    await read('bytes=10-19').expect(404);
    await change(link, { isActive: true });
    await read('bytes=10-19').expect(206);
    // With a new password, or a question for the address, people enter again.
    await change(link, { password: 'tulips' });
    await read('bytes=20-29').expect(403);
    await enter(guest, link, { password: 'tulips' }).expect(200);
    await change(link, { needsEmail: true });
    await read('bytes=20-29').expect(403);
  });

  it('let earlier guests of a used-up link enter again after its terms have changed', async () => {
    const fileId = await uploadSecret();
    const link = await createLink('files', fileId, { maxUses: 1 });
    const guest = await enterAsGuest(link);
    await change(link, { password: 'tulips', needsEmail: true });
    expect((await guest.get(pathOf(link)).expect(200)).body).toMatchObject({ requiresPassword: true, item: null });
    await guest.get(pathOf(link, `/files/${fileId}/view`)).expect(403);
    await enter(guest, link, { email: 'grace@example.com' }).expect(403);
    await enter(guest, link, { password: 'tulips', email: 'grace@example.com' }).expect(200);
    await guest.get(pathOf(link, `/files/${fileId}/view`)).expect(200);
    await enter(world.createClient(), link, { password: 'tulips', email: 'alan@example.com' }).expect(410);
    expect(await readLink(link)).toMatchObject({ currentUses: 1 });
    const { body } = await owner.client.get(`/api/item-links/${link.id}/guests`).expect(200);
    expect(body).toMatchObject([{ email: 'grace@example.com', views: 1 }]);
  });

  it('accept a cookie for its own link and its own time only', async () => {
    const fileId = await uploadSecret();
    const [link, other] = [await createLink('files', fileId), await createLink('files', fileId)];
    const { headers } = await enter(world.createClient(), link).expect(200);
    const [cookie] = headers['set-cookie'] as unknown as [string];
    expect(cookie).toContain(`Path=/api/shared/${link.token}`);
    expect(cookie).toMatch(/HttpOnly/);
    const value = cookie.split(';')[0]!;
    const view = (target: TestItemLink, sent: string) =>
      world
        .createClient()
        .get(pathOf(target, `/files/${fileId}/view`))
        .set('Cookie', sent);
    await view(link, value).expect(200);
    await view(other, value).expect(403);
    const [head = '', expiry, identity = '', entry = ''] = value.split('.');
    const [name, guestId] = head.split('=');
    for (const forged of [
      `${name}=${Number(guestId) + 1}.${expiry}.${identity}.${entry}`,
      `${name}=${guestId}.${Number(expiry) + 1}.${identity}.${entry}`,
      `${name}=${guestId}.${expiry}.${'0'.repeat(64)}.${entry}`,
      `${name}=${guestId}.${expiry}.${identity}.${'0'.repeat(64)}`,
      `${name}=${guestId}.${expiry}.${identity}.${identity}`,
      `${name}=${guestId}`,
    ])
      await view(link, forged).expect(403);
    const { clock } = world.testApp;
    clock.advance(30 * DAY);
    await view(link, value).expect(403);
    clock.advance(-30 * DAY);
  });

  it('disappear with their zone', async () => {
    const own = await FilesZone.open(world);
    const { id } = await own.uploadFile('a.txt', undefined, SECRET);
    const { body: link } = await own.owner.client.post(`/api/files/${id}/links`).send({ name: 'x' }).expect(201);
    const guest = await enterAsGuest(link);
    await guest.get(pathOf(link, `/files/${id}/view`)).expect(200);
    await own.owner.client.delete(`/api/zones/${own.zone.id}`).expect(204);
    expect(await answersOf(guest, link, id)).toEqual(await answersOf(guest, UNKNOWN, id));
    await world.testApp.drain();
    expect(await count('item_links where id = ?', [link.id])).toBe(0);
  });

  it('forget guests who have not been there for long, and keep the figures', async () => {
    const fileId = await uploadSecret();
    const link = await createLink('files', fileId, { needsEmail: true });
    const guest = await enterAsGuest(link, { email: 'old@example.com' });
    await guest.get(pathOf(link, `/files/${fileId}/view`)).expect(200);
    await guest.get(pathOf(link, `/files/${fileId}/download`)).expect(200);
    await enterAsGuest(link, { email: 'new@example.com' });
    const listEmails = async () => {
      const { body } = await owner.client.get(`/api/item-links/${link.id}/guests`).expect(200);
      return (body as { email: string | null }[]).map(({ email }) => email);
    };
    const removeOld = async (email: string, days: number) => {
      await world.testApp
        .em()
        .execute('update item_guests set last_at = ? where link_id = ? and email = ?', [
          new Date(world.now() - days * DAY),
          ...[link.id, email],
        ]);
      await world.testApp.app.get(RetentionService).applyPolicies(new AbortController().signal);
    };
    await removeOld('old@example.com', 402);
    expect(await listEmails()).toEqual(['new@example.com']);
    expect(await readLink(link)).toMatchObject({ currentUses: 2, views: 1, downloads: 1 });
    await guest.get(pathOf(link, `/files/${fileId}/view`)).expect(403);
    await removeOld('new@example.com', 401);
    expect(await listEmails()).toEqual([]);
    const { lastVisitAt, ...figures } = await readLink(link);
    expect(figures).toMatchObject({ currentUses: 2, views: 1, downloads: 1 });
    expect(Math.round((world.now() - Date.parse(lastVisitAt as string)) / DAY)).toBe(401);
  });
});

describeInProcess('Limits of links to files and folders', () => {
  let world: World;
  let files: FilesZone;
  let fileId: number;
  beforeAll(async () => {
    world = await World.open({ RATE_LIMIT: 'on', TRUST_PROXY: 'loopback' });
    files = await FilesZone.open(world);
    fileId = (await files.uploadFile('a.txt')).id;
  });
  afterAll(() => world.close());

  const create = async (fields: object = {}): Promise<TestItemLink> =>
    (
      await files.owner.client
        .post(`/api/files/${fileId}/links`)
        .send({ name: 'x', ...fields })
        .expect(201)
    ).body;
  const change = (link: TestItemLink, fields: object) =>
    files.owner.client.patch(`/api/item-links/${link.id}`).send(fields).expect(200);
  const readLink = async ({ id }: TestItemLink) => (await files.owner.client.get(`/api/item-links/${id}`)).body;
  const enterFrom = (network: string, { token }: TestItemLink, entry: object = {}, client = world.createClient()) =>
    client.post(`/api/shared/${token}/enter`).set('X-Forwarded-For', network).send(entry);
  /** Counts attempts that weren't made, by the name and subject of their limit. */
  const useUp = (name: string, subject: string, amount: number) =>
    world.testApp.app.get(RateLimitService).consumeUpTo({ name, limit: 1, window: 3_600_000 }, subject, amount);
  const useUpGuesses = async ({ id }: TestItemLink, amount: number, name = 'link-password-link') => {
    const select = 'select password from item_links where id = ?';
    const [link] = await world.testApp.em().execute<{ password: string }[]>(select, [id]);
    await useUp(name, `item-${id} ${link!.password} new`, amount);
  };

  it('allow ten wrong passwords in a quarter of an hour from a network, for each link', async () => {
    const [link, other] = [await create({ password: 'tulips' }), await create({ password: 'tulips' })];
    const guess = (network: string, target: TestItemLink, password: string) => enterFrom(network, target, { password });
    for (let attempt = 0; attempt < 10; attempt++) await guess('198.51.100.1', link, `rose ${attempt}`).expect(403);
    const { headers } = await guess('198.51.100.1', link, 'tulips').expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await guess('198.51.100.1', other, 'tulips').expect(200);
    await guess('198.51.100.2', link, 'tulips').expect(200);
    world.testApp.clock.advance(15 * 60_000);
    await guess('198.51.100.1', link, 'tulips').expect(200);
  });

  it('allow 30 wrong passwords an hour from neighbouring networks', async () => {
    const link = await create({ password: 'tulips' });
    const guess = (network: string, password: string) => enterFrom(network, link, { password });
    for (let attempt = 0; attempt < 30; attempt++)
      await guess(`2001:db8:77:${attempt % 3}::1`, `rose ${attempt}`).expect(403);
    await guess('2001:db8:77:3::1', 'tulips').expect(429);
    await guess('2001:db8:78::1', 'tulips').expect(200);
  });

  it('allow one attempt from each place after 200 wrong passwords, and none after 300 more', async () => {
    const link = await create({ password: 'tulips' });
    const guest = world.createClient();
    await enterFrom('203.0.113.1', link, { password: 'tulips' }, guest).expect(200);
    const guess = (network: string, password: string) => enterFrom(network, link, { password });
    await useUpGuesses(link, 199);
    await guess('192.0.2.1', 'tulips').expect(200);
    await guess('192.0.2.1', 'rose').expect(403);
    expect(await readLink(link)).toMatchObject({ passwordAttackedAt: null });
    await guess('198.51.100.1', 'rose').expect(403);
    expect(Date.parse((await readLink(link)).passwordAttackedAt as string)).toBeGreaterThan(0);
    for (const password of ['tulips', 'rose']) await guess('198.51.100.2', password).expect(429);
    // Somebody who knows the password isn't locked out, as often as they enter it.
    for (let attempt = 0; attempt < 2; attempt++) await guess('203.0.113.9', 'tulips').expect(200);
    await useUpGuesses(link, 299, 'link-password-link-attack');
    await guess('203.0.113.9', 'tulips').expect(429);
    await enterFrom('203.0.113.9', link, {}, guest).expect(200);
    await guest.get(`/api/shared/${link.token}/files/${fileId}/view`).expect(200);
    // A new password isn't the one that was guessed, and earlier guests aren't counted with strangers.
    const { body } = await change(link, { password: 'dahlias' });
    expect(body).toMatchObject({ passwordAttackedAt: null });
    await guess('203.0.113.9', 'dahlias').expect(200);
    await useUpGuesses(link, 200);
    await useUpGuesses(link, 300, 'link-password-link-attack');
    await guess('203.0.113.9', 'dahlias').expect(429);
    await enterFrom('203.0.113.9', link, { password: 'dahlias' }, guest).expect(200);
  });

  it('allow 200 new guests an hour from neighbouring networks', async () => {
    const link = await create();
    const guest = world.createClient();
    await enterFrom('2001:db8:77:1::1', link, {}, guest).expect(200);
    await useUp('shared-new-guest', `${link.id} 2001:db8:77::/48`, 198);
    await enterFrom('2001:db8:77:2::1', link).expect(200);
    const { headers } = await enterFrom('2001:db8:77:3::1', link).expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await enterFrom('2001:db8:77:3::1', link, {}, guest).expect(200);
    await enterFrom('2001:db8:78:1::1', link).expect(200);
    expect(await readLink(link)).toMatchObject({ currentUses: 3 });
  });
});
