import { findMemoryFolder } from '../../lib/test-runner/memory-folder.mjs';

const sufficient = { freeSpace: 12e9, freeMemory: 20e9, noexec: false };

it('uses /dev/shm when there is enough memory', () => {
  expect(findMemoryFolder(() => sufficient)).toBe('/dev/shm');
});

it.each([
  ['there is no such folder', null],
  ['it is small, as in a container', { ...sufficient, freeSpace: 64e6 }],
  ['memory is short', { ...sufficient, freeMemory: 8e9 }],
  ['programs may not be run there', { ...sufficient, noexec: true }],
])('does not use /dev/shm when %s', (_condition, stats) => {
  expect(findMemoryFolder(() => stats)).toBeNull();
});

it('decides for this machine', () => {
  expect([null, '/dev/shm']).toContain(findMemoryFolder());
});
