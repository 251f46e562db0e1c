import { CpuTimeLimit, cpuTimeOf, cpuTimeOfGroup } from './cpu-time.js';

describe('CpuTimeLimit', () => {
  const limit = new CpuTimeLimit(10_000);

  it.each([
    ['has used up its CPU time', 10_000, 10_000, 'late'],
    ['has used up its CPU time on a busy machine', 39_000, 10_000, 'late'],
    ['got half a CPU', 10_000, 5_000, 5_000],
    ['got no CPU time', 10_000, 0, 10_000],
    ['got no CPU time for long', 40_000, 0, 'starved'],
    ['got too little CPU time for long', 40_000, 9_990, 'starved'],
    ['is almost at its limit', 12_000, 9_999, 20],
    ['is measured by wall-clock time when CPU time is unknown', 10_000, null, 'late'],
    ['is measured by wall-clock time and is below its limit', 4_000, null, 6_000],
  ] as const)('checks a process that %s', (_what, elapsed, used, verdict) =>
    expect(limit.check(elapsed, used)).toBe(verdict),
  );

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('is measured by what the system says', () => {
    const before = cpuTimeOf(process.pid)!;
    for (let round = 0, value = 0; cpuTimeOf(process.pid)! < before + 50; round++) value += Math.sqrt(round + value);
    expect(cpuTimeOf(process.pid)).toBeGreaterThanOrEqual(before + 50);
  });
  onLinux('knows nothing of a process that has ended, and no time of a group without one', () => {
    expect(cpuTimeOf(2 ** 22 + 1)).toBeNull();
    expect(cpuTimeOfGroup(2 ** 22 + 1)).toBe(0);
  });
});
