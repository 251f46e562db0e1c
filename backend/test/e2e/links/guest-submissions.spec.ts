import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import { ItemLinkRepository } from '../../../src/modules/links/item-links/item-link.repository.js';
import { hiddenCountsSql, isVisibleFileSql } from '../../../src/modules/zones/access/visible-files.sql.js';
import { RateLimitService } from '../../../src/platform/http/limits/rate-limit.service.js';
import { RetentionService } from '../../../src/modules/retention/retention.service.js';
import { allowUnlimitedZones } from '../mirrors/mirror-helpers.js';
import { createZone, joinPublicZone, registerUser, uniqueName, type Actor } from '../../support/people/actors.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { readZip } from '../../support/zip.js';
import { FilesZone } from '../files/files-zone.js';
import { parseBytes } from '../files/reading/archive-helpers.js';
import { buildMultipart, uploadFile, type FormPart } from '../files/upload/multipart-helpers.js';

interface TestLink {
  readonly id: number;
  readonly token: string;
}

interface SentFile {
  readonly id: number;
  readonly name: string;
  readonly isSent: boolean;
  readonly can: { readonly remove: boolean };
}

const DAY = 86_400_000;

/** A zone with folders that request files, and links to them. */
class RequestZone {
  private constructor(
    readonly world: World,
    readonly files: FilesZone,
  ) {}

  static async open(world: World): Promise<RequestZone> {
    return new RequestZone(world, await FilesZone.open(world));
  }

  get owner(): Client {
    return this.files.owner.client;
  }

  execute<T extends object = object>(sql: string, params: unknown[] = []): Promise<T[]> {
    return this.world.testApp.em().execute<T[]>(sql, params);
  }

  async requestFiles(terms: object = {}): Promise<number> {
    const folderId = await this.files.createFolder(uniqueName('request'));
    await this.save(folderId, terms).expect(200);
    return folderId;
  }

  save(folderId: number, terms: object) {
    return this.owner.put(`/api/folders/${folderId}/file-request`).send({ isPrivate: false, ...terms });
  }

  create(folderId: number, fields: object = {}) {
    const body = { name: 'Link', needsEmail: true, allowUploads: true, ...fields };
    return this.owner.post(`/api/folders/${folderId}/links`).send(body);
  }

  async createLink(folderId: number, fields: object = {}): Promise<TestLink> {
    return (await this.create(folderId, fields).expect(201)).body as TestLink;
  }

  change(link: TestLink, fields: object) {
    return this.owner.patch(`/api/item-links/${link.id}`).send(fields);
  }

  async enter(link: TestLink, email = 'ada@example.org', client = this.world.createClient()): Promise<Client> {
    await client.post(pathOf(link, '/enter')).send({ email }).expect(200);
    return client;
  }

  async submissions(folderId: number) {
    const path = `/api/folders/${folderId}/file-request/submissions`;
    return (await this.owner.get(path).expect(200)).body as { name: string; sender: object | null }[];
  }

  async readUsage() {
    const [row] = await this.execute<{ used: string; reserved: string }>(
      `select used, reserved from usage where owner_id = ? and metric = 'bytes'`,
      [this.files.owner.id],
    );
    return { used: Number(row?.used ?? 0), reserved: Number(row?.reserved ?? 0) };
  }
}

const pathOf = ({ token }: { token: string }, rest = '') => `/api/shared/${token}${rest}`;
const post = (client: Client, link: { token: string }, ...parts: FormPart[]) => {
  const { type, body } = buildMultipart(...parts);
  return client.post(pathOf(link, '/files')).set('Content-Type', type).send(body);
};
const send = (client: Client, link: { token: string }, name: string, body: Buffer | string = 'sent') =>
  post(client, link, { name, body });
const sendFile = async (client: Client, link: { token: string }, name: string, body?: Buffer | string) =>
  (await send(client, link, name, body).expect(201)).body[0] as SentFile;
