/**
 * How the server's Node is tuned. Buffers of an upload live outside V8's heap and are freed only when the young
 * generation is collected: with the usual 16 MB of it a 100 MB upload raised the memory by 65 MB, with 4 MB by 36 at
 * most.
 */
export const serverFlags = ['--max-semi-space-size=4'];

/**
 * For a worker: its old generation is collected early, because sending fills it with mails that have gone out, and by
 * itself V8 lets it double before it looks. Against a young generation of 8 MB and a growth of 20 % this costs an eighth
 * of the rate and keeps 20 MB. The server gives the same to its child (backend/src/process/worker-process.ts).
 */
export const workerFlags = ['--max-semi-space-size=4', '--heap-growing-percent=10'];

/** Threads of a worker share one pool of the C library's memory; each with its own would keep what it freed. */
export const workerEnv = { MALLOC_ARENA_MAX: '1' };
