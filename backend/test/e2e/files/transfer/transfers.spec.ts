import { FileSizeLimitService } from '../../../../src/modules/files/upload/file-size-limit.service.js';
import { UploadReservationService, LEASE } from '../../../../src/modules/files/upload/upload-reservation.service.js';
import { MINUTE } from '../../../../src/platform/clock/clock.js';
import { Storage } from '../../../../src/platform/storage/storage.js';
import { fullOrShort } from '../../../support/full-or-short.js';
import { createZone, joinPublicZone, registerUser, type Actor, type TestZone } from '../../../support/people/actors.js';
import { describeInProcess, World, type Client } from '../../../support/world.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';
import { CrashLeftovers } from '../tree/crash-leftovers.js';
import { createUpload, postUpload, sendChunk } from '../upload/files-tus.js';
import { createFolder, uploadFile } from '../upload/multipart-helpers.js';
import { listVersions, replaceFile } from '../versions/version-helpers.js';

type Rule = 'rename' | 'replace' | 'skip';
interface Items {
  readonly fileIds?: number[];
  readonly folderIds?: number[];
}

let world: World;
let owner: Actor;
/** Two zones of the owner. */
let here: TestZone;
let there: TestZone;

beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  owner = await registerUser(world);
  await allowUnlimitedZones(world, owner);
  [here, there] = [await createZone(owner), await createZone(owner)];
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => world.close());

const execute = <T extends object>(sql: string, params: unknown[] = []) => world.testApp.em().execute<T[]>(sql, params);
const folderIn = (zone: TestZone, name: string, parent?: number) => createFolder(owner.client, zone.id, name, parent);
const fileIn = async (zone: TestZone, name: string, folder?: number, body = 'x') =>
  (await uploadFile(owner.client, zone.id, name, body, folder ? `?folderId=${folder}` : '')).id;
const send = (kind: 'copy' | 'transfer', items: Items, target: number | null = null, onConflict: Rule = 'rename') =>
  owner.client
    .post(`/api/zones/${here.id}/${kind}`)
    .send({ ...items, targetZoneId: there.id, targetFolderId: target, onConflict });
const undo = (undoId: string, { client } = owner) => client.post(`/api/transfers/${undoId}/undo`).send();
const codeOf = async (response: ReturnType<typeof send>, status: number) =>
  (await response.expect(status)).body.code as string;
const read = async (id: number, { client }: { client: Client } = owner) =>
  String((await client.get(`/api/files/${id}/download`).buffer(true).expect(200)).text);

/** Paths of the files and folders of a zone outside the trash, folders with a slash at the end. */
async function listPaths(zone: TestZone): Promise<string[]> {
  const rows = await execute<{ path: string }>(
    `with recursive tree as (
       select id, name || '/' as path from folders where zone_id = ? and parent_id is null and trashed_at is null
       union all
       select f.id, t.path || f.name || '/' from tree t join folders f on f.parent_id = t.id and f.trashed_at is null
     )
     select path from tree
     union all
     select coalesce(t.path, '') || f.original_name from files f left join tree t on t.id = f.folder_id
     where f.zone_id = ? and f.trashed_at is null and (f.folder_id is null or t.id is not null)`,
    [zone.id, zone.id],
  );
  return rows.map(({ path }) => path).sort();
}

/** Requires the counters of both zones and the owner's usage to agree with the rows. */
async function expectExactCounters(): Promise<void> {
  for (const { id } of [here, there]) {
    const [row] = await execute(
      `select s.files = (select count(*) from files f where f.zone_id = s.zone_id and f.trashed_at is null) as files,
         s.folders = (select count(*) from folders f where f.zone_id = s.zone_id and f.trashed_at is null
           and not exists (select from folder_mirrors r where r.target_folder_id = f.id)) as folders,
         s.bytes = (select coalesce(sum(size), 0) from files f where f.zone_id = s.zone_id)
           + (select coalesce(sum(v.size), 0) from file_versions v join files f on f.id = v.file_id
             where f.zone_id = s.zone_id) as bytes
       from zone_stats s where s.zone_id = ?`,
      [id],
    );
    expect(row).toEqual({ files: true, folders: true, bytes: true });
  }
  const [usage] = await execute(
    `select u.used = (select sum(s.bytes) from zone_stats s join zones z on z.id = s.zone_id where z.owner_id = u.owner_id)
       as used, u.reserved::int from usage u where u.owner_id = ? and u.metric = 'bytes'`,
    [owner.id],
  );
  expect(usage ?? { used: true, reserved: 0 }).toEqual({ used: true, reserved: 0 });
}

