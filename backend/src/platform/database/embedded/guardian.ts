import { spawn, type ChildProcess } from 'node:child_process';
import { identity, type Account } from './account.js';

/** Stops the server and removes the folder of its socket, but only once its standard input ends. */
const GUARDIAN = 'read -r _; kill -INT "$0"; i=0; until rmdir "$1" || [ $((i += 1)) -gt 100 ]; do sleep 0.1; done';

/** A process that does nothing but wait for our end, however it comes, so that no server outlives a killed application. */
export function startGuardian(
  pid: number | undefined,
  socketDir: string,
  account: Account | null,
): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined;
  const guardian = spawn('/bin/sh', ['-c', GUARDIAN, String(pid), socketDir], {
    ...identity(account),
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guardian.on('error', () => undefined);
  guardian.stdin?.on('error', () => undefined);
  guardian.unref();
  (guardian.stdin as unknown as { unref(): void }).unref();
  return guardian;
}
