import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../project.mjs';
import { memoryFolder } from './memory-folder.mjs';
import { report } from './reports/report.mjs';

/** How long processes started by a run may take to exit after it, in milliseconds. */
const PATIENCE = 5_000;

/**
 * Creates a private temporary folder for a run and sets TMPDIR. It identifies all processes the run has started, so
 * that leftovers can be reported. It is deleted when this process ends, also after a signal. It is in memory if there
 * is enough space, unless TMPDIR names another place.
 * @returns `left`, the last stage of the run, and how long it waits for processes that exit by themselves, in
 * milliseconds
 */
export function openRoom() {
  const folder = mkdtempSync(join(process.env.TMPDIR ?? memoryFolder() ?? tmpdir(), 'zonary-run-'));
  // Like /tmp: as root, PostgreSQL runs under another account, which creates and deletes its socket's folder.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  process.once('exit', () => {
    end(processesOf(folder));
    rmSync(folder, { recursive: true, force: true });
  });
  return { left: (patience = PATIENCE) => left(folder, patience) };
}

/**
 * Reports what was left behind as unsteady, and kills it.
 * @returns a stage's report (report.mjs)
 */
async function left(folder, patience) {
  const deadline = performance.now() + patience;
  while (processesOf(folder).length > 0 && performance.now() < deadline) await pause(100);
  const processes = processesOf(folder);
  end(processes);
  const folders = readdirSync(folder).filter((name) => name.startsWith('zonary-'));
  const lines = [
    ...processes.map(({ pid, command }) => `process ${pid}: ${command}`),
    ...folders.map((name) => `folder ${name}`),
  ];
  for (const line of lines) say(`left behind: ${line}`);
  return report({ unsteady: lines.length > 0 ? [{ where: 'left behind', lines: lines.slice(0, 10) }] : [] });
}

/**
 * Processes that were started with this temporary folder or have it in their arguments (PostgreSQL gets its own
 * environment). Linux only; empty elsewhere. Exported for its tests.
 */
export function processesOf(folder) {
  return readableNames('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => ({ pid: Number(pid), command: words(pid, 'cmdline'), environment: words(pid, 'environ') }))
    .filter(({ command, environment }) => command.includes(folder) || environment.includes(folder))
    .map(({ pid, command }) => ({ pid, command: command.slice(0, 120) }));
}

function end(processes) {
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') say(`process ${pid} cannot be ended: ${error.message}`);
    }
  }
}

function readableNames(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Empty for a process that has exited or belongs to another user. */
function words(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}
