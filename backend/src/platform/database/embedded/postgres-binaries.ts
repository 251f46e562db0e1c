import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { runAs, type OsAccount } from './os-account.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

/** Runnable programs of one PostgreSQL release. */
export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
  /** Major version; must match that of the cluster. */
  readonly major: number;
}

interface BinariesPackage {
  readonly nativeDir: string;
  readonly version: string;
}

/**
 * Finds the PostgreSQL binaries that npm installed for this platform, and verifies that the account can run them. If
 * root can't give the account access to them (a project in root's home), a readable copy is made.
 * @param account the account that will run them; null for the current user
 * @param systemDir folder for the copy
 * @throws EmbeddedPostgresError BINARIES_MISSING, BINARIES_BROKEN
 */
export async function findBinaries(account: OsAccount | null, systemDir: string): Promise<PostgresBinaries> {
  const { nativeDir, version } = findInstalledPackage();
  restoreSymlinks(nativeDir);
  const installed = await probeBinaries(nativeDir, account);
  if ('major' in installed) return installed;
  if (!account) throw brokenBinariesError(nativeDir, installed.error);
  const copy = join(systemDir, `postgres-${version}`);
  const existingCopy = await probeBinaries(copy, account);
  if ('major' in existingCopy) return existingCopy;
  copyPrograms(nativeDir, copy);
  const copied = await probeBinaries(copy, account);
  if ('major' in copied) return copied;
  throw brokenBinariesError(copy, copied.error);
}

function findInstalledPackage(): BinariesPackage {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const launcher = createRequire(import.meta.url).resolve('embedded-postgres');
    const folder = dirname(dirname(createRequire(launcher).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { nativeDir: join(folder, 'native'), version };
  } catch {
    throw new EmbeddedPostgresError(
      'BINARIES_MISSING',
      `The embedded PostgreSQL for this machine is not installed (package ${name}). ` +
        'Run "npm ci", or set DATABASE_URL to a PostgreSQL server.',
    );
  }
}

/**
 * npm packages can't contain symbolic links, and the package's install script that creates them may have been disabled.
 */
function restoreSymlinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(link), join(dirname(native), source)), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw brokenBinariesError(native, (error as Error).message);
    }
  }
}

async function probeBinaries(root: string, account: OsAccount | null): Promise<PostgresBinaries | { error: string }> {
  const program = (name: string) => join(root, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  const { code, output } = await runAs(account, program('postgres'), ['--version']);
  const major = Number(/PostgreSQL\)? (\d+)/.exec(output)?.[1]);
  if (code !== 0 || !major) return { error: output };
  return { postgres: program('postgres'), initdb: program('initdb'), pgCtl: program('pg_ctl'), major };
}

/** The copy is published atomically, so that two starts may create it at the same time. */
function copyPrograms(native: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o755 });
  const draft = mkdtempSync(`${to}.`);
  for (const folder of ['bin', 'lib', 'share']) copyReadable(join(native, folder), join(draft, folder));
  chmodSync(draft, 0o755);
  rmSync(to, { recursive: true, force: true });
  try {
    renameSync(draft, to);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(to)) throw error;
  }
}

function copyReadable(from: string, to: string): void {
  mkdirSync(to);
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.name.endsWith('.a')) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      copyReadable(source, target);
    } else if (entry.isSymbolicLink()) {
      symlinkSync(readlinkSync(source), target);
    } else {
      copyFileSync(source, target);
      chmodSync(target, 0o755);
    }
  }
}

function brokenBinariesError(native: string, error: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'BINARIES_BROKEN',
    `The embedded PostgreSQL in ${native} doesn't run here: ${error || 'it gave no answer'}. ` +
      'Run "npm ci" again, or set DATABASE_URL to a PostgreSQL server.',
  );
}
