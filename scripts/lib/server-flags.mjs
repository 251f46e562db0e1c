/**
 * V8 flags of the server. Upload buffers live outside V8's heap and are freed only by collections of the young
 * generation: with its default of 16 MB, a 100 MB upload raised memory by 65 MB, with 4 MB by at most 36. By default V8
 * lets the old generation double under load before it collects, which held 260 MB instead of 115; collecting after
 * growth of a tenth, or optimising code size, would save 30 MB and cost half of the throughput (ADR 0013).
 */
export const serverFlags = ['--max-semi-space-size=2', '--heap-growing-percent=20'];

/**
 * One malloc arena for all threads, and allocations larger than a connection's buffer are returned to the system when
 * freed. By default glibc raises that threshold dynamically: the first password check (19 MB) is enough. `npm run
 * bench:memory` measures the effect of these and the flags (docs/operations/scaling.md).
 */
export const serverEnv = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '65536',
};

/**
 * V8 flags of a worker: its old generation is collected early, because sending fills it with sent emails and V8 would
 * let it double first. Compared with a young generation of 8 MB and growth of 20 %, this costs an eighth of the
 * throughput and saves 20 MB. The server passes the same to its child (`backend/src/process/worker-process.ts`).
 */
export const workerFlags = ['--max-semi-space-size=4', '--heap-growing-percent=10'];

/** All threads of a worker share one malloc arena; separate ones would retain freed memory. */
export const workerEnv = { MALLOC_ARENA_MAX: '1' };
