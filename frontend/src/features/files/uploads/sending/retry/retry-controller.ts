import { ApiError } from '../../../../../shared/api/api-error';
import { computeRetryDelay, RETRY_DELAYS, circuitBreaker, RETRY_WINDOW, type OnWait } from './circuit-breaker';

/** Maximum `Retry-After` in milliseconds; longer waits fail immediately. */
const MAX_RETRY_AFTER = 90_000;

/**
 * Retries a failing upload with growing delays, for about a minute. The minute restarts only when the server has
 * confirmed more bytes. On server-wide errors all uploads wait at the circuit breaker, and one of them probes the
 * server.
 */
export class RetryController {
  private attempts = 0;
  /** Time of the first failure (milliseconds of `performance.now`). */
  private failingSince: number | null = null;

  constructor(private readonly signal: AbortSignal) {}

  /** Called when the server has more bytes than before. */
  reset(): void {
    this.attempts = 0;
    this.failingSince = null;
  }

  /** Called when the server has accepted the request, or has begun to. */
  recordResponse(): void {
    circuitBreaker.close();
  }

  /**
   * Waits before the next attempt.
   * @param onWait called with the error that is waited out
   * @throws the error itself if it is permanent or has been retried long enough; the abort reason
   */
  async waitToRetry(error: unknown, onWait: OnWait): Promise<void> {
    this.failingSince ??= performance.now();
    if (this.signal.aborted || !isTransientError(error)) {
      // A rejection is a response as well: the server is reachable.
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
    const delay = computeRetryDelay(this.attempts++);
    if (isServerWide) return this.waitUntilReady(onWait);
    onWait(error, error.status === 0 ? null : Date.now() + delay);
    const hasReconnected = await waitForDelayOrReconnect(delay, this.signal);
    // While offline nothing could be attempted, so the retry window starts again.
    if (hasReconnected) this.failingSince = null;
  }

  /** Waits while the circuit breaker is open, and reports the error that tripped it. */
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
    // This upload has not failed itself, so none of its retry window is used up.
    if (circuitBreaker.isClosed && this.attempts === 0) this.failingSince = null;
  }

  private hasTimedOut(): boolean {
    return this.failingSince !== null && performance.now() - this.failingSince >= RETRY_WINDOW;
  }
}

/** Lost connections, locked or moved uploads (423, UPLOAD_OFFSET), too many requests, and server errors. */
function isTransientError(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  const { status, code } = error;
  // A full disk won't recover within a minute.
  if (code === 'DISK_FULL') return false;
  return status === 0 || status === 423 || status === 429 || status >= 500 || code === 'UPLOAD_OFFSET';
}

/** Waits for the delay. If the browser is offline, waits until it is back online and resolves to true. */
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
