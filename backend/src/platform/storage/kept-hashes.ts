import { createHash, type Hash } from 'node:crypto';

/** Hashes kept for uploads that this process continues; each takes less than a kilobyte. */
const MAX_KEPT_HASHES = 500;

interface KeptHash {
  readonly hash: Hash;
  /** Bytes that it includes. */
  readonly size: number;
  readonly generation: number;
}

/**
 * SHA-256 hashes of growing objects between two writers of this process. The state of a hash can't be saved, so another
 * process has to read the bytes again.
 */
export class KeptHashes {
  /** The oldest first. */
  private readonly hashes = new Map<string, KeptHash>();

  /** Returns the hash of the first `size` bytes, a new one if there are none, or null if it isn't known. */
  take(key: string, size: number, generation: number): Hash | null {
    const kept = this.hashes.get(key);
    this.hashes.delete(key);
    if (size === 0) return createHash('sha256');
    return kept?.size === size && kept.generation === generation ? kept.hash : null;
  }

  keep(key: string, kept: KeptHash): void {
    this.hashes.set(key, kept);
    const [oldest] = this.hashes.keys();
    if (this.hashes.size > MAX_KEPT_HASHES) this.hashes.delete(oldest!);
  }

  delete(key: string): void {
    this.hashes.delete(key);
  }
}
