import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectPath, ScriptError } from '../../project.mjs';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** In milliseconds; suites start this long before the time, so that it passes while they run. */
const LEAD_TIME = 4 * MINUTE;

/** The nth Sunday of a month (1 is the first, -1 the last) at a given hour. */
function nthSunday(year, month, nth, hour) {
  if (nth < 0) {
    const last = Date.UTC(year, month + 1, 0, hour);
    return last - new Date(last).getUTCDay() * DAY;
  }
  const first = Date.UTC(year, month, 1, hour);
  return first + (((7 - new Date(first).getUTCDay()) % 7) + (nth - 1) * 7) * DAY;
}

const isLeap = (year) => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;

/**
 * Times at which clocks or calendars behave specially and tests may fail without a bug, in UTC. Each function returns
 * the time by year, or by year and month if it recurs monthly; null if that year has none.
 */
const specialTimes = {
  // What a suite does a day later is in the next month.
  'the last day of a month': (year, month) => Date.UTC(year, month + 1, 0, 12),
  // The test clocks are shifted past the end of the month, those of child processes are not.
  'the last evening of a month': (year, month) => Date.UTC(year, month + 1, 0, 20),
  'the last half hour of a month': (year, month) => Date.UTC(year, month + 1, 0, 23, 35),
  'the end of a month': (year, month) => Date.UTC(year, month + 1, 1),
  'the end of a year': (year) => Date.UTC(year + 1, 0, 1),
  'the end of 29 February': (year) => (isLeap(year) ? Date.UTC(year, 2, 1) : null),
  'summer time begins in Berlin': (year) => nthSunday(year, 2, -1, 1),
  'summer time ends in Berlin': (year) => nthSunday(year, 9, -1, 1),
  'summer time begins in New York': (year) => nthSunday(year, 2, 2, 7),
  'summer time ends in New York': (year) => nthSunday(year, 10, 1, 6),
};

/**
 * The next occurrence of each special time.
 * @param now milliseconds since 1970
 * @returns `{name, at, startsAt}` in milliseconds since 1970; soonest first. Suites start at `startsAt`, before `at`
 */
export function findNextSpecialTimes(now) {
  return Object.entries(specialTimes)
    .map(([name, toTime]) => {
      const at = listOccurrences(now, toTime).find((time) => time !== null && time - LEAD_TIME > now);
      return { name, at, startsAt: at - LEAD_TIME };
    })
    .sort((a, b) => a.at - b.at);
}

/**
 * Parses a command line: `[--at <part of a time's name>] [words of suites' paths…]`.
 * @param now milliseconds since 1970
 * @returns `{words, times}`, with times as returned by `findNextSpecialTimes`
 */
export function parseArguments(args, now) {
  const allTimes = findNextSpecialTimes(now);
  if (args[0] !== '--at') return { words: args, times: allTimes };
  const [, part = '', ...words] = args;
  const times = allTimes.filter(({ name }) => part !== '' && name.includes(part));
  if (times.length > 0) return { words, times };
  throw new ScriptError(`no special time has "${part}" in its name: ${allTimes.map(({ name }) => name).join(', ')}.`);
}

/** From this year and month, twelve years ahead: leap years are eight years apart around 2100. */
function* listOccurrences(now, toTime) {
  const from = new Date(now);
  const isMonthly = toTime.length > 1;
  for (let step = 0; step < (isMonthly ? 3 : 12); step++) {
    yield isMonthly ? toTime(from.getUTCFullYear(), from.getUTCMonth() + step) : toTime(from.getUTCFullYear() + step);
  }
}

/**
 * Compiles the library that shifts a process's clock (`shifted-clock.c`). libfaketime leaves the clock unshifted in
 * signal handlers while a process waits; PostgreSQL reads it there and would then never end a wait.
 * @returns the path of the library
 */
export function compileShiftedClock() {
  const library = projectPath('node_modules/.cache/shifted-clock.so');
  mkdirSync(dirname(library), { recursive: true });
  const source = fileURLToPath(new URL('shifted-clock.c', import.meta.url));
  const { error, status, stderr } = spawnSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, source]);
  if (error?.code === 'ENOENT')
    throw new ScriptError('no C compiler was found; on Debian: apt-get install gcc libc6-dev');
  if (error || status !== 0) throw new ScriptError(`the C compiler failed: ${error ?? stderr}`);
  return library;
}

/**
 * Environment variables that shift the clock of a process and its children.
 * @param library the path returned by `compileShiftedClock`
 * @param shiftMs milliseconds
 * @returns environment variables. All processes get the same offset, so their clocks agree; an absolute time would
 * restart in each process. Timers use the monotonic clock, which isn't shifted.
 */
export const createShiftedClockEnv = (library, shiftMs) => ({
  LD_PRELOAD: library,
  CLOCK_SHIFT_SECONDS: `${Math.round(shiftMs / 1000)}`,
});

/** Suites that compare file times with the clock: file times come from the kernel and aren't shifted. */
export const excludedSuites = ['backend/test/e2e/files/reading/upload-leftovers.spec.ts'];
