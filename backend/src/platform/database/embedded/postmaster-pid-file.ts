import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Content of the `postmaster.pid` file of a running PostgreSQL server. */
export interface PostmasterPidFile {
  readonly pid: number;
  readonly port: number;
  readonly socketDir: string;
  readonly ready: boolean;
}

/** Prefix of the names of all socket folders that we create. */
export const SOCKET_PREFIX = 'zonary-';

/** Reads the file; null when there is none or it is being written. */
export function readPostmasterPidFile(clusterDir: string): PostmasterPidFile | null {
  let lines: string[];
  try {
    lines = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return null;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, port: Number(lines[3]), socketDir: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' };
}

export function removePostmasterPidFile(clusterDir: string): void {
  rmSync(join(clusterDir, 'postmaster.pid'), { force: true });
}

/** Removes a socket folder that we created, but only the files that PostgreSQL puts there. */
export function removeSocketDir(socketDir: string): void {
  if (!basename(socketDir).startsWith(SOCKET_PREFIX) || !existsSync(socketDir)) return;
  removeSocketFiles(socketDir);
  try {
    rmdirSync(socketDir);
  } catch {
    // The folder contains other files, which are not ours to remove.
  }
}

/** Removes the socket files of a dead server. */
export function removeSocketFiles(socketDir: string): void {
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) rmSync(join(socketDir, name), { force: true });
}

/** Whether a process with this id exists, no matter who owns it. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the process is the PostgreSQL server of this cluster, and not another process with a reused id. */
export function isPostgresOfCluster(pid: number, clusterDir: string): boolean {
  if (!isProcessAlive(pid)) return false;
  const cluster = realpathSync(clusterDir);
  try {
    if (process.platform === 'linux') {
      const command = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
      return command === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === cluster;
    }
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return command.includes('postgres') && command.includes(cluster);
  } catch {
    return false;
  }
}
