import { existsSync, readdirSync } from 'node:fs';
import { inProject } from '../../lib/project.mjs';
import { temporaryFolder } from '../temporary.mjs';
import { askedFor, clearTraces, movedClock, nextMoments, notUnderTheLibrary } from '../../lib/proof/calendar.mjs';

const momentsAfter = (time) =>
  Object.fromEntries(nextMoments(Date.parse(time)).map(({ name, at }) => [name, new Date(at).toISOString()]));

it('the next of each odd moment is found, the soonest first', () => {
  expect(Object.entries(momentsAfter('2026-11-24T06:00:00Z'))).toEqual([
    ['the end of a month', '2026-12-01T00:00:00.000Z'],
    ['the end of a year', '2027-01-01T00:00:00.000Z'],
    ['summer time begins in New York', '2027-03-14T07:00:00.000Z'],
    ['summer time begins in Berlin', '2027-03-28T01:00:00.000Z'],
    ['summer time ends in Berlin', '2027-10-31T01:00:00.000Z'],
    ['summer time ends in New York', '2027-11-07T06:00:00.000Z'],
    ['the end of 29 February', '2028-03-01T00:00:00.000Z'],
  ]);
});

it('a month or a year that is at its end already gives the one after it', () => {
  expect(momentsAfter('2026-12-31T23:58:00Z')).toMatchObject({
    'the end of a month': '2027-02-01T00:00:00.000Z',
    'the end of a year': '2028-01-01T00:00:00.000Z',
  });
});

it('the first Sunday may be the first of the month, and the last its last day', () => {
  expect(momentsAfter('2026-02-01T00:00:00Z')).toMatchObject({
    'summer time ends in New York': '2026-11-01T06:00:00.000Z',
    'summer time begins in Berlin': '2026-03-29T01:00:00.000Z',
  });
  expect(momentsAfter('2027-09-01T00:00:00Z')).toMatchObject({
    'summer time ends in Berlin': '2027-10-31T01:00:00.000Z',
  });
});

it('leap years are found across a century', () => {
  expect(momentsAfter('2096-03-01T00:00:00Z')).toMatchObject({ 'the end of 29 February': '2104-03-01T00:00:00.000Z' });
});

it('after --at only the moments that have a text in their names are asked for', () => {
  const now = Date.parse('2026-11-24T06:00:00Z');
  expect(askedFor(['limits', 'plans'], now)).toEqual({ words: ['limits', 'plans'], moments: nextMoments(now) });
  const asked = askedFor(['--at', 'Berlin', 'limits'], now);
  expect(asked.words).toEqual(['limits']);
  expect(asked.moments.map(({ name }) => name)).toEqual(['summer time begins in Berlin', 'summer time ends in Berlin']);
  for (const wrong of [['--at'], ['--at', 'Paris']]) expect(() => askedFor(wrong, now)).toThrow('the end of a month, ');
});

it('a clock is moved by a distance in whole seconds', () => {
  expect(movedClock('/lib/faketime.so', 90_400)).toMatchObject({ LD_PRELOAD: '/lib/faketime.so', FAKETIME: '+90s' });
});

it('the suites that are left out exist', () => {
  expect(notUnderTheLibrary.filter((path) => !existsSync(inProject(path)))).toEqual([]);
});

it('what the library leaves of processes that have ended is removed, and nothing else', () => {
  const folder = temporaryFolder();
  const alive = `faketime_shm_${process.pid}`;
  for (const name of [alive, 'faketime_shm_999999999', 'sem.faketime_sem_999999999', 'another']) folder.write(name, '');
  clearTraces(folder.path);
  const left = readdirSync(folder.path).sort();
  folder.remove();
  expect(left).toEqual(['another', alive]);
});
