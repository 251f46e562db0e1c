import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

/** The operating system's account that a program is run as. */
export interface OsAccount {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export interface ProcessResult {
  /** Exit code; null when the program could not be run at all. */
  readonly code: number | null;
  /** Everything that it wrote to both outputs. */
  readonly output: string;
}

/** PostgreSQL refuses to run as root, so these are tried in turn. */
const UNPRIVILEGED_USERS = ['postgres', 'nobody'];

/**
 * The account to run PostgreSQL as, or null to run it as ourselves. Only root has to switch, and goes back to the
 * account to which an existing cluster belongs.
 * @param clusterDir folder of the cluster; need not exist
 */
export function resolveAccount(clusterDir: string): OsAccount | null {
  if (process.getuid?.() !== 0) return null;
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { name: userNameOf(owner.uid), uid: owner.uid, gid: owner.gid };
  for (const name of UNPRIVILEGED_USERS) {
    const entry = readPasswdFile().find((fields) => fields[0] === name);
    if (entry) return { name, uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  return { name: 'nobody', uid: 65534, gid: 65534 };
}

/** The name of a user id, or the id itself when it has none. */
export function userNameOf(uid: number): string {
  return readPasswdFile().find((fields) => Number(fields[2]) === uid)?.[0] ?? String(uid);
}

/**
 * Whether the account can enter a folder. The account itself is asked, because modes alone do not tell: access lists,
 * mounts and every folder above count too.
 */
export async function canAccessFolder(folder: string, account: OsAccount): Promise<boolean> {
  const { code } = await runAs(account, '/bin/sh', ['-c', 'cd -- "$0"', folder]);
  return code === 0;
}

/** Runs a program to its end, as the account when one is given. Never rejects. */
export function runAs(account: OsAccount | null, program: string, args: string[]): Promise<ProcessResult> {
  return new Promise((resolve) => {
    execFile(program, args, { ...spawnIdentity(account), cwd: '/', env: postgresEnv() }, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trim();
      if (!error) resolve({ code: 0, output });
      else if (typeof error.code === 'number') resolve({ code: error.code, output });
      else resolve({ code: null, output: output || error.message });
    });
  });
}

/** Options that make `spawn` run a program as the account. */
export function spawnIdentity(account: OsAccount | null): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {};
}

/**
 * The environment for PostgreSQL's programs: none of the caller's PG* variables, messages in plain English, and the
 * caller's clock where `npm run test:calendar` moves it: a database with another clock than the product's would be a
 * fault of its own.
 */
export function postgresEnv(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, LD_PRELOAD, CLOCK_MOVED_BY } = process.env;
  const clock = CLOCK_MOVED_BY ? { LD_PRELOAD, CLOCK_MOVED_BY } : {};
  return { PATH, LC_ALL: 'C', TZ: 'UTC', ...clock, ...(SystemRoot ? { SystemRoot, TEMP } : {}) };
}

function readPasswdFile(): string[][] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  } catch {
    return [];
  }
}