describeInProcess('Copies and moves between zones', () => {
  it('are for people who manage the files of both zones', async () => {
    const [admin, halfAdmin, member, outsider] = [
      await registerUser(world),
      await registerUser(world),
      await registerUser(world),
      await registerUser(world),
    ];
    for (const actor of [admin, halfAdmin, member]) {
      for (const zone of [here, there]) await joinPublicZone(zone, actor);
    }
    const appoint = (zone: TestZone, { id }: Actor) =>
      execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [zone.id, id]);
    for (const zone of [here, there]) await appoint(zone, admin);
    await appoint(here, halfAdmin);
    const clients = [owner, admin, halfAdmin, member, outsider].map(({ client }) => client);
    for (const kind of ['copy', 'transfer'] as const) {
      const statuses: number[] = [];
      for (const client of [...clients, world.createClient()]) {
        const body = { fileIds: [await fileIn(here, 'a.txt')], targetZoneId: there.id, targetFolderId: null };
        const response = await client.post(`/api/zones/${here.id}/${kind}`).send(body);
        statuses.push(response.status);
        if (response.status === 200) {
          expect((await undo(response.body.undoId as string, outsider).expect(404)).body.code).toBe('UNDO_EXPIRED');
          await undo(response.body.undoId as string, { client } as Actor).expect(200);
        }
        await owner.client.delete(`/api/files/${body.fileIds[0]}`).expect(204);
      }
      expect(statuses).toEqual([200, 200, 403, 403, 404, 401]);
    }
    const foreign = await createZone(outsider);
    await joinPublicZone(foreign, owner);
    await appoint(foreign, owner);
    const body = { fileIds: [await fileIn(here, 'mine.txt')], targetZoneId: foreign.id, targetFolderId: null };
    for (const kind of ['copy', 'transfer']) {
      const { body: error } = await owner.client.post(`/api/zones/${here.id}/${kind}`).send(body).expect(409);
      expect(error.code).toBe('OTHER_ZONE');
    }
  });

  it('reject mirrors, the same zone, and trees that are too deep', async () => {
    let deep: number | undefined;
    for (const name of ['1', '2', '3', '4']) deep = await folderIn(there, name, deep);
    const outer = await folderIn(here, 'outer');
    const inner = await folderIn(here, 'inner', outer);
    const file = await fileIn(there, 'source.txt', deep);
    const mirror = { sourceFolderId: deep, targetZoneId: here.id, targetFolderName: 'Mount' };
    const { body } = await owner.client.post(`/api/zones/${there.id}/folder-mirrors`).send(mirror).expect(201);
    for (const kind of ['copy', 'transfer'] as const) {
      expect(await codeOf(send(kind, { folderIds: [outer] }, deep), 400)).toBe('FOLDER_TOO_DEEP');
      expect(await codeOf(send(kind, { folderIds: [body.targetFolderId] }), 409)).toBe('MIRROR_READ_ONLY');
      expect(await codeOf(send(kind, { fileIds: [file] }), 409)).toBe('MIRROR_READ_ONLY');
      expect(await codeOf(send(kind, { folderIds: [outer] }, inner), 409)).toBe('OTHER_ZONE');
      expect(await codeOf(send(kind, {}), 400)).toBe('NOTHING_CHOSEN');
    }
    const sameZone = { folderIds: [inner], targetZoneId: here.id, targetFolderId: null };
    const { body: error } = await owner.client.post(`/api/zones/${here.id}/transfer`).send(sameZone).expect(409);
    expect(error.code).toBe('SAME_ZONE');
    await owner.client
      .post(`/api/zones/${here.id}/folder-mirrors`)
      .send({ sourceFolderId: inner, targetZoneId: there.id, targetFolderName: 'Inner' })
      .expect(201);
    const rejected = await send('transfer', { folderIds: [outer] }).expect(409);
    expect(rejected.body).toMatchObject({ code: 'MIRRORED_THERE', message: expect.stringContaining('“inner”') });
    expect(await listPaths(here)).toEqual(['Mount/', 'outer/', 'outer/inner/']);
  });

  it.each(['copy', 'transfer'] as const)(
    'resolve taken names by the rule of the request, and undo (%s)',
    async (kind) => {
      const target = await folderIn(there, 'target');
      await fileIn(there, 'A.txt', target, 'old');
      await folderIn(there, 'Box', target);
      const from = await folderIn(here, 'from');
      const items = {
        fileIds: [await fileIn(here, 'a.txt', from, 'new')],
        folderIds: [await folderIn(here, 'box', from)],
      };
      await fileIn(here, 'inside.txt', items.folderIds[0]);
      const kept = await listPaths(here);
      const before = ['target/', 'target/A.txt', 'target/Box/'];
      expect(await listPaths(there)).toEqual(before);
      const skipped = await send(kind, items, target, 'skip').expect(200);
      expect(skipped.body).toEqual({ files: 0, folders: 0, undoId: null });
      const expected = {
        rename: [...before, 'target/a (1).txt', 'target/box (1)/', 'target/box (1)/inside.txt'],
        replace: ['target/', 'target/a.txt', 'target/box/', 'target/box/inside.txt'],
      };
      for (const rule of ['rename', 'replace'] as const) {
        const { body } = await send(kind, items, target, rule).expect(200);
        expect(body).toMatchObject({ files: 2, folders: 1 });
        expect(await listPaths(there)).toEqual(expected[rule].toSorted());
        expect(await listPaths(here)).toEqual(kind === 'copy' ? kept : ['from/']);
        await expectExactCounters();
        expect((await undo(body.undoId as string).expect(200)).body).toEqual({ files: 2, folders: 1 });
        expect(await listPaths(there)).toEqual(before);
        expect(await listPaths(here)).toEqual(kept);
        await expectExactCounters();
        await undo(body.undoId as string).expect(404);
      }
    },
  );
});

