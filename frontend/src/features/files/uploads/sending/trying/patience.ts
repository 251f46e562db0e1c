import { ApiError } from '../../../../../shared/api/api-error';
import { delayBefore, delays, gate, minute, type OnWait } from './gate';

/** A server that asks to be left alone for longer than this is not waited for. */
const longestRest = 90_000;

/**
 * How long something that fails is tried again: with growing waits, for about a minute. Only what the server is sure to
 * have begins it anew. What concerns all that is sent is waited for by all, at the gate, and tried by one.
 */
export class Patience {
  private tries = 0;
  /** When it failed first (milliseconds of `performance.now`). */
  private failingSince: number | null = null;

  constructor(private readonly signal: AbortSignal) {}

  /** The server has more than before. */
  begin(): void {
    this.tries = 0;
    this.failingSince = null;
  }

  /** The server has taken what was sent, or has begun to. */
  answered(): void {
    gate.open();
  }

  /**
   * Waits before the next try.
   * @param onWait told of what is waited for
   * @throws the error itself when it does not pass, or has been waited for long enough; the reason of an abort
   */
  async wait(error: unknown, onWait: OnWait): Promise<void> {
    this.failingSince ??= performance.now();
    if (this.signal.aborted || !isPassing(error)) {
      // A refusal is an answer like any other.
      if (!this.signal.aborted && error instanceof ApiError) gate.open();
      else gate.leave(this);
      throw error;
    }
    const isForAll = gate.concernsAll(error);
    const isRefusing = (error.retryAfter ?? 0) * 1000 > longestRest;
    if (isForAll && !isRefusing) gate.shut(this, error);
    else gate.leave(this);
    if (isRefusing || this.tries >= delays.length || this.isOver()) {
      if (isForAll && !isRefusing) gate.giveUp();
      throw error;
    }
    const own = delayBefore(this.tries++);
    if (isForAll) return this.rested(onWait);
    onWait(error, error.status === 0 ? null : Date.now() + own);
    const isBack = await connection(own, this.signal);
    // Without a connection nothing could be tried: its minute is still to come.
    if (isBack) this.failingSince = null;
  }

  /** Waits while the server is not to be asked, and tells of the refusal that said so. */
  async rested(onWait: OnWait): Promise<void> {
    this.signal.throwIfAborted();
    if (gate.isOpen) return;
    this.failingSince ??= performance.now();
    const onBack = () => (this.failingSince = performance.now());
    await gate.pass(this, { signal: this.signal, onWait, isOver: () => this.isOver(), onBack });
    // What has not failed itself has lost nothing of its own minute.
    if (gate.isOpen && this.tries === 0) this.failingSince = null;
  }

  private isOver(): boolean {
    return this.failingSince !== null && performance.now() - this.failingSince >= minute;
  }
}

/** Lost connections, what another request holds or moved on meanwhile, too many requests, and a server that is away. */
function isPassing(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  const { status, code } = error;
  // A full disk does not pass within a minute.
  if (code === 'DISK_FULL') return false;
  return status === 0 || status === 423 || status === 429 || status >= 500 || code === 'UPLOAD_OFFSET';
}

/** Waits a while; where the browser knows that it has no connection, until it has one: then it gives true. */
function connection(delay: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const end = (then: () => void) => {
      clearTimeout(timer);
      removeEventListener('online', back);
      signal.removeEventListener('abort', abort);
      then();
    };
    const back = () => end(() => resolve(true));
    const abort = () => end(() => reject(signal.reason as Error));
    const timer = setTimeout(() => navigator.onLine && end(() => resolve(false)), delay);
    addEventListener('online', back);
    signal.addEventListener('abort', abort);
  });
}
