import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../project.mjs';
import { findMemoryFolder } from './memory-folder.mjs';
import { createReport } from './reports/report.mjs';

/** How long processes started by a run may take to exit after it, in milliseconds. */
const EXIT_TIMEOUT_MS = 5_000;

/**
 * Creates a private temporary folder for a run and sets TMPDIR. It identifies all processes the run has started, so
 * that leftovers can be reported. It is deleted when this process ends, also after a signal. It is in memory if there
 * is enough space, unless TMPDIR names another folder.
 * @returns `checkLeftovers`, the last stage of the run; its argument is how long it waits for processes that exit by
 * themselves, in milliseconds
 */
export function createTempDir() {
  const folder = mkdtempSync(join(process.env.TMPDIR ?? findMemoryFolder() ?? tmpdir(), 'zonary-run-'));
  // Like /tmp: as root, PostgreSQL runs under another account, which creates and deletes its socket's folder.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  process.once('exit', () => {
    killProcesses(listProcesses(folder));
    rmSync(folder, { recursive: true, force: true });
  });
  return { checkLeftovers: (timeout = EXIT_TIMEOUT_MS) => checkLeftovers(folder, timeout) };
}

/**
 * Reports what was left behind as flaky, and kills the processes.
 * @returns a stage's report (report.mjs)
 */
async function checkLeftovers(folder, timeout) {
  const deadline = performance.now() + timeout;
  while (listProcesses(folder).length > 0 && performance.now() < deadline) await sleep(100);
  const processes = listProcesses(folder);
  killProcesses(processes);
  const folders = readdirSync(folder).filter((name) => name.startsWith('zonary-'));
  const lines = [
    ...processes.map(({ pid, command }) => `process ${pid}: ${command}`),
    ...folders.map((name) => `folder ${name}`),
  ];
  for (const line of lines) log(`left behind: ${line}`);
  return createReport({ flaky: lines.length > 0 ? [{ name: 'left behind', lines: lines.slice(0, 10) }] : [] });
}

/**
 * Processes that were started with this temporary folder or have it in their arguments (PostgreSQL gets its own
 * environment). Linux only; empty elsewhere. Exported for its tests.
 */
export function listProcesses(folder) {
  return readFolder('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => ({
      pid: Number(pid),
      command: readProcessFile(pid, 'cmdline'),
      environment: readProcessFile(pid, 'environ'),
    }))
    .filter(({ command, environment }) => command.includes(folder) || environment.includes(folder))
    .map(({ pid, command }) => ({ pid, command: command.slice(0, 120) }));
}

function killProcesses(processes) {
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') log(`couldn't kill process ${pid}: ${error.message}`);
    }
  }
}

/** Empty if the folder can't be read. */
function readFolder(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Empty for a process that has exited or belongs to another user. */
function readProcessFile(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}
