import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MINUTE } from '../../../src/platform/clock/clock.js';
import { InstallationRepository } from '../../../src/platform/installation/installation.repository.js';
import { StorageCheck } from '../../../src/platform/storage/ownership/storage-check.js';
import { MARK_OBJECT_NAME, parseMark } from '../../../src/platform/storage/ownership/storage-mark.js';
import { storageErrors } from '../../../src/platform/storage/storage.errors.js';
import { StorageDriver } from '../../../src/platform/storage/storage.module.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { describeInProcess } from '../../support/world.js';

/** As many as the pool partition of all other work holds. */
const COMMON_PLACES = 16;

const pause = () => new Promise((resume) => setTimeout(resume, 5));

describeInProcess('Storage heartbeat', () => {
  let app: TestApp;
  afterEach(() => app.close());

  const start = async (markCheckInterval?: number) => {
    app = await createTestApp({}, [], undefined, undefined, markCheckInterval);
  };
  const readHeartbeat = async () =>
    parseMark(await readFile(join(app.config.dataDir, 'files', MARK_OBJECT_NAME), 'utf8'))!.beat!.word;
  /** Advances a minute, after which the storage's owner renews its mark. */
  const waitForHeartbeat = async () => {
    const before = await readHeartbeat();
    app.clock.advance(MINUTE);
    while ((await readHeartbeat()) === before) await pause();
  };

  it('is written repeatedly by a timer', async () => {
    await start(5);
    await waitForHeartbeat();
    await waitForHeartbeat();
  });

  it.each(['the storage', 'the database'])('is written again after %s failed', async (which) => {
    await start(5);
    const failing =
      which === 'the storage'
        ? jest.spyOn(app.app.get(StorageDriver), 'writeMark').mockRejectedValueOnce(storageErrors.STORAGE_UNAVAILABLE())
        : jest
            .spyOn(app.app.get(InstallationRepository), 'recordHeartbeat')
            .mockRejectedValueOnce(new Error('The database is unavailable.'));
    app.clock.advance(MINUTE);
    while (failing.mock.calls.length === 0) await pause();
    await waitForHeartbeat();
  });

  it('is written while all other pool slots are taken', async () => {
    await start();
    const over = Promise.withResolvers<void>();
    const started: Promise<void>[] = [];
    const blocked = Array.from({ length: COMMON_PLACES }, () => {
      const hanging = Promise.withResolvers<void>();
      started.push(hanging.promise);
      return app.em().transactional(async (em) => {
        await em.execute('select 1');
        hanging.resolve();
        await over.promise;
      });
    });
    try {
      await Promise.all(started);
      const before = await readHeartbeat();
      app.clock.advance(MINUTE);
      await app.app.get(StorageCheck).checkAndBeat();
      expect(await readHeartbeat()).not.toBe(before);
    } finally {
      over.resolve();
      await Promise.all(blocked);
    }
  });
});
