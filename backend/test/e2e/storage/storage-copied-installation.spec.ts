import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import supertest from 'supertest';
import { deleteObjects } from '../../../src/modules/files/files.jobs.js';
import { MINUTE } from '../../../src/platform/clock/clock.js';
import { JobRunner } from '../../../src/platform/jobs/running/job-runner.js';
import { JobsService } from '../../../src/platform/jobs/jobs.service.js';
import { StorageCheck } from '../../../src/platform/storage/ownership/storage-check.js';
import { StorageOwnershipGuard } from '../../../src/platform/storage/ownership/storage-ownership-guard.js';
import { MARK_OBJECT_NAME, parseMark } from '../../../src/platform/storage/ownership/storage-mark.js';
import { storageErrors } from '../../../src/platform/storage/storage.errors.js';
import { newObjectKey, Storage } from '../../../src/platform/storage/storage.js';
import { StorageDriver } from '../../../src/platform/storage/storage.module.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { describeInProcess } from '../../support/world.js';
import { toChunkStream } from './storage.contract.js';

type Connection = TestApp['connection'];

const UNAVAILABLE = { code: 'STORAGE_UNAVAILABLE' };

describeInProcess('Copy of an installation with the storage of the original', () => {
  let folder: string;
  let databases: TestDatabase[];
  let running: TestApp[];
  let original: TestApp;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zonary-copies-'));
    [databases, running] = [[], []];
    original = await start(await createDatabase());
  });
  afterEach(async () => {
    for (const app of [...running]) await closeApp(app);
    for (const database of databases) await database.drop();
    await rm(folder, { recursive: true });
  });

  const createDatabase = async (): Promise<Connection> => {
    const database = await createTestDatabase();
    databases.push(database);
    return database.connection;
  };
  const start = async (connection: Connection) => {
    const app = await createTestApp({ STORAGE_URL: pathToFileURL(join(folder, 'files')).href }, [], connection);
    running.push(app);
    return app;
  };
  const closeApp = async (app: TestApp) => {
    running.splice(running.indexOf(app), 1);
    await app.close();
  };
  /** Creates the database of a copy; it knows of its installation what the original knows now. */
  const copyDatabase = async (): Promise<Connection> => {
    const [row] = await original.em().execute<object[]>('select to_jsonb(i) as known from installation i');
    const connection = await createDatabase();
    const client = new pg.Client(connection as pg.ClientConfig);
    await client.connect();
    await client.query('delete from installation');
    await client.query(`insert into installation select * from jsonb_populate_record(null::installation, $1)`, [
      (row as { known: object }).known,
    ]);
    await client.end();
    return connection;
  };
  /** Advances the clock and triggers a heartbeat. */
  const sendHeartbeat = async (app: TestApp, minutes = 1) => {
    app.clock.advance(minutes * MINUTE);
    await app.app.get(StorageCheck).checkAndBeat();
  };
  const write = async (app: TestApp) => {
    const key = newObjectKey('files');
    await app.app.get(Storage).write(key, toChunkStream(Buffer.from('text')));
    return key;
  };
  const remove = (app: TestApp, key: string) => app.app.get(Storage).delete(key);
  const getReadiness = (app: TestApp) => supertest(app.url).get('/readyz');
  const readMark = async () => parseMark(await readFile(join(folder, 'files', MARK_OBJECT_NAME), 'utf8'))!;
  /** A copy that was started because the original, which still runs, sent no heartbeat for minutes. */
  const copySuspendedOriginal = async () => {
    const connection = await copyDatabase();
    await sendHeartbeat(original, -4);
    original.clock.advance(4 * MINUTE);
    return start(connection);
  };

  it('does not start beside the running original, which continues', async () => {
    const connection = await copyDatabase();
    await sendHeartbeat(original);
    const key = await write(original);
    await expect(start(connection)).rejects.toThrow(/Another installation is using this storage now.*adopt-storage/);
    await remove(original, key);
    await getReadiness(original).expect(200);
    await sendHeartbeat(original);
    expect((await readMark()).beat!.after).toBeUndefined();
  });

  it('does not start if made while the original was stopped that has just restarted', async () => {
    const connection = await copyDatabase();
    await closeApp(original);
    original = await start(databases[0]!.connection);
    await expect(start(connection)).rejects.toThrow(/Another installation is using this storage now/);
    await getReadiness(original).expect(200);
    await remove(original, await write(original));
  });

  it('starts three minutes after the original ended and deletes nothing for ten minutes', async () => {
    const connection = await copyDatabase();
    await sendHeartbeat(original, -2);
    await closeApp(original);
    const { at } = (await readMark()).beat!;
    const until = new Date(Date.parse(at) + 3 * 60_000).toISOString();
    await expect(start(connection)).rejects.toThrow(
      `start this one again after ${until}, three minutes after the last`,
    );
    original = await start(databases[0]!.connection);
    await sendHeartbeat(original, -4);
    await closeApp(original);
    const copy = await start(connection);
    await getReadiness(copy).expect(200);
    const key = await write(copy);
    await expect(remove(copy, key)).rejects.toMatchObject(UNAVAILABLE);
    await sendHeartbeat(copy, 9);
    await expect(remove(copy, key)).rejects.toMatchObject(UNAVAILABLE);
    await sendHeartbeat(copy, 2);
    await remove(copy, key);
    // The one that returned later now counts as the copy.
    await expect(start(databases[0]!.connection)).rejects.toThrow(/Another installation is using this storage now/);
  });

  it('starts at once when it is up to date with the original', async () => {
    await sendHeartbeat(original);
    const connection = await copyDatabase();
    await closeApp(original);
    const copy = await start(connection);
    await remove(copy, await write(copy));
  });

  it('does not start when older than the last change of the storage mark', async () => {
    const connection = await copyDatabase();
    await original.app.get(StorageOwnershipGuard).renewMark();
    await sendHeartbeat(original, -60);
    await closeApp(original);
    await expect(start(connection)).rejects.toThrow(/older copy/);
  });

  it('stops when the original was only suspended, and deletion jobs wait', async () => {
    const copy = await copySuspendedOriginal();
    const key = await write(original);
    await copy.app.get(JobsService).enqueue(copy.em(), deleteObjects, { objectKeys: [key] });
    await sendHeartbeat(original);
    expect((await readMark()).beat!.after).toBeUndefined();
    await sendHeartbeat(copy);
    await expect(write(copy)).rejects.toMatchObject(UNAVAILABLE);
    const { body } = await getReadiness(copy).expect(503);
    expect(body.error.storage).toMatchObject({ state: 'in-use', reason: expect.stringContaining('Another') });
    for (let tries = 0; tries < 30; tries++) {
      await copy.app.get(JobRunner).drain({ tolerant: true });
      copy.clock.advance(75 * MINUTE);
      await sendHeartbeat(original, 75);
    }
    expect(await copy.em().execute('select state from jobs where name = ?', [deleteObjects.name])).toEqual([
      { state: 'queued' },
    ]);
    await getReadiness(original).expect(200);
    expect(await original.app.get(Storage).stat(key)).not.toBeNull();
    await remove(original, key);
  });

  it('blocks an original that starts later; only the continuously running one deletes', async () => {
    const connection = databases[0]!.connection;
    const copy = await copySuspendedOriginal();
    await closeApp(original);
    await expect(start(connection)).rejects.toThrow(/Another installation is using this storage now/);
    await remove(copy, await write(copy)).catch((error: unknown) => expect(error).toMatchObject(UNAVAILABLE));
    await sendHeartbeat(copy, 11);
    await remove(copy, await write(copy));
  });

  it('keeps the storage when the operator adopts it, and the other stops', async () => {
    const copy = await copySuspendedOriginal();
    await copy.app.get(StorageOwnershipGuard).adopt();
    await expect(write(original)).rejects.toMatchObject(UNAVAILABLE);
    await remove(copy, await write(copy));
  });

  it('is not assumed for further processes, one of which writes the heartbeat', async () => {
    const secondProcess = await start(original.connection);
    await sendHeartbeat(original);
    const { word } = (await readMark()).beat!;
    secondProcess.clock.advance(MINUTE);
    await sendHeartbeat(secondProcess, 0);
    expect((await readMark()).beat!.word).toBe(word);
    await remove(secondProcess, await write(secondProcess));
    await sendHeartbeat(secondProcess);
    expect((await readMark()).beat!.word).not.toBe(word);
    await remove(original, await write(original));
  });

  it('is not assumed after a failover that lost the last heartbeat', async () => {
    const [before] = await original
      .em()
      .execute<{ words: string[] }[]>('select storage_words as words from installation');
    await sendHeartbeat(original);
    await original.em().execute('update installation set storage_words = ?', [`{${before!.words.join(',')}}`]);
    await sendHeartbeat(original);
    await remove(original, await write(original));
    const secondProcess = await start(original.connection);
    await remove(secondProcess, await write(secondProcess));
  });

  it('is not assumed when a full disk prevents heartbeats for an hour', async () => {
    const full = jest.spyOn(original.app.get(StorageDriver), 'writeMark');
    full.mockRejectedValue(storageErrors.STORAGE_UNAVAILABLE());
    for (let tries = 0; tries < 60; tries++) await sendHeartbeat(original);
    full.mockRestore();
    const secondProcess = await start(original.connection);
    await remove(secondProcess, await write(secondProcess));
    await sendHeartbeat(original);
    await remove(secondProcess, await write(secondProcess));
  });
});
