import { setTimeout as pause } from 'node:timers/promises';
import { runAs } from './account.js';
import type { Binaries } from './binaries.js';
import {
  isAlive,
  readPostmasterFile,
  removePostmasterFile,
  removeSocketDir,
  removeSocketFiles,
  servesCluster,
} from './postmaster-file.js';

const STOP_LIMIT_MS = 60_000;
const POLL_MS = 10;

/**
 * Deals with what an earlier process left behind when it was killed: a server that still runs is stopped in good order
 * (its settings and its socket are the earlier ones), and a pid file whose id now belongs to a stranger is removed. The
 * file of a dead server stays: PostgreSQL uses it to see that no child of that server still writes.
 * @returns whether a server was stopped
 */
export async function clearLeftovers(clusterDir: string, binaries: Binaries): Promise<boolean> {
  const file = readPostmasterFile(clusterDir);
  if (!file) return false;
  if (process.platform === 'win32') {
    const { code } = await runAs(null, binaries.pgCtl, ['stop', '--pgdata', clusterDir, '--mode', 'fast']);
    return code === 0;
  }
  const serving = servesCluster(file.pid, clusterDir);
  if (serving) await end(file.pid, clusterDir);
  else if (isAlive(file.pid)) removePostmasterFile(clusterDir);
  removeSocketDir(file.socketDir);
  return serving;
}

/**
 * The same of a server of ours that died: its folder for the socket stays, as connections look for the next one there, and
 * what an id was given to meanwhile keeps no new server from starting.
 */
export function clearStale(clusterDir: string, socketDir: string): void {
  const file = readPostmasterFile(clusterDir);
  if (file && !servesCluster(file.pid, clusterDir) && isAlive(file.pid)) removePostmasterFile(clusterDir);
  if (socketDir !== '') removeSocketFiles(socketDir);
}

async function end(pid: number, clusterDir: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const deadline = performance.now() + STOP_LIMIT_MS;
    send(pid, signal);
    while (servesCluster(pid, clusterDir) && performance.now() < deadline) await pause(POLL_MS);
    if (!servesCluster(pid, clusterDir)) return;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended in this very moment.
  }
}
