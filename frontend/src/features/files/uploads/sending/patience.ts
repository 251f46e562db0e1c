import { ApiError } from '../../../../shared/api/api-error';

/** Milliseconds before each further try; about a minute in all. */
const delays = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];
/** Milliseconds from the first failure on, after which nothing is tried once more; a server's longer rests count. */
const minute = 60_000;
/** A server that asks to be left alone for longer than this is not waited for. */
const longestRest = 90_000;

/** Until when the server has asked to be left alone (milliseconds of `Date.now`): it concerns all that is sent. */
let restUntil = 0;
/** Its refusal that said so. */
let restFor: ApiError | null = null;

/**
 * How long something that fails is tried again: with growing waits, a part of each left to chance so that many do not come
 * back at the same moment, for about a minute. Only what the server is sure to have begins it anew.
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

  /**
   * Waits before the next try.
   * @param onWait told of what is waited for
   * @throws the error itself when it does not pass, or has been waited for long enough; the reason of an abort
   */
  async wait(error: unknown, onWait: (error: ApiError) => void): Promise<void> {
    this.failingSince ??= performance.now();
    const isLongEnough = this.tries >= delays.length || performance.now() - this.failingSince >= minute;
    if (this.signal.aborted || !isPassing(error) || isLongEnough) throw error;
    const asked = (error.retryAfter ?? 0) * 1000;
    if (asked > longestRest) throw error;
    if (asked > 0) {
      restUntil = Math.max(restUntil, Date.now() + asked);
      restFor = error;
    }
    const own = delays[this.tries++]!;
    onWait(error);
    const isBack = await connection(Math.max(asked, own * (0.75 + Math.random() / 4)), this.signal);
    // Without a connection nothing could be tried: its minute is still to come.
    if (isBack) this.failingSince = null;
  }

  /** Waits while the server wants to be left alone, and tells of the refusal that said so. */
  async rested(onWait: (error: ApiError) => void): Promise<void> {
    while (restFor && restUntil > Date.now()) {
      onWait(restFor);
      await connection(restUntil - Date.now(), this.signal);
    }
    this.signal.throwIfAborted();
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
