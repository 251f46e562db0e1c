import { readdir } from 'node:fs/promises';
import { join as path } from 'node:path';
import { DAY } from '../../../../src/platform/clock/clock.js';
import { CronScheduler } from '../../../../src/platform/jobs/cron/cron-scheduler.js';
import { expireTrash } from '../../../../src/modules/files/files.jobs.js';
import { createZone, joinPublicZone, registerUser, uniqueName, type TestZone } from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { uploadFile } from '../upload/multipart-helpers.js';
import { FilesZone } from '../files-zone.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';
import { fullOrShort } from '../../../support/full-or-short.js';

let world: World;
let here: FilesZone;

beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  here = await FilesZone.open(world);
});
afterAll(() => world.close());

describeInProcess('Purging the trash', () => {
  const execute = (sql: string, params: unknown[] = []) =>
    world.testApp.em().execute<Record<string, unknown>[]>(sql, params);
  const listObjects = async () => {
    const root = path(world.testApp.config.dataDir, 'files');
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).length;
  };
  const bytes = async () => {
    const [row] = await execute(
      `select (select coalesce(sum(used), 0)::int from usage where owner_id = ? and metric = 'bytes') as used,
        (select bytes::int from zone_stats where zone_id = ?) as counted`,
      [here.owner.id, here.zone.id],
    );
    return row;
  };
  const runExpiryJob = () =>
    world.testApp.app.get(CronScheduler).enqueueCronRun(expireTrash, world.testApp.clock.now());

  it('frees the bytes at once and deletes the objects soon after', async () => {
    await here.uploadFile('first');
    const before = await listObjects();
    const outer = await here.createFolder('outer');
    await here.uploadFile('a.bin', await here.createFolder('inner', outer), Buffer.alloc(1000));
    const [survivor, early] = [
      await here.uploadFile('kept.bin', outer, Buffer.alloc(10)),
      await here.uploadFile('early', outer, Buffer.alloc(5)),
    ];
    await here.owner.client.patch(`/api/files/${survivor.id}/move`).send({ targetFolderId: null }).expect(200);
    await here.deleteItem('files', early.id);
    const member = await registerUser(world);
    await joinPublicZone(here.zone, member);
    await member.client.get(`/api/files/${survivor.id}/download`).expect(200);
    await here.deleteItem('folders', outer);
    expect(await bytes()).toEqual({ used: 1016, counted: 1016 });
    const { body } = await here.post('trash/purge', { folderIds: [outer] }).expect(200);
    expect(body).toEqual({ files: 1, bytes: 1000 });
    expect(await bytes()).toEqual({ used: 16, counted: 16 });
    expect((await here.listTrash()).map(({ id }) => id)).toEqual([early.id]);
    expect((await here.post('trash/purge', { all: true }).expect(200)).body).toEqual({ files: 1, bytes: 5 });
    expect((await here.post('trash/purge', { all: true }).expect(200)).body).toEqual({ files: 0, bytes: 0 });
    expect(await bytes()).toEqual({ used: 11, counted: 11 });
    await world.testApp.drain();
    expect(await listObjects()).toBe(before + 1);
    expect(await execute('select 1 from folders where zone_id = ?', [here.zone.id])).toEqual([]);
    expect(await execute('select file_id from file_stats where file_id = ?', [survivor.id])).toHaveLength(1);
  });

  it('is restricted to the owner, while zone admins can trash and restore', async () => {
    const file = await here.uploadFile('kept');
    await here.deleteItem('files', file.id);
    const helper = await registerUser(world);
    await joinPublicZone(here.zone, helper);
    const sql = `update zone_members set role = 'admin' where zone_id = ? and user_id = ?`;
    await execute(sql, [here.zone.id, helper.id]);
    const path = `/api/zones/${here.zone.id}/trash`;
    for (const body of [{ fileIds: [file.id] }, { all: true }]) {
      expect((await helper.client.post(`${path}/purge`).send(body).expect(403)).body.code).toBe('ZONE_FORBIDDEN');
    }
    await helper.client
      .post(`${path}/restore`)
      .send({ fileIds: [file.id] })
      .expect(200);
  });

  it('happens automatically after 30 days', async () => {
    const [old, young] = [await here.uploadFile('old', undefined, 'old'), await here.uploadFile('young')];
    const folderId = await here.createFolder('place');
    await here.uploadFile('inside', folderId, 'inside');
    await here.deleteItem('files', old.id);
    await here.deleteItem('folders', folderId);
    await here.deleteItem('files', young.id);
    const setAge = (id: number, days: number) =>
      execute(`update trash_entries set deleted_at = ? where ? in (file_id, folder_id)`, [
        new Date(world.testApp.clock.now().getTime() - days * DAY),
        id,
      ]);
    await setAge(old.id, 30.01);
    await setAge(folderId, 31);
    await setAge(young.id, 29.9);
    await execute('delete from clock_runs where name = ?', [expireTrash.name]);
    expect(await runExpiryJob()).toBe(true);
    await world.testApp.drain();
    expect((await here.listTrash()).map(({ name }) => name)).toEqual(['young']);
    expect(await bytes()).toEqual({ used: 1, counted: 1 });
    await here.post('trash/restore', { fileIds: [old.id] }).expect(404);
  });

  it('is completed by the job after a crash, and purged items are not restored', async () => {
    const folderId = await here.createFolder('place');
    const { id } = await here.uploadFile('inside', folderId, 'inside');
    await here.deleteItem('folders', folderId);
    await execute('update trash_entries set purging_at = now() where folder_id = ?', [folderId]);
    await execute(
      `insert into jobs (queue, name, payload, run_at, max_attempts, created_at)
      values ('default', 'files.purge-trash', jsonb_build_object('zoneId', ?::bigint), now(), 3, now())`,
      [here.zone.id],
    );
    expect(await here.listTrash()).toEqual([]);
    expect((await here.post('trash/restore', { folderIds: [folderId] }).expect(404)).body.code).toBe('TRASH_NOT_FOUND');
    expect(await bytes()).toEqual({ used: 6, counted: 6 });
    await world.testApp.drain();
    expect(await bytes()).toEqual({ used: 0, counted: 0 });
    expect(await execute('select id from files where id = ?', [id])).toEqual([]);
  });

  it('works in several batches', async () => {
    const folderId = await here.createFolder('many');
    const { id } = await here.uploadFile('first', folderId, '123');
    await execute(
      `insert into files (original_name, name_key, mime_type, size, sha256, object_key, storage_type, zone_id, folder_id,
        created_at, updated_at)
      select 'f' || n, 'f' || n, mime_type, 1, sha256, 'files/00/' || md5(n::text || zone_id), storage_type, zone_id,
        case when n <= 1200 then folder_id end, now(), now() from files, generate_series(1, 1900) n where id = ?`,
      [id],
    );
    await execute('update zone_stats set files = files + 1900, bytes = bytes + 1900 where zone_id = ?', [here.zone.id]);
    await execute(`update usage set used = used + 1900 where owner_id = ? and metric = 'bytes'`, [here.owner.id]);
    const { body } = await here.owner.client.get(`/api/zones/${here.zone.id}/files`).expect(200);
    const fileIds = (body as { id: number }[]).map((file) => file.id);
    expect((await here.post('delete', { fileIds, folderIds: [folderId] }).expect(200)).body).toMatchObject({
      files: 1901,
    });
    expect((await here.post('trash/purge', { all: true }).expect(200)).body).toEqual({ files: 1901, bytes: 1903 });
    expect(await bytes()).toEqual({ used: 0, counted: 0 });
  });

  it('excludes a concurrent restore of the same item', async () => {
    for (let round = 0; round < fullOrShort(12, 4); round++) {
      const folderId = await here.createFolder(uniqueName('place'));
      const { id } = await here.uploadFile('inside', folderId, 'inside');
      await here.deleteItem('folders', folderId);
      const [restored, purged] = await Promise.all([
        here.post('trash/restore', { folderIds: [folderId] }),
        here.post('trash/purge', { folderIds: [folderId] }),
      ]);
      expect([restored.status, purged.status].sort()).toEqual([200, 404]);
      await here.owner.client.get(`/api/files/${id}/view`).expect(restored.status);
      expect(await here.listTrash()).toEqual([]);
      const remaining = (await here.readCounts()).fileCount * 6;
      expect(await bytes()).toEqual({ used: remaining, counted: remaining });
    }
  });
});