const list = async (client: Client, link: { token: string }) =>
  (await client.get(pathOf(link, '/files')).expect(200)).body as SentFile[];
const namesOf = (files: readonly { name: string }[]) => files.map(({ name }) => name);
const describeLink = async (client: Client, link: { token: string }) =>
  (await client.get(pathOf(link)).expect(200)).body.item;
const codesOf = async (responses: Promise<{ status: number; body: { code?: string } }>[]) =>
  (await Promise.all(responses)).map(({ status, body }) => body.code ?? status);

describeInProcess('Files of guests for file requests', () => {
  let world: World;
  let zone: RequestZone;
  let member: Actor;
  beforeAll(async () => {
    world = await World.open();
    zone = await RequestZone.open(world);
    member = await registerUser(world, { firstName: 'Sena', lastName: 'Kaya' });
    await joinPublicZone(zone.files.zone, member);
    await allowUnlimitedZones(world, zone.files.owner);
  });
  afterAll(() => world.close());

  it('are accepted by links that ask for the address, to folders that request files', async () => {
    const folderId = await zone.requestFiles();
    const plain = await zone.files.createFolder(uniqueName('plain'));
    const file = await zone.files.uploadFile('a.txt');
    const errorsOf = async (request: ReturnType<Client['post']>) =>
      Object.keys((await request.expect(400)).body.errors);
    expect(await errorsOf(zone.create(plain))).toEqual(['allowUploads']);
    expect(await errorsOf(zone.create(folderId, { needsEmail: false }))).toEqual(['needsEmail']);
    expect(await errorsOf(zone.create(folderId, { allowUploads: 'yes' }))).toEqual(['allowUploads']);
    const toFile = { name: 'x', needsEmail: true, allowUploads: true };
    expect(await errorsOf(zone.owner.post(`/api/files/${file.id}/links`).send(toFile))).toEqual(['allowUploads']);
    const link = await zone.createLink(folderId, { allowUploads: false, needsEmail: false });
    expect(link).toMatchObject({ allowUploads: false, isFolderRequesting: true });
    expect(await errorsOf(zone.change(link, { allowUploads: true }))).toEqual(['needsEmail']);
    const { body } = await zone.change(link, { allowUploads: true, needsEmail: true }).expect(200);
    expect(body.allowUploads).toBe(true);
    expect(await errorsOf(zone.change(link, { needsEmail: false }))).toEqual(['needsEmail']);
    await zone.owner.delete(`/api/folders/${folderId}/file-request`).expect(204);
    await zone.save(folderId, {}).expect(200);
    // Another request doesn't open earlier links again.
    expect((await zone.owner.get(`/api/item-links/${link.id}`).expect(200)).body.allowUploads).toBe(false);
  });

  it('are sent and removed only by guests of the link', async () => {
    const folderId = await zone.requestFiles();
    const link = await zone.createLink(folderId);
    const other = await zone.createLink(folderId, { allowUploads: false });
    const guest = await zone.enter(link);
    const peer = await zone.enter(link, 'bob@example.org');
    const ofOther = await zone.enter(other);
    const stranger = await registerUser(world);
    const admin = await registerUser(world);
    await joinPublicZone(zone.files.zone, admin);
    await zone.execute(`update zone_members set role = 'admin' where user_id = ?`, [admin.id]);
    const people = [zone.owner, admin.client, member.client, stranger.client, world.createClient(), guest, ofOther];
    const notEntered = Array(5).fill('SHARED_NOT_ENTERED');
    const { id } = await sendFile(guest, link, 'mine.txt');
    expect(await codesOf(people.map(async (client) => send(client, link, 'x')))).toEqual([
      ...[...notEntered, 201],
      'SHARED_NOT_ENTERED',
    ]);
    expect((await send(ofOther, other, 'x').expect(403)).body.code).toBe('SHARED_NO_UPLOADS');
    const remove = (client: Client, token = link) => client.delete(pathOf(token, `/files/${id}`));
    expect(await codesOf([...people.slice(0, 5), ofOther].map(async (client) => remove(client)))).toEqual([
      ...notEntered,
      'SHARED_NOT_ENTERED',
    ]);
    expect(await codesOf([peer, ofOther].map(async (client, n) => remove(client, n ? other : link)))).toEqual(
      Array(2).fill('SHARED_NOT_REMOVABLE'),
    );
    expect((await list(peer, link))[0]).toMatchObject({ name: 'mine.txt', isSent: false, can: { remove: false } });
    expect((await list(guest, link))[0]).toMatchObject({ name: 'mine.txt', isSent: true, can: { remove: true } });
    await remove(guest).expect(204);
    await remove(guest).expect(404);
    expect(namesOf(await list(guest, link))).toEqual(['x']);
    expect((await zone.files.listTrash())[0]).toMatchObject({ id, deletedBy: null });
  });

  it('are described, recorded and shown to the owner with the address', async () => {
    const folderId = await zone.requestFiles({ instructions: 'Essay', maxFilesPerPerson: 3, isPrivate: true });
    const link = await zone.createLink(folderId);
    const guest = await zone.enter(link, 'Ada@Example.org');
    const request = { instructions: 'Essay', isOpen: true, isPrivate: true, maxFilesPerPerson: 3, closesAt: null };
    expect((await describeLink(guest, link)).fileRequest).toEqual({
      ...request,
      ...{ maxFileBytes: 100 * 2 ** 20, sentFiles: 0, canSend: true },
    });
    const two = ['a', 'b'].map((name) => ({ name: `${name}.txt`, body: name }));
    const { body } = await post(guest, link, ...two).expect(201);
    expect(body).toMatchObject([{ isSent: true, can: { remove: true } }, { isSent: true }]);
    expect((await describeLink(guest, link)).fileRequest).toMatchObject({ sentFiles: 2 });
    await uploadFile(member.client, zone.files.zone.id, 'm.txt', 'm', `?folderId=${folderId}`);
    const rows = await zone.submissions(folderId);
    expect(rows.map(({ sender }) => sender)).toEqual([
      { id: member.id, name: 'Sena Kaya', email: null, code: null, isGuest: false },
      ...Array(2).fill({
        ...{ id: null, name: null, email: 'ada@example.org', isGuest: true },
        code: expect.stringMatching(/^[0-9a-f]{6}$/),
      }),
    ]);
    // Addresses are in no names, which others may see once the owner moves the files.
    expect(namesOf(rows)).toEqual([
      'm (Sena Kaya).txt',
      expect.stringMatching(/^b \([0-9a-f]{6}\)\.txt$/),
      expect.stringMatching(/^a \([0-9a-f]{6}\)\.txt$/),
    ]);
    const { body: exported } = await zone.owner.get('/api/user/export').expect(200);
    expect(JSON.stringify(exported.receivedFiles)).toContain('ada@example.org');
    expect(exported.itemLinks.at(-1)).toMatchObject({ allowUploads: true });
  });

  it('stay the owner’s with the address after the guest and the link are deleted', async () => {
    const folderId = await zone.requestFiles({ isPrivate: true });
    const [link, second] = [await zone.createLink(folderId), await zone.createLink(folderId)];
    const [guest, later] = [await zone.enter(link, 'old@example.org'), await zone.enter(second, 'two@example.org')];
    await sendFile(guest, link, 'a.txt');
    await sendFile(later, second, 'b.txt');
    await zone.execute('update item_guests set last_at = ? where link_id = ?', [
      new Date(world.now() - 402 * DAY),
      link.id,
    ]);
    await world.testApp.app.get(RetentionService).applyPolicies(new AbortController().signal);
    await guest.get(pathOf(link, '/files')).expect(403);
    await zone.owner.delete(`/api/item-links/${second.id}`).expect(204);
    const senders = (await zone.submissions(folderId)).map(({ sender }) => sender);
    expect(senders).toMatchObject([{ email: 'old@example.org' }, { email: 'two@example.org' }]);
    const { body } = await member.client.get(`/api/zones/${zone.files.zone.id}/files?folderId=${folderId}`).expect(200);
    expect(body).toEqual([]);
  });

  it('keep to every limit, also of parallel uploads', async () => {
    const folderId = await zone.requestFiles({ maxFilesPerPerson: 3, maxFileBytes: 100 });
    const link = await zone.createLink(folderId, { maxUses: 2 });
    const [guest, peer] = [await zone.enter(link), await zone.enter(link, 'bob@example.org')];
    await world.createClient().post(pathOf(link, '/enter')).send({ email: 'c@example.org' }).expect(410);
    const before = await zone.readUsage();
    const codes = await codesOf(Array.from({ length: 20 }, async (_, n) => send(guest, link, `f${n % 2}`)));
    expect(codes.filter((code) => code === 201)).toHaveLength(3);
    expect(codes.filter((code) => code === 'FILE_REQUEST_LIMIT')).toHaveLength(17);
    const { body } = await send(guest, link, 'x').expect(403);
    expect(body.message).toBe('You can send at most 3 files here.');
    await sendFile(peer, link, 'fits', Buffer.alloc(100));
    expect((await send(peer, link, 'big', Buffer.alloc(101)).expect(413)).body.code).toBe('FILE_TOO_LARGE');
    expect(await zone.readUsage()).toEqual({ used: before.used + 3 * 4 + 100, reserved: 0 });

    const setUsed = (sql: string) =>
      zone.execute(`update usage set used = ${sql} where owner_id = ? and metric = 'bytes'`, [zone.files.owner.id]);
    const { used } = await zone.readUsage();
    await setUsed('allowed - 10');
    const full = await codesOf(['a', 'b'].map(async (name) => send(peer, link, name, Buffer.alloc(6))));
    expect(full.toSorted()).toEqual([201, 'ZONE_FULL']);
    await setUsed(String(used + 6));
    expect((await zone.readUsage()).reserved).toBe(0);
  });

  it.each<[string, string, (at: { link: TestLink; folderId: number }) => string]>([
    [
      'a deadline',
      'FILE_REQUEST_CLOSED',
      ({ folderId }) => `update file_requests set closes_at = clock_timestamp() where folder_id = ${folderId}`,
    ],
    [
      'the end of the request',
      'SHARED_NO_UPLOADS',
      ({ folderId }) => `delete from file_requests where folder_id = ${folderId}`,
    ],
    [
      'a change of the link',
      'SHARED_NO_UPLOADS',
      ({ link }) => `update item_links set request_folder_id = null where id = ${link.id}`,
    ],
    ['a pause', 'SHARED_NOT_FOUND', ({ link }) => `update item_links set is_active = false where id = ${link.id}`],
    ['the deletion of the link', 'SHARED_NOT_FOUND', ({ link }) => `delete from item_links where id = ${link.id}`],
    [
      'another password',
      'SHARED_NOT_ENTERED',
      ({ link }) => `update item_links set password = 'x' where id = ${link.id}`,
    ],
    [
      'the deletion of the folder',
      'SHARED_CHANGED',
      ({ folderId }) => `update folders set trashed_at = now(), trash_id = gen_random_uuid() where id = ${folderId}`,
    ],
  ])('are rejected completely by %s during the upload', async (_, code, change) => {
    const folderId = await zone.requestFiles();
    const link = await zone.createLink(folderId);
    const guest = await zone.enter(link);
    const before = await zone.readUsage();
    const name = uniqueName('f').replace(/\W/g, '');
    // The change happens between the first check and the transaction that inserts the file.
    await zone.execute(`create function change_${name}() returns trigger language plpgsql as $$
      begin ${change({ link, folderId })}; return new; end $$`);
    await zone.execute(
      `create trigger change_${name} before insert on uploads for each row execute function change_${name}()`,
    );
    try {
      expect((await send(guest, link, 'late.txt')).body.code).toBe(code);
    } finally {
      await zone.execute(`drop function change_${name} cascade`);
    }
    expect(await zone.execute('select id from files where folder_id = ?', [folderId])).toEqual([]);
    expect(await zone.readUsage()).toEqual(before);
    expect(await zone.execute('select id from uploads where owner_id = ?', [zone.files.owner.id])).toEqual([]);
  });

  it('follow the link and the request: paused, expired, stopped, moved, in the trash', async () => {
    const folderId = await zone.requestFiles();
    const link = await zone.createLink(folderId);
    const guest = await zone.enter(link);
    const own = await sendFile(guest, link, 'own.txt');
    const codes = async () => codesOf([send(guest, link, 'x'), guest.delete(pathOf(link, `/files/${own.id}`))]);
    await zone.change(link, { isActive: false }).expect(200);
    expect(await codes()).toEqual(['SHARED_NOT_FOUND', 'SHARED_NOT_FOUND']);
    await zone.change(link, { isActive: true }).expect(200);
    await zone.execute('update file_requests set closes_at = clock_timestamp() where folder_id = ?', [folderId]);
    expect(await codes()).toEqual(['FILE_REQUEST_CLOSED', 'SHARED_NOT_REMOVABLE']);
    expect((await describeLink(guest, link)).fileRequest).toMatchObject({ isOpen: false, canSend: false });
    await zone.execute('update file_requests set closes_at = null where folder_id = ?', [folderId]);
    const parent = await zone.files.createFolder(uniqueName('parent'));
    await zone.files.post('move', { folderIds: [folderId], targetFolderId: parent }).expect(200);
    await sendFile(guest, link, 'moved.txt');
    const trashId = await zone.files.deleteItem('folders', parent);
    expect(await codes()).toEqual(['SHARED_NOT_FOUND', 'SHARED_NOT_FOUND']);
    await zone.files.post('trash/restore', { trashId }).expect(200);
    await zone.owner.delete(`/api/folders/${folderId}/file-request`).expect(204);
    expect(await codes()).toEqual(['SHARED_NO_UPLOADS', 'SHARED_NOT_REMOVABLE']);
    expect((await describeLink(guest, link)).fileRequest).toBeNull();
    expect(namesOf(await list(guest, link))).toEqual(['moved.txt', 'own.txt']);
  });

  it('keep private files from other guests and members in every route', async () => {
    const folderId = await zone.requestFiles({ isPrivate: true });
    const link = await zone.createLink(folderId);
    const guest = await zone.enter(link, 'ada@example.org');
    const hidden = await sendFile(guest, link, 'secret.txt', 'whispering');
    await zone.files.uploadFile('example.txt', folderId);
    // Addresses aren't verified, so the same one in another browser is another guest.
    const same = await zone.enter(link, 'ada@example.org');
    const reading = await zone.createLink(folderId, { allowUploads: false });
    const others: [Client, TestLink][] = [
      [same, link],
      [await zone.enter(link, 'bob@example.org'), link],
      [await zone.enter(reading), reading],
    ];
    const rest = ['', '/view', '/download', '/pages', '/pages/1', '/pages/1/text', '/pages/search?q=whispering'];
    const download = async (client: Client, at: TestLink) => {
      const zip = await client.get(pathOf(at, '/download')).buffer(true).parse(parseBytes).expect(200);
      return [...readZip(zip.body as Buffer).keys()].join();
    };
    for (const [client, at] of others) {
      expect(namesOf(await list(client, at))).toEqual(['example.txt']);
      for (const route of rest) await client.get(pathOf(at, `/files/${hidden.id}${route}`)).expect(404);
      await client.delete(pathOf(at, `/files/${hidden.id}`)).expect(404);
      expect(await download(client, at)).not.toContain('secret');
    }
    await member.client.get(`/api/files/${hidden.id}`).expect(404);
    await zone.owner.get(`/api/files/${hidden.id}/view`).expect(200);
    expect(namesOf(await list(guest, link))).toEqual(['example.txt', hidden.name]);
    await guest.get(pathOf(link, `/files/${hidden.id}/view`)).expect(200);
    expect(await download(guest, link)).toContain('secret');
    // The same name from somebody else gets no number, which would tell that the file exists.
    expect((await sendFile(same, link, 'secret.txt')).name).toMatch(/^secret \([0-9a-f]{6}\)\.txt$/);
    await zone.files.post('move', { fileIds: [hidden.id], targetFolderId: null }).expect(200);
    await member.client.get(`/api/files/${hidden.id}`).expect(200);
  });

  it('ask guests who entered before to enter again, of whom one keeps the place', async () => {
    const folderId = await zone.requestFiles({ isPrivate: true });
    const link = await zone.createLink(folderId, { allowUploads: false, maxUses: 1 });
    const first = await zone.enter(link);
    // The link has no place left, so this is the browser of somebody who has entered with the same cookie.
    const second = world.createClient();
    const { headers } = await first.post(pathOf(link, '/enter')).send({ email: 'ada@example.org' }).expect(200);
    const cookie = (headers['set-cookie'] as unknown as [string])[0].split(';')[0]!;
    await zone.change(link, { allowUploads: true }).expect(200);
    expect((await first.get(pathOf(link)).expect(200)).body).toMatchObject({ needsEmail: true, item: null });
    await send(first, link, 'x').expect(403);
    await zone.enter(link, 'ada@example.org', first);
    await sendFile(first, link, 'first.txt');
    await second.get(pathOf(link, '/files')).set('Cookie', cookie).expect(403);
    await second.post(pathOf(link, '/enter')).set('Cookie', cookie).send({ email: 'ada@example.org' }).expect(410);
    expect((await zone.owner.get(`/api/item-links/${link.id}`)).body.currentUses).toBe(1);
  });

  it('are hostile input without effect', async () => {
    const folderId = await zone.requestFiles();
    const elsewhere = await zone.files.createFolder(uniqueName('elsewhere'));
    const existing = await zone.files.uploadFile('a.txt', folderId, 'theirs');
    const link = await zone.createLink(folderId);
    const guest = await zone.enter(link);
    const fields = [
      { field: 'folderId', body: String(elsewhere) },
      { field: 'onConflict', body: 'replace' },
    ];
    const { body } = await post(guest, link, ...fields, { name: 'a.txt', body: 'mine' }).expect(201);
    expect(namesOf(body)).toEqual(['a (1).txt']);
    expect((await zone.owner.get(`/api/files/${existing.id}/view`)).text).toBe('theirs');
    for (const name of ['../../etc/passwd', 'a\\b', '..', ' ', 'x'.repeat(300), '\u202egpj.exe'])
      expect([name, (await send(guest, link, name)).status]).toEqual([name, 400]);
    await post(guest, link, ...Array.from({ length: 201 }, (_, n) => ({ name: `f${n}`, body: 'x' }))).expect(400);
    await post(guest, link, { field: 'other', name: 'x', body: 'x' }).expect(400);
    await post(guest, link).expect(400);
    await guest.post(pathOf(link, '/files')).send({ files: [] }).expect(415);
    await guest.delete(pathOf(link, '/files/0')).expect(404);
    const html = await sendFile(guest, link, 'page.html', '<script>alert(1)</script>');
    const { headers } = await guest.get(pathOf(link, `/files/${html.id}/view`)).expect(200);
    expect(headers['content-disposition']).toMatch(/^attachment/);
    expect(namesOf(await list(guest, link))).toEqual(['a (1).txt', 'a.txt', 'page.html']);
  });

  describe('and of members, in the trash', () => {
    it.each(['deleted permanently', 'in the trash', 'in another zone'])(
      'stay private when they are restored to the root while their folder is %s',
      async (place) => {
        const folderId = await zone.requestFiles({ isPrivate: true });
        const link = await zone.createLink(folderId);
        const guest = await zone.enter(link);
        const ofGuest = await sendFile(guest, link, `${uniqueName('g')}.txt`);
        const query = `?folderId=${folderId}`;
        const ofMember = await uploadFile(member.client, zone.files.zone.id, `${uniqueName('m')}.txt`, 'm', query);
        const peer = await registerUser(world);
        await joinPublicZone(zone.files.zone, peer);
        const moved = await uploadFile(member.client, zone.files.zone.id, `${uniqueName('p')}.txt`, 'p', query);
        await zone.files.post('move', { fileIds: [moved.id], targetFolderId: null }).expect(200);
        const countsOf = async ({ client }: Actor) =>
          (await client.get(`/api/zones/${zone.files.zone.id}`).expect(200)).body.fileCount as number;
        const before = await countsOf(peer);
        for (const { id } of [ofGuest, ofMember]) await zone.files.deleteItem('files', id);
        if (place === 'in another zone') {
          const { id: targetZoneId } = await createZone(zone.files.owner);
          await zone.files.post('transfer', { folderIds: [folderId], targetZoneId, targetFolderId: null }).expect(200);
        } else await zone.files.deleteItem('folders', folderId);
        if (place === 'deleted permanently') {
          await zone.files.post('trash/purge', { folderIds: [folderId] }).expect(200);
          await world.testApp.drain();
        }
        await zone.files.post('trash/restore', { fileIds: [ofGuest.id, ofMember.id] }).expect(200);
        const statusOf = async ({ client }: Actor, id: number) => (await client.get(`/api/files/${id}`)).status;
        expect([await statusOf(peer, ofGuest.id), await statusOf(peer, ofMember.id)]).toEqual([404, 404]);
        expect([await statusOf(member, ofGuest.id), await statusOf(member, ofMember.id)]).toEqual([404, 200]);
        expect(await statusOf(peer, moved.id)).toBe(200);
        expect(await countsOf(peer)).toBe(before);
        // A manager who moves it publishes it, also back at the root.
        for (const targetFolderId of [await zone.files.createFolder(uniqueName('target')), null]) {
          await zone.files.post('move', { fileIds: [ofMember.id], targetFolderId }).expect(200);
          expect(await statusOf(peer, ofMember.id)).toBe(200);
        }
      },
    );
  });
});

