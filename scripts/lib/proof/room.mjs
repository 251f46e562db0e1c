import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../project.mjs';
import { memoryFolder } from './memory-folder.mjs';
import { report } from './reports/report.mjs';

/** How long what a run has started may take to end after it, in milliseconds. */
const PATIENCE = 5_000;

/**
 * Gives a run a temporary folder of its own, by which all that it starts is known: what is still there at its end was
 * left behind. It is emptied and removed when this process ends, also by a signal. It lies in memory where that has room,
 * unless TMPDIR names another place.
 * @returns `left`, the last stage of the run, and how long it waits for what ends by itself, in milliseconds
 */
export function openRoom() {
  const folder = mkdtempSync(join(process.env.TMPDIR ?? memoryFolder() ?? tmpdir(), 'zonary-run-'));
  // As /tmp is: started as root, PostgreSQL runs under another account, which makes and removes its socket's folder.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  process.once('exit', () => {
    end(processesOf(folder));
    rmSync(folder, { recursive: true, force: true });
  });
  return { left: (patience = PATIENCE) => left(folder, patience) };
}

/** Names and ends what was left behind, as something unsteady. @returns what a stage gives (report.mjs) */
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
 * The processes that were started with this temporary folder, or name it (PostgreSQL is given an environment of its
 * own). Linux tells; elsewhere none are known. Exported for its tests.
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

/** Nothing for a process that has ended meanwhile, or that is somebody else's. */
function words(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}
