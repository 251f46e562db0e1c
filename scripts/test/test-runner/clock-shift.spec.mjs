import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { projectPath } from '../../lib/project.mjs';
import {
  parseArguments,
  compileShiftedClock,
  createShiftedClockEnv,
  findNextSpecialTimes,
  excludedSuites,
} from '../../lib/test-runner/clock-shift/clock-shift.mjs';

const specialTimesAfter = (time) =>
  Object.fromEntries(findNextSpecialTimes(Date.parse(time)).map(({ name, at }) => [name, new Date(at).toISOString()]));

it('finds the next of each special time in chronological order', () => {
  expect(Object.entries(specialTimesAfter('2026-11-24T06:00:00Z'))).toEqual([
    ['the last day of a month', '2026-11-30T12:00:00.000Z'],
    ['the last evening of a month', '2026-11-30T20:00:00.000Z'],
    ['the last half hour of a month', '2026-11-30T23:35:00.000Z'],
    ['the end of a month', '2026-12-01T00:00:00.000Z'],
    ['the end of a year', '2027-01-01T00:00:00.000Z'],
    ['summer time begins in New York', '2027-03-14T07:00:00.000Z'],
    ['summer time begins in Berlin', '2027-03-28T01:00:00.000Z'],
    ['summer time ends in Berlin', '2027-10-31T01:00:00.000Z'],
    ['summer time ends in New York', '2027-11-07T06:00:00.000Z'],
    ['the end of 29 February', '2028-03-01T00:00:00.000Z'],
  ]);
});

it('returns the following month or year when one is already ending', () => {
  expect(specialTimesAfter('2026-12-31T23:58:00Z')).toMatchObject({
    'the end of a month': '2027-02-01T00:00:00.000Z',
    'the end of a year': '2028-01-01T00:00:00.000Z',
  });
});

it('handles months whose first or last day is a Sunday', () => {
  expect(specialTimesAfter('2026-02-01T00:00:00Z')).toMatchObject({
    'summer time ends in New York': '2026-11-01T06:00:00.000Z',
    'summer time begins in Berlin': '2026-03-29T01:00:00.000Z',
  });
  expect(specialTimesAfter('2027-09-01T00:00:00Z')).toMatchObject({
    'summer time ends in Berlin': '2027-10-31T01:00:00.000Z',
  });
});

it('finds leap years across a century', () => {
  expect(specialTimesAfter('2096-03-01T00:00:00Z')).toMatchObject({
    'the end of 29 February': '2104-03-01T00:00:00.000Z',
  });
});

it('selects the times whose names contain the text after --at', () => {
  const now = Date.parse('2026-11-24T06:00:00Z');
  expect(parseArguments(['limits', 'plans'], now)).toEqual({
    words: ['limits', 'plans'],
    times: findNextSpecialTimes(now),
  });
  const parsed = parseArguments(['--at', 'Berlin', 'limits'], now);
  expect(parsed.words).toEqual(['limits']);
  expect(parsed.times.map(({ name }) => name)).toEqual(['summer time begins in Berlin', 'summer time ends in Berlin']);
  for (const wrong of [['--at'], ['--at', 'Paris']])
    expect(() => parseArguments(wrong, now)).toThrow('the end of a month, ');
});

it('shifts the clock of a process and its children but not the monotonic clock', () => {
  const shiftMs = 90 * 86_400_000;
  const env = { ...process.env, ...createShiftedClockEnv(compileShiftedClock(), shiftMs) };
  const script = `console.log(JSON.stringify([Date.now(), Number(process.hrtime.bigint() / 1_000_000n)]))`;
  const before = [Date.now(), Number(process.hrtime.bigint() / 1_000_000n)];
  const shell = execFileSync('sh', ['-c', `"$0" -e '${script}'`, process.execPath], { env, encoding: 'utf8' });
  const between = JSON.parse(shell);
  const after = [Date.now(), Number(process.hrtime.bigint() / 1_000_000n)];
  // The shift is in whole seconds, so it is exact.
  expect(between[0]).toBeGreaterThanOrEqual(before[0] + shiftMs);
  expect(between[0]).toBeLessThanOrEqual(after[0] + shiftMs);
  expect(between[1]).toBeGreaterThanOrEqual(before[1]);
  expect(between[1]).toBeLessThanOrEqual(after[1]);
});

it('excludes only existing suites', () => {
  expect(excludedSuites.filter((path) => !existsSync(projectPath(path)))).toEqual([]);
});