describeInProcess('Queries that hide files', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open();
  });
  afterAll(() => world.close());

  interface PlanNode {
    readonly 'Node Type': string;
    readonly 'Relation Name'?: string;
    readonly 'Index Name'?: string;
    readonly Plans?: readonly PlanNode[];
  }
  const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

  it('use indexes among 100,000 files and links', async () => {
    const files = await FilesZone.open(world);
    const [zoneId, folderId] = [files.zone.id, await files.createFolder('request')];
    const em = world.testApp.em().fork();
    await em.begin();
    try {
      // Everything is rolled back. Without triggers and the indexes that these queries don't use, rows are cheap.
      await em.execute('set local session_replication_role = replica');
      const kept = ['files_pkey', 'files_zone_id_index', 'files_folder_id_index', 'files_zone_id_folder_id_name_index'];
      const indexes = await em.execute<{ name: string }[]>(
        `select indexrelid::regclass::text as name from pg_index i
         left join pg_constraint c on c.conindid = i.indexrelid
         where indrelid = 'files'::regclass and c.oid is null and indexrelid::regclass::text <> all(?)`,
        [`{${kept.join()}}`],
      );
      for (const { name } of indexes) await em.execute(`drop index ${name}`);
      // A tenth is in one zone, and half of it in one folder, from 100 people.
      await em.execute(
        `insert into files (original_name, name_key, mime_type, size, sha256, object_key, storage_type, zone_id, folder_id,
           created_at, updated_at)
         select 'f' || n, 'f' || n, 'text/plain', 1, 'x', 'plan/' || n, 'local',
           case when n % 10 = 0 then ? else 1000000 + n % 1000 end,
           case when n % 20 = 0 then ? when n % 10 <> 0 then 1000000 + n % 1000 end, now(), now()
         from generate_series(1, 100000) n`,
        [zoneId, folderId],
      );
      await em.execute(
        `insert into file_submissions (file_id, folder_id, user_id, is_private)
         select id, folder_id, 1000000 + id % 100, true from files where folder_id is not null`,
      );
      await em.execute(
        `insert into item_links (file_id, name, token, created_at, updated_at)
         select id, 'Link', 'plan-' || id, now(), now() from files`,
      );
      await em.execute('analyze files, file_submissions, item_links');
      const explain = async (statement: CompiledQuery) => {
        const text = { ...statement, sql: `explain (format json) ${statement.sql}` };
        const { rows } = await em.getKysely().executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(text);
        const [{ Plan }] = rows[0]!['QUERY PLAN'];
        return flatten(Plan);
      };
      const compile = (statement: RawBuilder<unknown>) => statement.compile(em.getKysely());
      const readWhole = (nodes: PlanNode[]) =>
        nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']);
      for (const viewer of [1_000_001, null, { guestKey: '8b1f7c7e-5d5a-4b2c-9d4e-0f6a7b8c9d0e' }]) {
        const page = await explain(
          compile(sql`
            select id from files f where zone_id = ${zoneId} and coalesce(folder_id, 0) = ${folderId}
              and trashed_at is null and ${isVisibleFileSql('f', viewer)} order by original_name, id limit 200`),
        );
        expect(readWhole(page)).toEqual([]);
        const hidden = await explain(
          compile(
            sql`select h.* from zones z, lateral ${hiddenCountsSql(sql.ref('z.id'), viewer)} h where z.id = ${zoneId}`,
          ),
        );
        expect(readWhole(hidden)).not.toContain('files');
        expect(readWhole(hidden)).not.toContain('file_submissions');
      }
      const links = world.testApp.app.get(ItemLinkRepository);
      const other = 1_000_001;
      const ofZone = await explain(
        links['linksQuery']().where(links['isInZone'](other)).orderBy('l.id', 'desc').limit(100).compile(),
      );
      expect(readWhole(ofZone)).not.toContain('files');
      expect(readWhole(ofZone)).not.toContain('item_links');
    } finally {
      await em.rollback();
    }
  });
});

