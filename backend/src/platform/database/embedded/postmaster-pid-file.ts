import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What a running PostgreSQL writes into `postmaster.pid` of its data folder. */
export interface PostmasterPidFile {
  readonly pid: number;
  readonly port: number;
  readonly socketDir: string;
  readonly ready: boolean;
}

/** Begins the name of every folder that we make for a socket. */
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

/** Removes a folder that we made for a socket, and only what PostgreSQL puts there. */
export function removeSocketDir(socketDir: string): void {
  if (!basename(socketDir).startsWith(SOCKET_PREFIX) || !existsSync(socketDir)) return;
  removeSocketFiles(socketDir);
  try {
    rmdirSync(socketDir);
  } catch {
    // Whatever else lies there is not ours to remove.
  }
}

/** Removes what a dead server left of its socket. */
export function removeSocketFiles(socketDir: string): void {
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) rmSync(join(socketDir, name), { force: true });
}

/** Whether a process with this id exists, whoever owns it. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the process is the PostgreSQL that serves this cluster, and not one that was given a dead one's id. */
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
