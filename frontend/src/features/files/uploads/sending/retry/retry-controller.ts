import { ApiError } from '../../../../../shared/api/api-error';
import { retryDelay, RETRY_DELAYS, circuitBreaker, RETRY_WINDOW, type OnWait } from './circuit-breaker';

/** A server that asks to be left alone for longer than this is not waited for. */
const MAX_RETRY_AFTER = 90_000;

/**
 * How long something that fails is tried again: with growing waits, for about a minute. Only what the server is sure to
 * have begins it anew. What concerns all that is sent is waited for by all, at the gate, and tried by one.
 */
export class RetryController {
  private attempts = 0;
  /** When it failed first (milliseconds of `performance.now`). */
  private failingSince: number | null = null;

  constructor(private readonly signal: AbortSignal) {}

  /** The server has more than before. */
  reset(): void {
    this.attempts = 0;
    this.failingSince = null;
  }

  /** The server has taken what was sent, or has begun to. */
  recordResponse(): void {
    circuitBreaker.close();
  }

  /**
   * Waits before the next try.
   * @param onWait told of what is waited for
   * @throws the error itself when it does not pass, or has been waited for long enough; the reason of an abort
   */
  async waitToRetry(error: unknown, onWait: OnWait): Promise<void> {
    this.failingSince ??= performance.now();
    if (this.signal.aborted || !isTransientError(error)) {
      // A refusal is an answer like any other.
      if (!this.signal.aborted && error instanceof ApiError) circuitBreaker.close();
      else circuitBreaker.releaseProbe(this);
      throw error;
    }
    const isServerWide = circuitBreaker.isServerWide(error);
    const isRetryAfterTooLong = (error.retryAfter ?? 0) * 1000 > MAX_RETRY_AFTER;
    if (isServerWide && !isRetryAfterTooLong) circuitBreaker.trip(this, error);
    else circuitBreaker.releaseProbe(this);
    if (isRetryAfterTooLong || this.attempts >= RETRY_DELAYS.length || this.hasTimedOut()) {
      if (isServerWide && !isRetryAfterTooLong) circuitBreaker.resetBackoff();
      throw error;
    }
    const delay = retryDelay(this.attempts++);
    if (isServerWide) return this.waitUntilReady(onWait);
    onWait(error, error.status === 0 ? null : Date.now() + delay);
    const hasReconnected = await waitForDelayOrReconnect(delay, this.signal);
    // Without a connection nothing could be tried: its minute is still to come.
    if (hasReconnected) this.failingSince = null;
  }

  /** Waits while the server is not to be asked, and tells of the refusal that said so. */
  async waitUntilReady(onWait: OnWait): Promise<void> {
    this.signal.throwIfAborted();
    if (circuitBreaker.isClosed) return;
    this.failingSince ??= performance.now();
    const onReconnect = () => (this.failingSince = performance.now());
    await circuitBreaker.acquire(this, {
      signal: this.signal,
      onWait,
      hasTimedOut: () => this.hasTimedOut(),
      onReconnect,
    });
    // What has not failed itself has lost nothing of its own minute.
    if (circuitBreaker.isClosed && this.attempts === 0) this.failingSince = null;
  }

  private hasTimedOut(): boolean {
    return this.failingSince !== null && performance.now() - this.failingSince >= RETRY_WINDOW;
  }
}

/** Lost connections, what another request holds or moved on meanwhile, too many requests, and a server that is away. */
function isTransientError(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  const { status, code } = error;
  // A full disk does not pass within a minute.
  if (code === 'DISK_FULL') return false;
  return status === 0 || status === 423 || status === 429 || status >= 500 || code === 'UPLOAD_OFFSET';
}

/** Waits a while; where the browser knows that it has no connection, until it has one: then it gives true. */
function waitForDelayOrReconnect(delay: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const finish = (complete: () => void) => {
      clearTimeout(timer);
      removeEventListener('online', onOnline);
      signal.removeEventListener('abort', onAbort);
      complete();
    };
    const onOnline = () => finish(() => resolve(true));
    const onAbort = () => finish(() => reject(signal.reason as Error));
    const timer = setTimeout(() => navigator.onLine && finish(() => resolve(false)), delay);
    addEventListener('online', onOnline);
    signal.addEventListener('abort', onAbort);
  });
}
