import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds per clock tick in /proc (`CLK_TCK` is 100 on all architectures that Linux supports today). */
const TICK_MILLISECONDS = 10;
/** On a busy machine, a process may take this multiple of its CPU limit in wall-clock time. */
const WALL_CLOCK_FACTOR = 4;
/** Minimum milliseconds between checks; reading /proc is cheap, but not free. */
const MIN_CHECK_INTERVAL = 20;

/** `late`: the CPU time is used up. `starved`: it isn't, because the machine was too busy. */
export type CpuLimitVerdict = 'late' | 'starved';

/**
 * Decides when a process has run too long. Measures CPU time, so that no document is considered too slow because the
 * machine is busy.
 */
export class CpuTimeLimit {
  /** @param limit milliseconds of CPU time */
  constructor(private readonly limit: number) {}

  /**
   * @param elapsed wall-clock milliseconds
   * @param used CPU milliseconds; null if the system doesn't report them
   * @returns the verdict, or the milliseconds until the next check
   */
  check(elapsed: number, used: number | null): CpuLimitVerdict | number {
    if ((used ?? elapsed) >= this.limit) return 'late';
    const remaining = this.limit * WALL_CLOCK_FACTOR - elapsed;
    if (remaining <= 0) return 'starved';
    return Math.max(MIN_CHECK_INTERVAL, Math.min(remaining, this.limit - (used ?? elapsed)));
  }

  /** Wall-clock milliseconds after which there is always a verdict. */
  get maxWallClock(): number {
    return this.limit * WALL_CLOCK_FACTOR;
  }
}

/** Returns the CPU milliseconds of a process and its terminated children; null if the system doesn't report them. */
export function cpuTimeOf(pid: number | undefined): number | null {
  return pid === undefined ? null : (readProcStat(pid)?.time ?? null);
}

/** The same for all processes of a group; terminated ones are included in the process that waited for them. */
export function cpuTimeOfGroup(group: number | undefined): number | null {
  if (group === undefined || process.platform !== 'linux') return null;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcStat(Number(name)))
    .reduce((sum, stat) => sum + (stat?.group === group ? stat.time : 0), 0);
}

/**
 * Fields 5 and 14 to 17 of /proc/[pid]/stat (proc_pid_stat(5)). The preceding process name may contain any character.
 */
function readProcStat(pid: number): { readonly group: number; readonly time: number } | null {
  if (process.platform !== 'linux') return null;
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch (error) {
    // The process has exited.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { group: Number(fields[2]), time: ticks * TICK_MILLISECONDS };
}
