import { MINUTE } from '../../../../src/platform/clock/clock.js';
import {
  createZone,
  joinPublicZone,
  PASSWORD,
  registerUser,
  uniqueName,
  type Actor,
} from '../../../support/people/actors.js';
import { makeAdmin } from '../../../support/people/invitations.js';
import { joinAsRestrictedUser } from '../../../support/people/restricted-user.js';
import { createTestApp } from '../../../support/test-app.js';
import { describeInProcess, World, type Client } from '../../../support/world.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';
import { FilesZone } from '../files-zone.js';
import { replaceFile } from '../versions/version-helpers.js';

interface Unfinished {
  readonly id: number;
  readonly name: string;
  readonly zoneId: number;
  readonly zoneName: string;
  readonly page: number;
  readonly pageCount: number;
  readonly thumbnailUrl: string | null;
}

const none = { page: null, fraction: 0, seconds: null, updatedAt: null };
/** The beginning of an MP4 file. */
const FILM = Buffer.from('000000186674797069736f6d0000000069736f6d6d703431', 'hex');

let world: World;
let here: FilesZone;
let member: Actor;

const execute = <T extends object>(sql: string, params: unknown[] = []) => world.testApp.em().execute<T[]>(sql, params);
/** Records the number of pages of a file's current content, as its rendering does. */
const setPageCount = (id: number, count: number) =>
  execute(
    `insert into file_documents (file_id, content_key, state, page_count, updated_at)
     select id, object_key, 'ready', ?, now() from files where id = ?
     on conflict (file_id) do update set content_key = excluded.content_key, page_count = excluded.page_count`,
    [count, id],
  );
/** A document with 9 pages. */
const createDocument = async (folderId?: number) => {
  const { id } = await here.uploadFile(`${uniqueName('course')}.txt`, folderId);
  await setPageCount(id, 9);
  return id;
};
const save = (id: number | string, body: object, client: Client = member.client) => {
  world.testApp.clock.advance(MINUTE);
  return client.post(`/api/files/${id}/position`).send(body);
};
const read = (id: number, client: Client = member.client) => client.get(`/api/files/${id}/position`);
const readPage = async (id: number, client: Client = member.client) =>
  (await read(id, client).expect(200)).body.page as number | null;
const listUnfinished = async (client: Client = member.client) =>
  (await client.get('/api/home').expect(200)).body.continueReading as Unfinished[];
const listPlaces = async () => (await listUnfinished()).map(({ id, page }) => [id, page]);
const countRows = async (id: number) =>
  (await execute('select 1 from reading_positions where file_id = ?', [id])).length;

