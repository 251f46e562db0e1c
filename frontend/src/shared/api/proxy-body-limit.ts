/** The code of a 413 that is not from our server: a proxy in front of it refuses requests of this size. */
export const PROXY_BODY_LIMIT = 'FRONT_LIMIT';

/** Sizes of the pieces in which files are sent, in bytes. nginx accepts exactly the second unless it is told otherwise. */
const chunkSizes = [8 * 2 ** 20, 2 ** 20, 2 ** 18, 2 ** 16];

/**
 * What is known of how large a request a proxy in front of the server accepts. It is learned from refusals, as nothing
 * tells it beforehand, and holds for all that this page sends.
 */
class ProxyBodyLimit {
  private smallestRejected = Infinity;

  /** How much of a file may go in one request, in bytes. */
  get chunkSize(): number {
    if (this.smallestRejected === Infinity) return Infinity;
    return chunkSizes.find((size) => size < this.smallestRejected) ?? chunkSizes.at(-1)!;
  }

  /**
   * Notes that a request of this size (bytes) was refused.
   * @returns whether a smaller piece is left to try
   */
  recordRejection(size: number): boolean {
    this.smallestRejected = Math.min(this.smallestRejected, size);
    return size > chunkSizes.at(-1)!;
  }

  /** Set by tests. */
  reset(): void {
    this.smallestRejected = Infinity;
  }
}

export const proxyBodyLimit = new ProxyBodyLimit();
