import { memoryFolder } from '../../lib/proof/memory-folder.mjs';

const plenty = { freeThere: 12e9, freeMemory: 20e9, noexec: false };

it('files of a run are kept in memory where there is plenty of it', () => {
  expect(memoryFolder(() => plenty)).toBe('/dev/shm');
});

it.each([
  ['there is no such folder', null],
  ['it is small, as in a container', { ...plenty, freeThere: 64e6 }],
  ['memory is short', { ...plenty, freeMemory: 8e9 }],
  ['programs may not be run there', { ...plenty, noexec: true }],
])('they are not where %s', (_where, told) => {
  expect(memoryFolder(() => told)).toBeNull();
});

it('this machine says one or the other', () => {
  expect([null, '/dev/shm']).toContain(memoryFolder());
});