describeInProcess('Reading positions', () => {
  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    here = await FilesZone.open(world);
    member = await registerUser(world);
    await joinPublicZone(here.zone, member);
  });
  afterAll(() => world.close());

  it('are kept for the owner, admins and members, also with an incomplete profile, and for no others', async () => {
    const id = await createDocument();
    const [admin, expired] = [await registerUser(world), await registerUser(world)];
    const outsider = await registerUser(world);
    for (const actor of [admin, expired]) await joinPublicZone(here.zone, actor);
    await makeAdmin(world, here.zone, admin);
    await execute('update zone_members set expires_at = ? where user_id = ?', [world.testApp.clock.now(), expired.id]);
    const clients = [here.owner, admin, member, expired, outsider].map(({ client }) => client);
    clients.push(await joinAsRestrictedUser(world, here.zone), world.createClient());
    const statuses: number[][] = [];
    for (const client of clients)
      statuses.push([(await save(id, { page: 3 }, client)).status, (await read(id, client)).status]);
    const allowed = [204, 200];
    expect(statuses).toEqual([allowed, allowed, allowed, [404, 404], [404, 404], allowed, [401, 401]]);
    expect(await countRows(id)).toBe(4);
    const [foreign, missing] = [await save(id, { page: 3 }, outsider.client), await save(999_999_999, { page: 3 })];
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
  });

  it('are shared by the devices of a person, and belong to that person alone', async () => {
    const id = await createDocument();
    const phone = world.createClient();
    await phone.post('/api/login').send({ email: member.email, password: PASSWORD }).expect(200);
    expect((await read(id).expect(200)).body).toEqual(none);
    await save(id, { page: 3, fraction: 0.25 }).expect(204);
    const { body } = await read(id, phone).expect(200);
    expect(body).toEqual({ page: 3, fraction: 0.25, seconds: null, updatedAt: expect.any(String) });
    await save(id, { page: 7 }, phone).expect(204);
    expect((await read(id).expect(200)).body).toMatchObject({ page: 7, fraction: 0 });
    expect(await readPage(id, here.owner.client)).toBeNull();
    expect(await listUnfinished()).toEqual([
      expect.objectContaining({ id, zoneId: here.zone.id, zoneName: here.zone.name, page: 7, pageCount: 9 }),
    ]);
    expect(await listUnfinished(here.owner.client)).toEqual([]);
  });

  it.each([
    [{}],
    [{ page: null }],
    [{ page: 0 }],
    [{ page: -1 }],
    [{ page: 1.5 }],
    [{ page: '3' }],
    [{ page: 10_001 }],
    [{ page: 1e300 }],
    [{ page: 3, fraction: -0.1 }],
    [{ page: 3, fraction: 1.1 }],
    [{ page: 3, fraction: 'x' }],
    [{ page: 3, seconds: 3 }],
    [{ page: 3, userId: 1 }],
    [{ seconds: -1 }],
    [{ seconds: 604_801 }],
  ])('are rejected as invalid: %j', async (body) => {
    const id = await createDocument();
    expect((await save(id, body).expect(400)).body.code).toBe('VALIDATION_FAILED');
    expect(await countRows(id)).toBe(0);
  });

  it('are rejected where the file has no such place', async () => {
    const [id, film] = [await createDocument(), (await here.uploadFile('film.mp4', undefined, FILM)).id];
    const [archive, unknown] = [
      (await here.uploadFile('a.zip', undefined, Buffer.from('504b0506'.padEnd(44, '0'), 'hex'))).id,
      (await here.uploadFile('new.txt')).id,
    ];
    const codeOf = async (file: number, body: object) => (await save(file, body).expect(404)).body.code as string;
    expect(await codeOf(id, { page: 10 })).toBe('PAGE_NOT_FOUND');
    expect(await codeOf(id, { seconds: 3 })).toBe('NOTHING_TO_PLAY');
    expect(await codeOf(film, { page: 1 })).toBe('PAGE_NOT_FOUND');
    expect(await codeOf(archive, { page: 1 })).toBe('PAGE_NOT_FOUND');
    // Its pages haven't been counted yet.
    expect(await codeOf(unknown, { page: 1 })).toBe('PAGE_NOT_FOUND');
    await save(id, { page: 9 }).expect(204);
    await save(film, { seconds: 65 }).expect(204);
    expect((await read(film).expect(200)).body).toMatchObject({ page: null, fraction: 0, seconds: 65 });
  });

  it('appear on the home page from the second page to the last but one, latest first, at most six', async () => {
    const ids: number[] = [];
    for (let number = 0; number < 9; number++) ids.push(await createDocument());
    for (const [index, id] of ids.entries()) await save(id, { page: index + 1 }).expect(204);
    const film = (await here.uploadFile('film.mp4', undefined, FILM)).id;
    await save(film, { seconds: 65 }).expect(204);
    expect(await listPlaces()).toEqual([8, 7, 6, 5, 4, 3].map((page) => [ids[page - 1], page]));
    await save(ids[1]!, { page: 4 }).expect(204);
    expect((await listPlaces())[0]).toEqual([ids[1], 4]);
  });

  it('are hidden while the file is in the trash, and deleted with it', async () => {
    const id = await createDocument();
    await save(id, { page: 3 }).expect(204);
    await here.deleteItem('files', id);
    await save(id, { page: 4 }).expect(404);
    expect(await listPlaces()).toEqual([]);
    await here.post('trash/restore', { fileIds: [id] }).expect(200);
    expect(await listPlaces()).toEqual([[id, 3]]);
    await here.deleteItem('files', id);
    await here.post('trash/purge', { fileIds: [id] }).expect(200);
    await world.testApp.drain();
    expect(await countRows(id)).toBe(0);
  });

  it('are hidden from people who are removed or whose membership has expired', async () => {
    const id = await createDocument();
    await save(id, { page: 3 }).expect(204);
    const setExpiry = (at: Date | null) =>
      execute('update zone_members set expires_at = ? where user_id = ?', [at, member.id]);
    await setExpiry(world.testApp.clock.now());
    expect(await listPlaces()).toEqual([]);
    await setExpiry(null);
    expect(await listPlaces()).toEqual([[id, 3]]);
    await here.owner.client.delete(`/api/zones/${here.zone.id}/members/${member.id}`).expect(204);
    expect(await listPlaces()).toEqual([]);
    await read(id).expect(404);
    await save(id, { page: 5 }).expect(404);
    const [row] = await execute<{ page: number }>('select page from reading_positions where file_id = ?', [id]);
    expect(row).toEqual({ page: 3 });
  });

  it('are clamped to the pages of a file that was replaced', async () => {
    const id = await createDocument();
    await save(id, { page: 8, fraction: 0.5 }).expect(204);
    await replaceFile(here.owner.client, id, 'new.txt', 'new').expect(201);
    expect((await read(id).expect(200)).body).toEqual(none);
    expect(await listPlaces()).toEqual([]);
    await setPageCount(id, 4);
    expect((await read(id).expect(200)).body).toMatchObject({ page: 4, fraction: 0 });
    expect((await save(id, { page: 5 }).expect(404)).body.code).toBe('PAGE_NOT_FOUND');
    await setPageCount(id, 20);
    expect(await listPlaces()).toEqual([[id, 8]]);
  });

  it('lead members of a mirroring zone to the file in their zone, until the mirror is paused', async () => {
    await allowUnlimitedZones(world, here.owner);
    const target = await createZone(here.owner);
    const reader = await registerUser(world);
    await joinPublicZone(target, reader);
    const folderId = await here.createFolder('Papers');
    const id = await createDocument(folderId);
    const mirror = { sourceFolderId: folderId, targetZoneId: target.id, targetFolderName: 'Mirror' };
    await here.post('folder-mirrors', mirror).expect(201);
    await save(id, { page: 3 }, reader.client).expect(204);
    expect(await listUnfinished(reader.client)).toMatchObject([{ id, zoneId: target.id, zoneName: target.name }]);
    await execute('update folder_mirrors set is_active = false where source_folder_id = ?', [folderId]);
    expect(await listUnfinished(reader.client)).toEqual([]);
    await save(id, { page: 4 }, reader.client).expect(404);
  });

  it('are kept for the latest hundred files of a person', async () => {
    const first = await createDocument();
    await save(first, { page: 3 }).expect(204);
    await execute(
      `with added as (
         insert into files (original_name, name_key, mime_type, size, sha256, object_key, storage_type, zone_id,
           created_at, updated_at)
         select 'file ' || n, 'file ' || n, 'text/plain', 0, '', ? || n, 'local', ?, now(), now()
         from generate_series(1, 99) n returning id
       )
       insert into reading_positions (user_id, file_id, page, fraction, updated_at)
       select ?, id, 2, 0, ?::timestamptz + interval '1 second' from added`,
      [uniqueName('many'), here.zone.id, member.id, world.testApp.clock.now()],
    );
    const countOwn = async () =>
      (await execute('select 1 from reading_positions where user_id = ?', [member.id])).length;
    await save(first, { page: 4 }).expect(204);
    expect(await countOwn()).toBe(100);
    const latest = await createDocument();
    await save(latest, { page: 5 }).expect(204);
    expect(await countOwn()).toBe(100);
    expect([await readPage(first), await readPage(latest)]).toEqual([4, 5]);
  });

  it('can be saved 120 times a minute', async () => {
    const id = await createDocument();
    const limited = await createTestApp({ RATE_LIMIT: 'on' }, [], world.testApp.connection);
    try {
      const client = World.prototype.createClient.call({ url: limited.url } as World);
      await client.post('/api/login').send({ email: member.email, password: PASSWORD }).expect(200);
      const saveOnce = (page: number) => client.post(`/api/files/${id}/position`).send({ page });
      for (let times = 0; times < 120; times++) await saveOnce(1 + (times % 9)).expect(204);
      const rejected = await saveOnce(5).expect(429);
      expect(rejected.body.code).toBe('TOO_MANY_REQUESTS');
      expect(await readPage(id)).toBe(3);
    } finally {
      await limited.close();
    }
  });
});