describeInProcess('A move to another zone', () => {
  it('takes along what was selected in a selected folder, and puts it back there', async () => {
    const outer = await folderIn(here, 'outer');
    const inner = await folderIn(here, 'inner', outer);
    const fileId = await fileIn(here, 'deep.txt', inner);
    const kept = ['outer/', 'outer/inner/', 'outer/inner/deep.txt'];
    const { body } = await send('transfer', { fileIds: [fileId], folderIds: [inner, outer] }).expect(200);
    expect(body).toMatchObject({ files: 1, folders: 2 });
    expect(await listPaths(there)).toEqual(kept);
    await undo(body.undoId as string).expect(200);
    expect([await listPaths(here), await listPaths(there)]).toEqual([kept, []]);
    await expectExactCounters();
  });

  it('keeps ids, figures, versions, permissions and mirrors, and leaves the trash behind', async () => {
    const third = await createZone(owner);
    const [left, joined, reader] = [await registerUser(world), await registerUser(world), await registerUser(world)];
    await joinPublicZone(here, left);
    await joinPublicZone(there, joined);
    await joinPublicZone(third, reader);
    const top = await folderIn(here, 'top');
    const sub = await folderIn(here, 'sub', top);
    const file = await fileIn(here, 'plan.txt', sub, 'first');
    await replaceFile(owner.client, file, 'plan.txt', 'second').expect(201);
    await owner.client.patch(`/api/files/${file}`).send({ allowText: false }).expect(200);
    const mirror = { sourceFolderId: sub, targetZoneId: third.id, targetFolderName: 'Mirror' };
    await owner.client.post(`/api/zones/${here.id}/folder-mirrors`).send(mirror).expect(201);
    const gone = await folderIn(here, 'gone', sub);
    const goneFile = await fileIn(here, 'gone.txt', gone);
    await owner.client.delete(`/api/folders/${gone}`).expect(204);
    expect(await read(file, left)).toBe('second');
    const before = (await owner.client.get(`/api/files/${file}`).expect(200)).body;
    const { body } = await send('transfer', { folderIds: [top] }).expect(200);
    expect(body).toEqual({ files: 1, folders: 2, undoId: expect.any(String) });
    const after = (await owner.client.get(`/api/files/${file}`).expect(200)).body;
    expect({ ...after, path: null }).toMatchObject({
      id: file,
      version: 2,
      allowText: false,
      createdAt: before.createdAt,
      downloadCount: before.downloadCount,
    });
    expect(await listVersions(owner.client, file)).toHaveLength(2);
    expect([await read(file, joined), await read(file, reader)]).toEqual(['second', 'second']);
    await left.client.get(`/api/files/${file}/download`).expect(404);
    expect(await listPaths(here)).toEqual([]);
    expect(await listPaths(there)).toEqual(['top/', 'top/sub/', 'top/sub/plan.txt']);
    await expectExactCounters();
    const restored = await owner.client.post(`/api/zones/${here.id}/trash/restore`).send({ folderIds: [gone] });
    expect(restored.body).toMatchObject([{ id: gone, folderId: null }]);
    expect(await listPaths(here)).toEqual(['gone/', 'gone/gone.txt']);
    expect(await read(goneFile, left)).toBe('x');
    const types = await execute<{ zone: number; message: string }>(
      `select zone_id::int as zone, params->>'targetZoneName' as message from activity
       where type = 'folder.transferred' and owner_id = ? order by zone_id`,
      [owner.id],
    );
    expect(types).toEqual([here, there].map(({ id }) => ({ zone: id, message: there.name })));
  });

  it('takes along resumable uploads into the folder, and those that replace a file in it', async () => {
    const folder = await folderIn(here, 'folder');
    const file = await fileIn(here, 'old.txt', folder, 'old');
    const upload = await createUpload(owner.client, here, 'new.txt', 6, { folderId: folder });
    await sendChunk(owner.client, upload, 0, 'abc').expect(204);
    const replacement = await createUpload(owner.client, here, 'old.txt', 3, { replaces: file });
    await send('transfer', { folderIds: [folder] }).expect(200);
    await sendChunk(owner.client, upload, 3, 'def').expect(204);
    await sendChunk(owner.client, replacement, 0, 'new').expect(204);
    expect(await listPaths(there)).toEqual(['folder/', 'folder/new.txt', 'folder/old.txt']);
    expect(await read(file)).toBe('new');
    await expectExactCounters();
  });

  it.each(['folder', 'file'] as const)('loses no upload that begins while its %s is moved', async (kind) => {
    const folder = await folderIn(here, 'folder');
    const file = await fileIn(here, 'old.txt', folder);
    const limits = jest.spyOn(world.testApp.app.get(FileSizeLimitService), 'getLimit');
    limits.mockImplementationOnce(async () => {
      await send('transfer', { folderIds: [folder] }).expect(200);
      return 1000;
    });
    const destination = kind === 'folder' ? { folderId: folder } : { replaces: file };
    await postUpload(owner.client, here, 'new.txt', 3, destination).expect(404);
    limits.mockRestore();
    const address = await createUpload(owner.client, there, 'new.txt', 3, destination);
    await sendChunk(owner.client, address, 0, 'abc').expect(204);
    await expectExactCounters();
  });

  it('is undone as far as the items are still there', async () => {
    const from = await folderIn(here, 'from');
    const names = ['renamed.txt', 'deleted.txt', 'taken.txt'];
    const [renamed, deleted, taken] = await Promise.all(names.map((name) => fileIn(here, name, from)));
    const folder = await folderIn(here, 'folder');
    const items = { fileIds: [renamed!, deleted!, taken!], folderIds: [folder] };
    const { body } = await send('transfer', items).expect(200);
    await owner.client.patch(`/api/files/${renamed}/rename`).send({ originalName: 'other.txt' }).expect(200);
    await owner.client.delete(`/api/files/${deleted}`).expect(204);
    await fileIn(here, 'taken.txt', from);
    await fileIn(there, 'added.txt', folder);
    expect((await undo(body.undoId as string).expect(200)).body).toEqual({ files: 3, folders: 1 });
    const expected = ['folder/', 'folder/added.txt', 'from/', 'from/other.txt', 'from/taken (1).txt', 'from/taken.txt'];
    expect(await listPaths(here)).toEqual(expected);
    expect(await listPaths(there)).toEqual([]);
    await expectExactCounters();
    const again = await send('transfer', { fileIds: [taken!] }).expect(200);
    await owner.client.delete(`/api/folders/${from}`).expect(204);
    await undo(again.body.undoId as string).expect(200);
    expect(await listPaths(here)).toEqual(['folder/', 'folder/added.txt', 'taken (1).txt']);
    const late = await send('transfer', { fileIds: [taken!] }).expect(200);
    world.testApp.clock.advance(31 * MINUTE);
    await undo(late.body.undoId as string).expect(404);
  });

  it('neither deadlocks nor miscounts when others move in the opposite direction', async () => {
    const zones = [here, there];
    const folders = await Promise.all(zones.map((zone) => folderIn(zone, 'folder')));
    await Promise.all(zones.map((zone, index) => fileIn(zone, 'file.txt', folders[index])));
    const loose = await Promise.all(zones.map((zone) => fileIn(zone, 'loose.txt')));
    for (let round = 0; round < fullOrShort(8, 4); round++) {
      const responses = await Promise.all(
        [0, 1].flatMap((index) => {
          const [from, to] = round % 2 === 0 ? [index, 1 - index] : [1 - index, index];
          const target = { targetZoneId: zones[to]!.id, targetFolderId: null, onConflict: 'rename' };
          const post = (path: string, body: object) =>
            owner.client.post(`/api/zones/${zones[from]!.id}/${path}`).send({ ...body, ...target });
          return [
            post('transfer', { folderIds: [folders[index]!] }),
            post('transfer', { fileIds: [loose[index]!] }),
            post('copy', { fileIds: [loose[index]!] }),
            owner.client.post(`/api/zones/${zones[to]!.id}/folders`).send({ name: `new ${round}` }),
          ];
        }),
      );
      expect(responses.filter(({ status }) => status >= 500).map(({ body }) => body)).toEqual([]);
      await expectExactCounters();
    }
  });
});