describeInProcess('Limits of the files of guests', () => {
  let world: World;
  let zone: RequestZone;
  beforeAll(async () => {
    world = await World.open({ RATE_LIMIT: 'on', TRUST_PROXY: 'loopback' });
    zone = await RequestZone.open(world);
  });
  afterAll(() => world.close());

  it('are 400 files an hour for neighbouring networks and 1,000 for a link', async () => {
    const folderId = await zone.requestFiles();
    const link = await zone.createLink(folderId);
    const guest = await zone.enter(link);
    const sendFrom = (network: string, ...names: string[]) =>
      post(guest, link, ...names.map((name) => ({ name, body: 'x' }))).set('X-Forwarded-For', network);
    const useUp = (name: string, subject: string | number, amount: number) =>
      world.testApp.app.get(RateLimitService).consumeUpTo({ name, limit: 1, window: 3_600_000 }, subject, amount);
    await useUp('shared-submission-network', `${link.id} 198.51.100.0/24`, 399);
    const { headers } = await sendFrom('198.51.100.1', 'a', 'b').expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(await list(guest, link)).toEqual([]);
    await sendFrom('203.0.113.1', 'a').expect(201);
    await useUp('shared-submission-link', link.id, 998);
    await sendFrom('203.0.113.1', 'b').expect(429);
    world.testApp.clock.advance(3_600_000);
    await sendFrom('198.51.100.1', 'b').expect(201);
  });
});
