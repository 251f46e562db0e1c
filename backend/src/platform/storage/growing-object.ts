/** Where the next writer of a growing object begins. */
export interface GrowingState {
  /** Bytes that earlier writers have reported as durable; what they wrote beyond that is discarded. */
  readonly size: number;
  /**
   * Raised whenever the former writer may still be active. A new generation begins with a copy, so that the former
   * writer can't change what the new one writes.
   */
  readonly generation: number;
}

export interface FinishedObject {
  /** Key of the stored object, which may differ from the key under which it grew. */
  readonly objectKey: string;
  /** In bytes. */
  readonly size: number;
  /** In lower-case hex. */
  readonly sha256: string;
}

/** An object that several writers extend, one after the other, and that can be read once it is finished. */
export interface GrowingObject {
  /** Bytes appended so far, including those of earlier writers. */
  readonly size: number;

  /**
   * Appends a source. If the source fails, the bytes received until then are kept. A chunk of the source must stay
   * unchanged only until the next is requested.
   * @param onDurable called with the size that survives a crash or power failure, from time to time and at the end
   * @throws STORAGE_UNAVAILABLE, and whatever the source or `onDurable` throws
   */
  append(source: AsyncIterable<Uint8Array>, onDurable: (size: number) => Promise<void>): Promise<void>;

  /**
   * Makes it an object that can be read. Until its row is committed, it can be opened for growing again.
   * @returns null when it was deleted, or another writer has taken over
   * @throws STORAGE_UNAVAILABLE
   */
  finish(): Promise<FinishedObject | null>;

  /** Ends writing; what is durable stays. Must be called. */
  close(): Promise<void>;
}