describeInProcess('A copy', () => {
  it('has the current content and the permissions, in bytes of its own', async () => {
    const folder = await folderIn(here, 'folder');
    const file = await fileIn(here, 'a.txt', folder, 'first');
    await replaceFile(owner.client, file, 'a.txt', 'second').expect(201);
    await owner.client.patch(`/api/files/${file}`).send({ allowDownload: false, allowText: false }).expect(200);
    const gone = await fileIn(here, 'gone.txt', folder);
    await owner.client.delete(`/api/files/${gone}`).expect(204);
    const { body } = await send('copy', { folderIds: [folder] }).expect(200);
    expect(body).toEqual({ files: 1, folders: 1, undoId: expect.any(String) });
    await expectExactCounters();
    const { body: copies } = await owner.client.get(`/api/zones/${there.id}/all-files`).expect(200);
    expect(copies).toMatchObject([
      { originalName: 'a.txt', version: 1, size: 6, allowDownload: false, allowText: false },
    ]);
    await owner.client.delete(`/api/folders/${folder}`).expect(204);
    await owner.client.post(`/api/zones/${here.id}/trash/purge`).send({ all: true }).expect(200);
    await world.testApp.drain();
    expect(await read(copies[0].id as number)).toBe('second');
    await expectExactCounters();
  });

  it('can be a duplicate in the same folder, and never replaces itself', async () => {
    const file = await fileIn(here, 'a.txt');
    const folder = await folderIn(here, 'box');
    await fileIn(here, 'b.txt', folder);
    const duplicate = (onConflict: Rule) =>
      owner.client
        .post(`/api/zones/${here.id}/copy`)
        .send({ fileIds: [file], folderIds: [folder], targetZoneId: here.id, targetFolderId: null, onConflict });
    for (const rule of ['replace', 'skip'] as const) {
      expect((await duplicate(rule).expect(200)).body).toEqual({ files: 0, folders: 0, undoId: null });
    }
    expect((await duplicate('rename').expect(200)).body).toMatchObject({ files: 2, folders: 1 });
    const expected = ['a (1).txt', 'a.txt', 'box (1)/', 'box (1)/b.txt', 'box/', 'box/b.txt'];
    expect(await listPaths(here)).toEqual(expected);
    await expectExactCounters();
  });

  it('that does not fit into the plan or fails stores nothing', async () => {
    const ids = await Promise.all(
      ['a.txt', 'b.txt', 'c.txt'].map((name) => fileIn(here, name, undefined, 'x'.repeat(9))),
    );
    const allow = (bytes: number) =>
      execute(`update usage set allowed = ? where owner_id = ? and metric = 'bytes'`, [bytes, owner.id]);
    const copied = jest.spyOn(world.testApp.app.get(Storage), 'copy');
    await allow(27 + 26);
    expect(await codeOf(send('copy', { fileIds: ids }), 403)).toBe('PLAN_LIMIT');
    expect(copied).not.toHaveBeenCalled();
    await allow(27 + 27);
    copied.mockRejectedValueOnce(new Error('The disk broke'));
    await send('copy', { fileIds: ids }).expect(500);
    await send('copy', { fileIds: ids }).expect(200);
    await world.testApp.drain();
    await expectExactCounters();
    await new CrashLeftovers(world).expectNone();
  });

  it('of a process that was killed leaves nothing after the sweep', async () => {
    const ids = await Promise.all(['a.txt', 'b.txt', 'c.txt'].map((name) => fileIn(here, name)));
    const storage = world.testApp.app.get(Storage);
    const copy = storage.copy.bind(storage);
    let copied = 0;
    jest.spyOn(storage, 'copy').mockImplementation(async (from, to) => {
      if (++copied === 3) throw new Error('killed');
      await copy(from, to);
    });
    jest.spyOn(UploadReservationService.prototype, 'abandonFailed').mockResolvedValue();
    await send('copy', { fileIds: ids }).expect(500);
    expect(await execute('select 1 from uploads where owner_id = ?', [owner.id])).toHaveLength(3);
    world.testApp.clock.advance(LEASE + MINUTE);
    await new CrashLeftovers(world).cleanUp();
    await new CrashLeftovers(world).expectNone();
    await expectExactCounters();
  });
});
