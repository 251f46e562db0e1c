/** Bytes of a block: gathered for one system call and one message to the thread that hashes. */
export const BLOCK = 512 * 1024;
/** Blocks that are kept for whoever comes next. */
const IDLE_BLOCKS = 12;

interface Lease {
  users: number;
  readonly onFree: (() => void) | undefined;
}

const idle: Buffer[] = [];
const leases = new WeakMap<ArrayBufferLike, Lease>();

/**
 * A block of memory that threads share, of one user. It is used again once its last user has let go of it, so whoever
 * reads from it afterwards reads bytes of others.
 * @param onFree called when the last user has let go of it
 */
export function takeBlock(onFree?: () => void): Buffer {
  const block = idle.pop() ?? Buffer.from(new SharedArrayBuffer(BLOCK));
  leases.set(block.buffer, { users: 1, onFree });
  return block;
}

/** Becomes one more user of the block in which the bytes lie; false when they lie in none. */
export function keepBlock(bytes: Uint8Array): boolean {
  const lease = leases.get(bytes.buffer);
  if (lease) lease.users++;
  return lease !== undefined;
}

/** Lets go of the block in which the bytes lie, once for each time that it was taken or kept. */
export function freeBlock(bytes: Uint8Array): void {
  const lease = leases.get(bytes.buffer);
  if (!lease) throw new Error('These bytes lie in no block that is in use.');
  if (--lease.users > 0) return;
  leases.delete(bytes.buffer);
  if (idle.length < IDLE_BLOCKS) idle.push(Buffer.from(bytes.buffer));
  lease.onFree?.();
}
