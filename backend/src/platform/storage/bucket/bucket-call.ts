import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { storageErrors } from '../storage.errors.js';

/** Timeouts of bucket operations, in milliseconds. */
export interface BucketTimeouts {
  /** From a call to its response. */
  readonly answer: number;
  /** For uploading one part, including its bytes. */
  readonly part: number;
  /** Between two chunks of a response while a client waits. */
  readonly idle: number;
  /** Delay before each retry after a temporary error. */
  readonly pauses: readonly number[];
}

export const DEFAULT_TIMEOUTS: BucketTimeouts = { answer: 10_000, part: 60_000, idle: 30_000, pauses: [200, 800] };

const RETRYABLE_STATUSES = [408, 429, 500, 502, 503, 504];

/** Whether the same call may succeed after this HTTP status. */
export const isRetryable = (status: number): boolean => RETRYABLE_STATUSES.includes(status);

/** A failed call: rejected, or without a response. Contains no URL, because some grant access. */
export class BucketError extends Error {
  constructor(
    readonly call: string,
    /** Null when there was no response. */
    readonly status: number | null,
    readonly reason: string,
    /** Whether an immediate retry may succeed. False after a timeout, because nobody waits for another. */
    readonly isTemporary: boolean,
  ) {
    super(`${call}: ${status ?? 'no answer'} ${reason}`);
  }
}

/** Repeats an operation after temporary errors, with these pauses in milliseconds. Only for idempotent operations. */
export async function retryTemporary<T>(pauses: readonly number[], operation: () => Promise<T>): Promise<T> {
  for (const wait of pauses) {
    try {
      return await operation();
    } catch (error) {
      if (!(error instanceof BucketError && error.isTemporary)) throw error;
      await pause(wait);
    }
  }
  return operation();
}

/** Returns what is known about a call without a response: a code such as `ECONNREFUSED`, if there is one. */
export function reasonOf(error: unknown): string {
  const { code, message, cause } = error as { code?: string; message?: string; cause?: { code?: string } };
  return cause?.code ?? code ?? message ?? 'unknown';
}

/** Stops waiting for a promise that itself can't be cancelled. */
export function raceWithAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    promise.then(resolve, reject);
    if (signal.aborted) return reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

const logger = new Logger('Storage');

/** @throws STORAGE_UNAVAILABLE in place of a bucket's error */
export async function withStorageErrors<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw toStorageError(error);
  }
}

/** Logs errors of the bucket and replaces them; errors of the source pass through. */
export function toStorageError(error: unknown): unknown {
  if (!(error instanceof BucketError)) return error;
  logger.error({ err: error }, 'The file bucket failed');
  return storageErrors.STORAGE_UNAVAILABLE();
}
