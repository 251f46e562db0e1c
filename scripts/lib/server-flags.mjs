/**
 * How the server's Node is tuned. Buffers of an upload live outside V8's heap and are freed only when the young
 * generation is collected: with the usual 16 MB of it a 100 MB upload raised the memory by 65 MB, with 4 MB by 36 at
 * most. V8 would let the old generation double under load before it looks, which held 260 MB where 115 do; to look after a
 * tenth, or to ask for small machine code, would save 30 MB and cost half of the rate (ADR 0013).
 */
export const serverFlags = ['--max-semi-space-size=2', '--heap-growing-percent=20'];

/**
 * One pool of the C library's memory for all threads, and what is larger than a buffer of a connection goes back to the
 * machine when it is freed. By itself the library keeps ever more: the first password that is checked (19 MB) teaches it
 * to. `npm run bench:memory` measures what these and the flags do together (docs/operations/scaling.md).
 */
export const serverEnv = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '65536',
};

/**
 * For a worker: its old generation is collected early, because sending fills it with mails that have gone out, and by
 * itself V8 lets it double before it looks. Against a young generation of 8 MB and a growth of 20 % this costs an eighth
 * of the rate and keeps 20 MB. The server gives the same to its child (backend/src/process/worker-process.ts).
 */
export const workerFlags = ['--max-semi-space-size=4', '--heap-growing-percent=10'];

/** Threads of a worker share one pool of the C library's memory; each with its own would keep what it freed. */
export const workerEnv = { MALLOC_ARENA_MAX: '1' };
