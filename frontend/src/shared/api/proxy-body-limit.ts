/** Code of a 413 that does not come from our server: a proxy in front of it rejects requests of this size. */
export const PROXY_BODY_LIMIT = 'FRONT_LIMIT';

/** Chunk sizes for uploads, in bytes. 1 MiB, the second, is nginx's default limit. */
const chunkSizes = [8 * 2 ** 20, 2 ** 20, 2 ** 18, 2 ** 16];

/**
 * Remembers how large a request body a proxy in front of the server accepts. Nothing announces the limit, so it is
 * learned from rejections. Applies to everything this page sends.
 */
class ProxyBodyLimit {
  private smallestRejected = Infinity;

  /** Most bytes of a file to send in one request. */
  get chunkSize(): number {
    if (this.smallestRejected === Infinity) return Infinity;
    return chunkSizes.find((size) => size < this.smallestRejected) ?? chunkSizes.at(-1)!;
  }

  /**
   * Records that a request of this size (bytes) was rejected.
   * @returns whether a smaller chunk size is left to try
   */
  recordRejection(size: number): boolean {
    this.smallestRejected = Math.min(this.smallestRejected, size);
    return size > chunkSizes.at(-1)!;
  }

  /** For tests. */
  reset(): void {
    this.smallestRejected = Infinity;
  }
}

export const proxyBodyLimit = new ProxyBodyLimit();
