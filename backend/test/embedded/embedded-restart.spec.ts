import { spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import type { EmbeddedPostgresError } from '../../src/platform/database/embedded/embedded-postgres.error.js';
import { findRunningServer } from '../../src/platform/database/embedded/running-server.js';
import { createTempDir, postmasterOf, query, waitUntil } from './database-owner-process.js';

const folder = createTempDir();
const started: { stop(): Promise<unknown> }[] = [];

function createEmbedded(dataDir: string, more: object = {}): EmbeddedPostgres {
  const postgres = new EmbeddedPostgres({ dataDir, fsync: false, lockWaitMs: 0, ...more });
  started.push(postgres);
  return postgres;
}

afterEach(async () => {
  for (const server of started.splice(0).reverse()) await server.stop();
});
afterAll(() => folder.remove());

describe('Embedded server that crashes', () => {
  const kill = (dataDir: string) => process.kill(postmasterOf(join(dataDir, 'postgres')), 'SIGKILL');

  it('is restarted in place with every committed row', async () => {
    const dataDir = join(folder.path, 'revived');
    const deaths: EmbeddedPostgresError[] = [];
    const notices: string[] = [];
    const postgres = createEmbedded(dataDir, {
      fsync: true,
      onUnexpectedExit: (error: EmbeddedPostgresError) => deaths.push(error),
      onNotice: (sentence: string) => notices.push(sentence),
    });
    const connection = await postgres.start();
    await query(connection, 'CREATE TABLE kept AS SELECT 7 AS n');
    kill(dataDir);
    await waitUntil(() => notices.some((sentence) => sentence.includes('runs again')));
    expect(await query(connection, 'SELECT n FROM kept')).toEqual([[7]]);
    await postgres.stop();
    expect(deaths).toEqual([]);
    expect(notices[0]).toContain('SIGKILL');
  });

  it('is restarted even after failed restarts', async () => {
    const dataDir = join(folder.path, 'tried-again');
    const control = join(dataDir, 'postgres/global/pg_control');
    const deaths: unknown[] = [];
    const notices: string[] = [];
    const postgres = createEmbedded(dataDir, {
      fsync: true,
      restartDelays: [0, 0, 0],
      onUnexpectedExit: (error: unknown) => deaths.push(error),
      onNotice: (sentence: string) => {
        notices.push(sentence);
        const failed = notices.filter((notice) => notice.includes("Couldn't restart the database server"));
        if (failed[1] === sentence) renameSync(`${control}.away`, control);
      },
    });
    const connection = await postgres.start();
    await query(connection, 'CREATE TABLE kept AS SELECT 7 AS n');
    renameSync(control, `${control}.away`);
    kill(dataDir);
    await waitUntil(() => notices.some((sentence) => sentence.includes('runs again')));
    expect(await query(connection, 'SELECT n FROM kept')).toEqual([[7]]);
    expect(deaths).toEqual([]);
  });

  it('stays down when stopped while waiting to be restarted', async () => {
    const dataDir = join(folder.path, 'stopped-during-start');
    const deaths: unknown[] = [];
    const notices: string[] = [];
    const postgres = createEmbedded(dataDir, {
      // Longer than any test: a test that waits for the delay would not end.
      restartDelays: [86_400_000],
      onUnexpectedExit: (error: unknown) => deaths.push(error),
      onNotice: (sentence: string) => notices.push(sentence),
    });
    const { host } = await postgres.start();
    kill(dataDir);
    await waitUntil(() => notices.some((sentence) => sentence.includes('It is started again in')));
    await postgres.stop();
    expect(existsSync(host)).toBe(false);
    expect([deaths, notices.length, findRunningServer(dataDir)]).toEqual([[], 1, null]);
  });

  it('stays down when stopped while being restarted', async () => {
    const dataDir = join(folder.path, 'stopped-late');
    const notices: string[] = [];
    let stopped: Promise<void> | undefined;
    const postgres: EmbeddedPostgres = createEmbedded(dataDir, {
      restartDelays: [0],
      onNotice: (sentence: string) => {
        notices.push(sentence);
        // Whether or not the server is starting by then.
        setImmediate(() => void (stopped ??= postgres.stop()));
      },
    });
    const { host } = await postgres.start();
    kill(dataDir);
    await waitUntil(() => stopped !== undefined);
    await stopped;
    expect(existsSync(host)).toBe(false);
    expect(findRunningServer(dataDir)).toBeNull();
  });

  it('is restarted even if its process ID was reused', async () => {
    const dataDir = join(folder.path, 'id-reused');
    const file = join(dataDir, 'postgres/postmaster.pid');
    const notices: string[] = [];
    const postgres = createEmbedded(dataDir, {
      restartDelays: [0],
      onNotice: (sentence: string) => {
        notices.push(sentence);
        if (notices.length > 1) return;
        const lines = readFileSync(file, 'utf8').split('\n');
        const { uid, gid } = statSync(join(dataDir, 'postgres'));
        const unrelated = spawn('sleep', ['600'], { uid, gid });
        started.push({ stop: async () => unrelated.kill() });
        writeFileSync(file, [unrelated.pid, ...lines.slice(1)].join('\n'));
      },
    });
    const connection = await postgres.start();
    kill(dataDir);
    await waitUntil(() => notices.some((sentence) => sentence.includes('runs again')));
    expect(await query(connection, 'SELECT 1')).toEqual([[1]]);
  });

  it('is given up and reported once after repeated crashes, and the next start has every committed row', async () => {
    const dataDir = join(folder.path, 'died');
    const deaths: EmbeddedPostgresError[] = [];
    const notices: string[] = [];
    const first = createEmbedded(dataDir, {
      fsync: true,
      restartDelays: [0, 0],
      onUnexpectedExit: (error: EmbeddedPostgresError) => deaths.push(error),
      onNotice: (sentence: string) => notices.push(sentence),
    });
    await query(await first.start(), 'CREATE TABLE kept AS SELECT 7 AS n');
    for (let times = 1; deaths.length === 0; times++) {
      kill(dataDir);
      const isUp = () => notices.filter((sentence) => sentence.includes('runs again')).length === times;
      await waitUntil(() => deaths.length > 0 || isUp());
    }
    await first.stop();
    expect(notices.filter((sentence) => sentence.includes('runs again'))).toHaveLength(2);
    expect(deaths.map(({ code }) => code)).toEqual(['STOPPED_UNEXPECTEDLY']);
    expect(deaths[0]?.message).toContain('SIGKILL');
    expect(await query(await createEmbedded(dataDir).start(), 'SELECT n FROM kept')).toEqual([[7]]);
  });

  it('is not reported when it was stopped on purpose', async () => {
    const deaths: unknown[] = [];
    const postgres = createEmbedded(join(folder.path, 'unexpected-exit'), {
      onUnexpectedExit: (error: unknown) => deaths.push(error),
    });
    await postgres.start();
    await postgres.stop();
    expect(deaths).toEqual([]);
  });
});
