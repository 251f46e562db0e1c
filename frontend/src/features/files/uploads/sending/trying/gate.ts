import { ApiError } from '../../../../../shared/api/api-error';

/** Milliseconds before each further try; about a minute in all. */
export const delays = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];

/** Milliseconds from the first failure on, after which nothing is tried once more; a server's longer rests count. */
export const minute = 60_000;

/** A part of each wait is left to chance, so that many browsers do not come back at the same moment. */
export const delayBefore = (tries: number) => delays[Math.min(tries, delays.length - 1)]! * (0.75 + Math.random() / 4);

/** Told of what is waited for, and until when it is tried again (milliseconds of `Date.now`); null while that is not known. */
export type OnWait = (error: ApiError, until: number | null) => void;

interface Passing {
  readonly signal: AbortSignal;
  readonly onWait: OnWait;
  /** Whether it has waited long enough; asked each time that another has tried in vain. */
  readonly isOver: () => boolean;
  /** The browser was without a connection meanwhile. */
  readonly onBack: () => void;
}

/**
 * Stands before all that the page sends. A server that is busy or away shuts it for everybody; once the wait is over one
 * tries for all, in the order in which they came, and only when that one gets its answer do the others follow.
 */
class Gate {
  /** Why it is shut; null while it is open. */
  private cause: ApiError | null = null;
  private until = 0;
  /** Since when it is shut. */
  private since = 0;
  /** Until when the server itself has asked to be left alone. */
  private rest = 0;
  /** How often it was tried in vain since it was shut: the waits grow. */
  private tries = 0;
  /** Goes up with each of them. */
  private vain = 0;
  private trying: object | null = null;
  private readonly waiting: object[] = [];
  private readonly listeners = new Set<() => void>();

  get isOpen(): boolean {
    return this.cause === null;
  }

  /** Whether the server's state concerns all that is sent, and not this one file. */
  concernsAll({ status, retryAfter }: ApiError): boolean {
    return status === 429 || (status >= 502 && status <= 504) || (retryAfter ?? 0) > 0;
  }

  /** The server could not take it. What was on its way as the gate was shut tells nothing new but for a longer rest. */
  shut(who: object, cause: ApiError): void {
    const now = Date.now();
    if (this.isOpen) this.since = now;
    if (this.isOpen || this.trying === who) {
      this.until = now + this.delay(now);
      this.vain++;
    }
    this.rest = Math.max(this.rest, now + (cause.retryAfter ?? 0) * 1000);
    this.until = Math.max(this.until, this.rest);
    this.cause = cause;
    this.leave(who);
  }

  /** The server answers: all may go on. */
  open(): void {
    if (this.isOpen) return;
    this.cause = null;
    this.trying = null;
    this.tries = 0;
    this.tell();
  }

  /** Tries no more; the next one may. */
  leave(who: object): void {
    if (this.trying === who) this.trying = null;
    this.tell();
  }

  /** One has waited in vain: whoever is told to try anew waits for the server's own rest only. */
  giveUp(): void {
    this.until = this.rest;
    this.tries = 0;
    this.tell();
  }

  /**
   * Waits until the gate is open, or until it is one's turn to try for all.
   * @throws why it is shut, once it has waited long enough; the reason of an abort
   */
  async pass(who: object, { signal, onWait, isOver, onBack }: Passing): Promise<void> {
    if (this.trying === who) return;
    this.waiting.push(who);
    try {
      while (this.cause) {
        signal.throwIfAborted();
        const isNext = this.trying === null && this.waiting[0] === who;
        const left = this.until - Date.now();
        if (isNext && left <= 0) return void (this.trying = who);
        onWait(this.cause, this.trying === null ? this.until : null);
        const { vain } = this;
        if (await this.change(isNext ? left : null, signal)) onBack();
        if (this.cause && this.vain > vain && isOver()) throw this.cause;
      }
    } finally {
      this.waiting.splice(this.waiting.indexOf(who), 1);
      this.tell();
    }
  }

  /** What one test leaves behind is not for the next. */
  reset(): void {
    this.open();
    this.until = 0;
    this.rest = 0;
  }

  /** The last try for who waits from the beginning comes with the end of their minute. */
  private delay(now: number): number {
    const own = delayBefore(this.tries++);
    const left = this.since + minute - now;
    return left > 0 ? Math.min(own, left + 100) : own;
  }

  private tell(): void {
    [...this.listeners].forEach((listener) => listener());
  }

  /** Until something happens at the gate, or a while has passed; gives true when the connection has come back. */
  private change(after: number | null, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const end = (then: () => void) => {
        clearTimeout(timer);
        this.listeners.delete(told);
        removeEventListener('online', back);
        signal.removeEventListener('abort', abort);
        then();
      };
      const told = () => end(() => resolve(false));
      const back = () => end(() => resolve(true));
      const abort = () => end(() => reject(signal.reason as Error));
      // Where the browser knows that it has no connection, there is nothing to try.
      const timer = after === null ? undefined : setTimeout(() => navigator.onLine && told(), after);
      this.listeners.add(told);
      addEventListener('online', back);
      signal.addEventListener('abort', abort);
    });
  }
}

/** The page's only one: a server that wants to be left alone means all of it. */
export const gate = new Gate();
