import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { createBackup } from '../../../../src/cli/backup/create-backup.js';
import { FileObjectReferences } from '../../../../src/modules/files/objects/quarantine/file-object-references.js';
import { sweepObjects } from '../../../../src/modules/files/files.jobs.js';
import { ZoneStatsRepository } from '../../../../src/modules/zones/zone/zone-stats.repository.js';
import { storedBytesSql } from '../../../../src/modules/zones/members/actual-usage.sql.js';
import { query } from '../../../../src/platform/database/query.js';
import { HOUR } from '../../../../src/platform/clock/clock.js';
import { CronScheduler } from '../../../../src/platform/jobs/cron/cron-scheduler.js';
import { newObjectKey, Storage } from '../../../../src/platform/storage/storage.js';
import { describeInProcess, World } from '../../../support/world.js';
import { TempFolders } from '../../operations/backup-helpers.js';
import { FilesZone } from '../files-zone.js';
import { exactly, listVersions, readBytes, replaceFile } from './version-helpers.js';

let world: World;
let here: FilesZone;
let id: number;
/** Key of the only earlier version. */
let key: string;
const tempFolders = new TempFolders();

const execute = <T extends object>(sql: string, params: unknown[] = []) => world.testApp.em().execute<T[]>(sql, params);
const storage = () => world.testApp.app.get(Storage);
const runSweep = async () => {
  const { app, clock } = world.testApp;
  clock.advance(7 * 24 * HOUR);
  expect(await app.get(CronScheduler).enqueueCronRun(sweepObjects, clock.now())).toBe(true);
  await world.testApp.drain();
};
const readReport = async () =>
  (
    await execute<{ params: object }>(
      `select params from audit_log where type = 'storage.swept' order by id desc limit 1`,
    )
  )[0]?.params;

beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  here = await FilesZone.open(world);
  ({ id } = await here.uploadFile('a.txt', undefined, 'first'));
  await replaceFile(here.owner.client, id, 'a.txt', 'second one').expect(201);
  const [row] = await execute<{ object_key: string }>('select object_key from file_versions where file_id = ?', [id]);
  key = row!.object_key;
});
afterAll(async () => {
  tempFolders.removeAll();
  await world.close();
});

/** Everything that decides by the database which objects are needed, or how many bytes they take. */
describeInProcess('Objects of earlier versions', () => {
  it('are known to the storage mark, to uploads and to quarantine', async () => {
    const references = world.testApp.app.get(FileObjectReferences);
    expect(await references.findReferenced([key, newObjectKey('files')])).toEqual([key]);
    await execute(`update files set storage_type = 's3' where id = ?`, [id]);
    expect(await references.hasReferences()).toBe(true);
  });

  it('stay in the weekly sweep, which reports missing ones', async () => {
    await replaceFile(here.owner.client, id, 'a.txt', 'third').expect(201);
    const [lost] = await execute<{ object_key: string }>(
      'select object_key from file_versions where file_id = ? and number = 2',
      [id],
    );
    await storage().delete(lost!.object_key);
    const old = new Date(Date.now() - 49 * HOUR);
    await utimes(join(world.testApp.config.dataDir, 'files', key), old, old);
    await runSweep();
    expect(await storage().stat(key)).not.toBeNull();
    expect(await readReport()).toEqual({ moved: 0, restored: 0, missing: 1, fileIds: [id] });
    await execute('delete from file_versions where file_id = ?', [id]);
  });

  it('are needed by a backup', async () => {
    const { config, connection } = world.testApp;
    const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    await createBackup(config, connection, join(tempFolders.create(), 'whole.tar'));
    expect(said).not.toHaveBeenCalledWith(expect.stringContaining('lost their contents'));
    await storage().delete(key);
    await createBackup(config, connection, join(tempFolders.create(), 'lost.tar'));
    expect(said).toHaveBeenCalledWith(expect.stringContaining('1 files had already lost their contents'));
    said.mockRestore();
    await execute('delete from file_versions where file_id = ?', [id]);
  });

  it('are counted by the jobs that repair counters', async () => {
    expect(await readBytes(world, here)).toEqual(exactly(15));
    expect(await world.testApp.app.get(ZoneStatsRepository).findMiscountedZones(here.owner.id)).toEqual([]);
    const { rows } = await storedBytesSql(here.owner.id).execute(query(world.testApp.em()));
    expect(Number((rows[0] as { amount: string }).amount)).toBe(15);
  });

  it('are in the export of the owner', async () => {
    const { body } = await here.owner.client.get('/api/user/export').expect(200);
    expect(body.fileVersions).toMatchObject([{ fileId: id, number: 1, name: 'a.txt', size: 5 }]);
  });

  it('survive the trash and are purged with their file', async () => {
    await here.deleteItem('files', id);
    expect((await here.owner.client.get(`/api/zones/${here.zone.id}/trash`)).body).toMatchObject([{ size: 15 }]);
    await here.post('trash/restore', { fileIds: [id] }).expect(200);
    expect(await listVersions(here.owner.client, id)).toHaveLength(2);
    const folderId = await here.createFolder('Papers');
    await here.owner.client.patch(`/api/files/${id}/move`).send({ targetFolderId: folderId }).expect(200);
    await here.deleteItem('folders', folderId);
    expect((await here.post('trash/purge', { all: true }).expect(200)).body).toEqual({ files: 1, bytes: 15 });
    expect(await readBytes(world, here)).toEqual(exactly(0));
    await world.testApp.drain();
    expect(await storage().stat(key)).toBeNull();
  });

  it('are deleted with their zone', async () => {
    const [file] = await execute<{ object_key: string }>('select object_key from files where id = ?', [id]);
    await here.owner.client.delete(`/api/zones/${here.zone.id}`).expect(204);
    await world.testApp.drain();
    expect(await execute('select 1 from zones where id = ?', [here.zone.id])).toEqual([]);
    for (const objectKey of [key, file!.object_key]) expect(await storage().stat(objectKey)).toBeNull();
    const [usage] = await execute(`select used::int from usage where owner_id = ? and metric = 'bytes'`, [
      here.owner.id,
    ]);
    expect(usage).toEqual({ used: 0 });
  });
});
