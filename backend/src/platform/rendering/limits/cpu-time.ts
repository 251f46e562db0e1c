import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of a clock tick in /proc (`CLK_TCK` is 100 on every architecture that Linux supports today). */
const TICK_MILLISECONDS = 10;
/** A process that a busy machine keeps from working has so many times its limit on the clock. */
const WALL_CLOCK_FACTOR = 4;
/** Milliseconds between two looks at least: reading /proc is cheap, but not free. */
const MIN_CHECK_INTERVAL = 20;

/** `late`: it has used up its processor time. `starved`: it has not, because the machine gave it too little. */
export type CpuLimitVerdict = 'late' | 'starved';

/** Decides when a process has worked too long: by processor time, so that a busy machine makes no document too slow. */
export class CpuTimeLimit {
  /** @param limit milliseconds of processor time */
  constructor(private readonly limit: number) {}

  /**
   * @param elapsed milliseconds by the clock
   * @param used milliseconds of processor time; null where the system does not tell
   * @returns the verdict, or the milliseconds after which to look again
   */
  check(elapsed: number, used: number | null): CpuLimitVerdict | number {
    if ((used ?? elapsed) >= this.limit) return 'late';
    const left = this.limit * WALL_CLOCK_FACTOR - elapsed;
    if (left <= 0) return 'starved';
    return Math.max(MIN_CHECK_INTERVAL, Math.min(left, this.limit - (used ?? elapsed)));
  }

  /** Milliseconds by the clock after which there is a verdict in any case. */
  get maxWallClock(): number {
    return this.limit * WALL_CLOCK_FACTOR;
  }
}

/** Processor time of a process and of its children that have ended, in milliseconds; null where the system does not tell. */
export function cpuTimeOf(pid: number | undefined): number | null {
  return pid === undefined ? null : (readProcStat(pid)?.time ?? null);
}

/** The same of all processes of a group, those that have ended counted by who waited for them. */
export function cpuTimeOfGroup(group: number | undefined): number | null {
  if (group === undefined || process.platform !== 'linux') return null;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcStat(Number(name)))
    .reduce((sum, stat) => sum + (stat?.group === group ? stat.time : 0), 0);
}

/** Fields 5 and 14 to 17 of /proc/[pid]/stat (proc_pid_stat(5)). The name before them may hold anything. */
function readProcStat(pid: number): { readonly group: number; readonly time: number } | null {
  if (process.platform !== 'linux') return null;
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch (error) {
    // It has ended.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { group: Number(fields[2]), time: ticks * TICK_MILLISECONDS };
}
