import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

/** An operating system account to run programs as. */
export interface OsAccount {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export interface ProcessResult {
  /** Exit code; null when the program could not be run at all. */
  readonly code: number | null;
  /** Combined standard output and standard error. */
  readonly output: string;
}

/** PostgreSQL refuses to run as root, so these accounts are tried in order. */
const UNPRIVILEGED_USERS = ['postgres', 'nobody'];

/**
 * Returns the account to run PostgreSQL as, or null for the current user. Only root has to switch; it uses the owner of
 * an existing cluster.
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

/** Returns the name of a user id, or the id itself when it has none. */
export function userNameOf(uid: number): string {
  return readPasswdFile().find((fields) => Number(fields[2]) === uid)?.[0] ?? String(uid);
}

/**
 * Whether the account can enter a folder. Tested by running a command as that account, because mode bits are not
 * enough: access control lists, mounts and all parent folders matter too.
 */
export async function canAccessFolder(folder: string, account: OsAccount): Promise<boolean> {
  const { code } = await runAs(account, '/bin/sh', ['-c', 'cd -- "$0"', folder]);
  return code === 0;
}

/** Runs a program to completion, as the account when one is given. Never rejects. */
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

/** Options for `spawn` that run a program as the account. */
export function spawnIdentity(account: OsAccount | null): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {};
}

/**
 * Environment for PostgreSQL's programs: without the caller's PG* variables, and with English messages. When `npm run
 * test:clock-shift` shifts the clock, PostgreSQL gets the same shift, because the database and the app must agree on the
 * time.
 */
export function postgresEnv(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, LD_PRELOAD, CLOCK_SHIFT_SECONDS } = process.env;
  const clock = CLOCK_SHIFT_SECONDS ? { LD_PRELOAD, CLOCK_SHIFT_SECONDS } : {};
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
