import { setTimeout as pause } from 'node:timers/promises';
import { runAs } from './os-account.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import {
  isProcessAlive,
  readPostmasterPidFile,
  removePostmasterPidFile,
  removeSocketDir,
  removeSocketFiles,
  isPostgresOfCluster,
} from './postmaster-pid-file.js';

const STOP_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 10;

/**
 * Cleans up after a process that was killed. A server that still runs is shut down cleanly, because it uses old
 * settings and an old socket. A pid file whose process id now belongs to another program is removed. The pid file of a
 * dead server stays: PostgreSQL uses it to check that no child process of that server is still writing.
 * @returns whether a server was stopped
 */
export async function removeStaleFiles(clusterDir: string, binaries: PostgresBinaries): Promise<boolean> {
  const file = readPostmasterPidFile(clusterDir);
  if (!file) return false;
  if (process.platform === 'win32') {
    const { code } = await runAs(null, binaries.pgCtl, ['stop', '--pgdata', clusterDir, '--mode', 'fast']);
    return code === 0;
  }
  const isServing = isPostgresOfCluster(file.pid, clusterDir);
  if (isServing) await stopServer(file.pid, clusterDir);
  else if (isProcessAlive(file.pid)) removePostmasterPidFile(clusterDir);
  removeSocketDir(file.socketDir);
  return isServing;
}

/**
 * Cleans up after a crash of our own server. The socket folder stays, because connections expect the restarted server
 * there. A pid file whose process id was reused is removed, because it would prevent the restart.
 */
export function removeStaleFilesOfDeadServer(clusterDir: string, socketDir: string): void {
  const file = readPostmasterPidFile(clusterDir);
  if (file && !isPostgresOfCluster(file.pid, clusterDir) && isProcessAlive(file.pid))
    removePostmasterPidFile(clusterDir);
  if (socketDir !== '') removeSocketFiles(socketDir);
}

async function stopServer(pid: number, clusterDir: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const deadline = performance.now() + STOP_TIMEOUT_MS;
    sendSignal(pid, signal);
    while (isPostgresOfCluster(pid, clusterDir) && performance.now() < deadline) await pause(POLL_INTERVAL_MS);
    if (!isPostgresOfCluster(pid, clusterDir)) return;
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already exited.
  }
}
