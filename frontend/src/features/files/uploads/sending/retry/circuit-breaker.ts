import { ApiError } from '../../../../../shared/api/api-error';

/** Milliseconds before each further try; about a minute in all. */
export const RETRY_DELAYS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];

/** Milliseconds from the first failure on, after which nothing is tried once more; a server's longer rests count. */
export const RETRY_WINDOW = 60_000;

/** A part of each wait is left to chance, so that many browsers do not come back at the same moment. */
export const retryDelay = (attempts: number) =>
  RETRY_DELAYS[Math.min(attempts, RETRY_DELAYS.length - 1)]! * (0.75 + Math.random() / 4);

/** Told of what is waited for, and until when it is tried again (milliseconds of `Date.now`); null while that is not known. */
export type OnWait = (error: ApiError, until: number | null) => void;

interface AcquireOptions {
  readonly signal: AbortSignal;
  readonly onWait: OnWait;
  /** Whether it has waited long enough; asked each time that another has tried in vain. */
  readonly hasTimedOut: () => boolean;
  /** The browser was without a connection meanwhile. */
  readonly onReconnect: () => void;
}

/**
 * Stands before all that the page sends. A server that is busy or away shuts it for everybody; once the wait is over one
 * tries for all, in the order in which they came, and only when that one gets its answer do the others follow.
 */
class CircuitBreaker {
  /** Why it is shut; null while it is open. */
  private cause: ApiError | null = null;
  private retryAt = 0;
  /** Since when it is shut. */
  private trippedAt = 0;
  /** Until when the server itself has asked to be left alone. */
  private retryAfterUntil = 0;
  /** How often it was tried in vain since it was shut: the waits grow. */
  private backoffStep = 0;
  /** Goes up with each of them. */
  private failedProbes = 0;
  private probe: object | null = null;
  private readonly waiters: object[] = [];
  private readonly listeners = new Set<() => void>();

  get isClosed(): boolean {
    return this.cause === null;
  }

  /** Whether the server's state concerns all that is sent, and not this one file. */
  isServerWide({ status, retryAfter }: ApiError): boolean {
    return status === 429 || (status >= 502 && status <= 504) || (retryAfter ?? 0) > 0;
  }

  /** The server could not take it. What was on its way as the gate was shut tells nothing new but for a longer rest. */
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

  /** The server answers: all may go on. */
  close(): void {
    if (this.isClosed) return;
    this.cause = null;
    this.probe = null;
    this.backoffStep = 0;
    this.notifyListeners();
  }

  /** Tries no more; the next one may. */
  releaseProbe(caller: object): void {
    if (this.probe === caller) this.probe = null;
    this.notifyListeners();
  }

  /** One has waited in vain: whoever is told to try anew waits for the server's own rest only. */
  resetBackoff(): void {
    this.retryAt = this.retryAfterUntil;
    this.backoffStep = 0;
    this.notifyListeners();
  }

  /**
   * Waits until the gate is open, or until it is one's turn to try for all.
   * @throws why it is shut, once it has waited long enough; the reason of an abort
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

  /** What one test leaves behind is not for the next. */
  reset(): void {
    this.close();
    this.retryAt = 0;
    this.retryAfterUntil = 0;
  }

  /** The last try for who waits from the beginning comes with the end of their minute. */
  private nextDelay(now: number): number {
    const backoff = retryDelay(this.backoffStep++);
    const remaining = this.trippedAt + RETRY_WINDOW - now;
    return remaining > 0 ? Math.min(backoff, remaining + 100) : backoff;
  }

  private notifyListeners(): void {
    [...this.listeners].forEach((listener) => listener());
  }

  /** Until something happens at the gate, or a while has passed; gives true when the connection has come back. */
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
      // Where the browser knows that it has no connection, there is nothing to try.
      const timer = timeoutMs === null ? undefined : setTimeout(() => navigator.onLine && onChange(), timeoutMs);
      this.listeners.add(onChange);
      addEventListener('online', onOnline);
      signal.addEventListener('abort', onAbort);
    });
  }
}

/** The page's only one: a server that wants to be left alone means all of it. */
export const circuitBreaker = new CircuitBreaker();
