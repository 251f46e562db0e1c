import { memoryFolder } from '../../lib/proof/memory-folder.mjs';

const plenty = { freeThere: 12e9, freeMemory: 20e9, noexec: false };

it('uses /dev/shm when there is enough memory', () => {
  expect(memoryFolder(() => plenty)).toBe('/dev/shm');
});

it.each([
  ['there is no such folder', null],
  ['it is small, as in a container', { ...plenty, freeThere: 64e6 }],
  ['memory is short', { ...plenty, freeMemory: 8e9 }],
  ['programs may not be run there', { ...plenty, noexec: true }],
])('does not use /dev/shm when %s', (_where, told) => {
  expect(memoryFolder(() => told)).toBeNull();
});

it('decides for this machine', () => {
  expect([null, '/dev/shm']).toContain(memoryFolder());
});
