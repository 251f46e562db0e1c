/** Milliseconds without progress after which a request counts as lost. */
const STALL_TIMEOUT = 45_000;

/** The bucket didn't accept a part, or couldn't be reached; browsers don't say whether its CORS rule was the cause. */
export class PartError extends Error {}

interface PartRequest {
  /** A signed address, which needs no session. */
  readonly url: string;
  readonly body: Blob;
  /** Called with the bytes sent so far. */
  readonly onProgress: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Sends a part of a file to a bucket and returns its ETag. Unlike `fetch`, it reports progress.
 * @throws PartError; the reason of the signal
 */
export function putPart({ url, body, onProgress, signal }: PartRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    let stallTimer: ReturnType<typeof setTimeout>;
    const abort = () => request.abort();
    const restartStallTimer = () => {
      clearTimeout(stallTimer);
      stallTimer = setTimeout(abort, STALL_TIMEOUT);
    };
    request.upload.onprogress = ({ loaded }) => {
      restartStallTimer();
      onProgress(loaded);
    };
    request.onabort = () => reject(signal.aborted ? (signal.reason as Error) : new PartError('stalled'));
    request.onerror = () => reject(new PartError('unreachable'));
    request.onload = () => {
      const etag = request.getResponseHeader('etag');
      if (request.status === 200 && etag) resolve(etag);
      else reject(new PartError(`status ${request.status}`));
    };
    request.onloadend = () => {
      clearTimeout(stallTimer);
      signal.removeEventListener('abort', abort);
      removeEventListener('offline', abort);
    };
    signal.addEventListener('abort', abort);
    addEventListener('offline', abort);
    request.open('PUT', url);
    restartStallTimer();
    request.send(body);
  });
}
