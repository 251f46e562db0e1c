import { ApiError } from '../../../../../shared/api/api-error';

/** Milliseconds before each retry; about a minute in total. */
export const RETRY_DELAYS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];

/**
 * No retries start later than this many milliseconds after the first failure. Longer `Retry-After` waits take
 * precedence.
 */
export const RETRY_WINDOW = 60_000;

/**
 * Returns the delay in milliseconds, reduced by up to a quarter at random (jitter), so that many browsers don't retry
 * at the same moment.
 */
export const computeRetryDelay = (attempts: number) =>
  RETRY_DELAYS[Math.min(attempts, RETRY_DELAYS.length - 1)]! * (0.75 + Math.random() / 4);

/**
 * Called with the error that caused the wait and the time of the next attempt (milliseconds of `Date.now`), or null
 * while it is unknown.
 */
export type OnWait = (error: ApiError, until: number | null) => void;

interface AcquireOptions {
  readonly signal: AbortSignal;
  readonly onWait: OnWait;
  /** Whether the caller has waited long enough; checked after each failed probe of another caller. */
  readonly hasTimedOut: () => boolean;
  /** Called when the browser is back online. */
  readonly onReconnect: () => void;
}

/**
 * Circuit breaker in front of all uploads of the page. An overloaded or unreachable server trips it for every request.
 * After the wait, one request probes the server, in order of arrival; the others follow only once the probe gets a
 * response.
 */
class CircuitBreaker {
  /** Why the breaker is open; null while it is closed. */
  private cause: ApiError | null = null;
  private retryAt = 0;
  /** When the breaker was tripped (milliseconds of `Date.now`). */
  private trippedAt = 0;
  /** End of the wait requested by `Retry-After` (milliseconds of `Date.now`). */
  private retryAfterUntil = 0;
  /** Index of the next backoff delay: delays grow with each failed probe. */
  private backoffStep = 0;
  /** Increases with each failed probe. */
  private failedProbes = 0;
  private probe: object | null = null;
  private readonly waiters: object[] = [];
  private readonly listeners = new Set<() => void>();

  get isClosed(): boolean {
    return this.cause === null;
  }

  /** Whether the error concerns all requests to the server, not just this file. */
  isServerWide({ status, retryAfter }: ApiError): boolean {
    return status === 429 || (status >= 502 && status <= 504) || (retryAfter ?? 0) > 0;
  }

  /**
   * Opens the breaker. Failures of requests that were already in flight when it opened don't count as failed probes;
   * they can only extend the `Retry-After` wait.
   */
  trip(caller: object, cause: ApiError): void {
    const now = Date.now();
    if (this.isClosed) this.trippedAt = now;
    if (this.isClosed || this.probe === caller) {
      this.retryAt = now + this.nextDelay(now);
      this.failedProbes++;
    }
    this.retryAfterUntil = Math.max(this.retryAfterUntil, now + (cause.retryAfter ?? 0) * 1000);
    this.retryAt = Math.max(this.retryAt, this.retryAfterUntil);
    this.cause = cause;
    this.releaseProbe(caller);
  }

  /** Closes the breaker: the server responds, so all requests may continue. */
  close(): void {
    if (this.isClosed) return;
    this.cause = null;
    this.probe = null;
    this.backoffStep = 0;
    this.notifyListeners();
  }

  /** Ends the caller's probe, so that the next caller can probe. */
  releaseProbe(caller: object): void {
    if (this.probe === caller) this.probe = null;
    this.notifyListeners();
  }

  /** Called when a caller gives up: a manual retry then waits only for the server's own `Retry-After`. */
  resetBackoff(): void {
    this.retryAt = this.retryAfterUntil;
    this.backoffStep = 0;
    this.notifyListeners();
  }

  /**
   * Waits until the breaker is closed, or until it is the caller's turn to probe.
   * @throws the error that tripped the breaker, once the caller has waited long enough; the abort reason
   */
  async acquire(caller: object, { signal, onWait, hasTimedOut, onReconnect }: AcquireOptions): Promise<void> {
    if (this.probe === caller) return;
    this.waiters.push(caller);
    try {
      while (this.cause) {
        signal.throwIfAborted();
        const isNext = this.probe === null && this.waiters[0] === caller;
        const remaining = this.retryAt - Date.now();
        if (isNext && remaining <= 0) return void (this.probe = caller);
        onWait(this.cause, this.probe === null ? this.retryAt : null);
        const { failedProbes } = this;
        if (await this.waitForChange(isNext ? remaining : null, signal)) onReconnect();
        if (this.cause && this.failedProbes > failedProbes && hasTimedOut()) throw this.cause;
      }
    } finally {
      this.waiters.splice(this.waiters.indexOf(caller), 1);
      this.notifyListeners();
    }
  }

  /** Resets all state between tests. */
  reset(): void {
    this.close();
    this.retryAt = 0;
    this.retryAfterUntil = 0;
  }

  /**
   * Caps the delay so that callers waiting since the breaker tripped get one last probe at the end of their retry
   * window.
   */
  private nextDelay(now: number): number {
    const backoff = computeRetryDelay(this.backoffStep++);
    const remaining = this.trippedAt + RETRY_WINDOW - now;
    return remaining > 0 ? Math.min(backoff, remaining + 100) : backoff;
  }

  private notifyListeners(): void {
    [...this.listeners].forEach((listener) => listener());
  }

  /** Waits for a change of the breaker, or for the timeout. Resolves to true if the browser came back online. */
  private waitForChange(timeoutMs: number | null, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const finish = (complete: () => void) => {
        clearTimeout(timer);
        this.listeners.delete(onChange);
        removeEventListener('online', onOnline);
        signal.removeEventListener('abort', onAbort);
        complete();
      };
      const onChange = () => finish(() => resolve(false));
      const onOnline = () => finish(() => resolve(true));
      const onAbort = () => finish(() => reject(signal.reason as Error));
      // While the browser is offline, a probe is pointless.
      const timer = timeoutMs === null ? undefined : setTimeout(() => navigator.onLine && onChange(), timeoutMs);
      this.listeners.add(onChange);
      addEventListener('online', onOnline);
      signal.addEventListener('abort', onAbort);
    });
  }
}

/** The page's only breaker: a server that is overloaded affects every request. */
export const circuitBreaker = new CircuitBreaker();
