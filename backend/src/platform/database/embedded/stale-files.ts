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
 * Deals with what an earlier process left behind when it was killed: a server that still runs is stopped in good order
 * (its settings and its socket are the earlier ones), and a pid file whose id now belongs to a stranger is removed. The
 * file of a dead server stays: PostgreSQL uses it to see that no child of that server still writes.
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
 * The same of a server of ours that died: its folder for the socket stays, as connections look for the next one there, and
 * what an id was given to meanwhile keeps no new server from starting.
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
    // It ended in this very moment.
  }
}