describeInProcess('Mirrors of trashed folders', () => {
  let target: TestZone;
  let outer: number;
  let source: number;
  let mount: number;

  beforeEach(async () => {
    await allowUnlimitedZones(world, here.owner);
    target = await createZone(here.owner);
    outer = await here.createFolder('outer');
    source = await here.createFolder('source', outer);
    const mirror = { sourceFolderId: source, targetZoneId: target.id, targetFolderName: 'Mount' };
    mount = (await here.post('folder-mirrors', mirror).expect(201)).body.targetFolderId;
  });

  const listMirrorFolders = async () =>
    (await here.owner.client.get(`/api/zones/${target.id}/folders`).expect(200)).body.length;

  it('are hidden, restored with the source and deleted when it is purged', async () => {
    expect(await listMirrorFolders()).toBe(1);
    await here.deleteItem('folders', outer);
    expect(await listMirrorFolders()).toBe(0);
    await here.post('trash/restore', { folderIds: [outer] }).expect(200);
    expect(await listMirrorFolders()).toBe(1);
    await here.deleteItem('folders', outer);
    await here.post('trash/purge', { all: true }).expect(200);
    const left = await world.testApp.em().execute('select id from folders where zone_id = ?', [target.id]);
    expect(left).toEqual([]);
  });

  it('allow no moves or deletions inside and cannot be moved', async () => {
    const inside = await here.uploadFile('inside.txt', source);
    const own = await uploadFile(here.owner.client, target.id, 'own', 'x');
    const expectRejected = async (what: string, body: object) => {
      const response = await here.owner.client.post(`/api/zones/${target.id}/${what}`).send(body).expect(409);
      expect(response.body.code).toBe('MIRROR_READ_ONLY');
    };
    await expectRejected('move', { fileIds: [inside.id], targetFolderId: null });
    await expectRejected('move', { folderIds: [mount], targetFolderId: null });
    await expectRejected('move', { fileIds: [own.id], targetFolderId: mount });
    await expectRejected('delete', { fileIds: [own.id, inside.id] });
    await here.owner.client.patch(`/api/folders/${mount}/move`).send({ targetFolderId: null }).expect(409);
    await here.owner.client.get(`/api/files/${own.id}/view`).expect(200);
  });

  it('are removed as part of a selection, with nothing to undo', async () => {
    const selection = { folderIds: [mount] };
    const { body } = await here.owner.client.post(`/api/zones/${target.id}/delete`).send(selection).expect(200);
    expect(body).toEqual({ trashId: null, files: 0, folders: 0 });
    expect(await listMirrorFolders()).toBe(0);
    expect((await here.owner.client.get(`/api/zones/${target.id}`)).body.folderCount).toBe(0);
    await here.owner.client.get(`/api/folders/${source}`).expect(200);
  });

  it('can be removed only by the owner, even as part of a selection', async () => {
    const helper = await registerUser(world);
    await joinPublicZone(target, helper);
    const sql = `update zone_members set role = 'admin' where zone_id = ? and user_id = ?`;
    await world.testApp.em().execute(sql, [target.id, helper.id]);
    const own = await uploadFile(here.owner.client, target.id, 'own', 'x');
    const selection = { fileIds: [own.id], folderIds: [mount] };
    await helper.client.post(`/api/zones/${target.id}/delete`).send(selection).expect(403);
    await helper.client.get(`/api/files/${own.id}/view`).expect(200);
    expect(await listMirrorFolders()).toBe(1);
  });
});
