import type { DetailedError, Upload, UploadOptions } from 'tus-js-client';
import { accountHeader } from '../../../../shared/account/account-header';
import { ApiError, hasCode, NETWORK_ERROR, toApiError } from '../../../../shared/api/api-error';
import { PROXY_BODY_LIMIT, proxyBodyLimit } from '../../../../shared/api/proxy-body-limit';
import { sendDirectly } from './send-directly';
import { RetryController } from './retry/retry-controller';
import type { UploadItem } from './upload-item';
import { uploadStorage } from './upload-storage';
import { holdUploadLock } from './upload-locks';
import type { ProgressReport } from './queue-options';

const ENDPOINT = '/api/uploads';
/** Maximum size in bytes of files that are sent within the creation request. */
const SINGLE_REQUEST_BYTES = 2 ** 20;
/**
 * Maximum bytes of a file in one request, if nothing in front of the server accepts less: a request of a whole large file
 * could exceed time limits on a slow connection.
 */
const MAX_REQUEST_BYTES = 512 * 2 ** 20;
/** Milliseconds without progress after which a connection counts as lost. */
const STALL_TIMEOUT = 45_000;

interface FileRequest {
  readonly item: UploadItem & { readonly file: File };
  readonly userId: number;
  readonly onProgress: (report: ProgressReport) => void;
  readonly signal: AbortSignal;
}

/**
 * Sends a file to the bucket, if it accepts parts from browsers, or else from the offset that the server has. Resumes
 * after a lost connection. Rejects with the client's `ApiError`s, or with an `AbortError` when aborted; the upload can be
 * resumed after both.
 */
export async function sendFile(request: FileRequest): Promise<void> {
  const { Upload } = await import('tus-js-client');
  const { signal, onProgress } = request;
  const retryController = new RetryController(signal);
  const reportWait = (waitReason: ApiError, resumesAt: number | null) => onProgress({ waitReason, resumesAt });
  const onResponse = () => retryController.recordResponse();
  let confirmedFraction = 0;
  for (;;) {
    // The first report of an attempt is the server's offset; bytes sent after that may be lost.
    let isFirstReport = true;
    const reportProgress = ({ sent = 0, isChecking }: ProgressReport) => {
      if (isFirstReport && sent > confirmedFraction) retryController.reset();
      if (isFirstReport) confirmedFraction = Math.max(confirmedFraction, sent);
      isFirstReport = false;
      onProgress({ sent, isChecking, waitReason: undefined });
    };
    const attempt = { ...request, onProgress: reportProgress, onResponse };
    try {
      await retryController.waitUntilReady(reportWait);
      const isSent = await sendDirectly({ ...attempt, metadata: toMetadata(request.item) });
      if (!isSent) await sendOnce(Upload, attempt);
      return onResponse();
    } catch (error) {
      // A proxy in front accepts only smaller requests; the new chunk size has been learned from this error.
      if (!signal.aborted && hasCode(error, PROXY_BODY_LIMIT) && error.body.smaller === true) continue;
      await retryController.waitToRetry(error, reportWait);
    }
  }
}

/**
 * Deletes an upload on the server, which releases its reserved quota. If the server can't be reached, it is deleted at
 * the next page load.
 */
export async function terminateUpload(url: string): Promise<void> {
  uploadStorage.markDiscarded(url);
  try {
    const { Upload } = await import('tus-js-client');
    await Upload.terminate(url, { headers: requestHeaders(), retryDelays: [] });
  } catch (error) {
    // 404: the server has already deleted it.
    if (toUploadError(error).status !== 404) return;
  }
  uploadStorage.remove(url);
}

/** Makes one attempt, up to the end or to the first failure. */
function sendOnce(TusUpload: typeof Upload, request: FileRequest & { onResponse: () => void }): Promise<void> {
  const { item, userId, onProgress, onResponse, signal } = request;
  const { file } = item;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let stallTimer: ReturnType<typeof setTimeout>;
  /** Why the upload should stop, while it can't yet: the server is just creating its URL. */
  let stopReason: unknown = null;
  const stopUpload = (reason: unknown) => {
    stopReason = reason;
    if (upload.url || file.size <= SINGLE_REQUEST_BYTES)
      void upload.abort().then(() => reject(reason as Error), reject);
  };
  const onAbort = () => stopUpload(signal.reason);
  const onConnectionLost = () => stopUpload(new ApiError(0, NETWORK_ERROR, ''));
  const restartStallTimer = () => {
    clearTimeout(stallTimer);
    stallTimer = setTimeout(onConnectionLost, STALL_TIMEOUT);
  };
  const maxChunkSize = Math.min(proxyBodyLimit.chunkSize, MAX_REQUEST_BYTES);
  /** Bytes of the file that the server has; a rejected request started at this offset. */
  let acceptedBytes = 0;
  const upload = new TusUpload(file, {
    ...toTusOptions(item),
    chunkSize: maxChunkSize,
    onChunkComplete: (_, accepted) => (acceptedBytes = accepted),
    uploadUrl: uploadStorage.findUrl(userId, item),
    onProgress: (sent, total) => {
      restartStallTimer();
      onProgress({ sent: total > 0 ? sent / total : 1 });
    },
    onUploadUrlAvailable: () => {
      onResponse();
      uploadStorage.add(upload.url!, userId, item);
      holdUploadLock(upload.url!, promise);
      if (stopReason) stopUpload(stopReason);
    },
    onError: (error) =>
      reject((stopReason as Error | null) ?? toUploadError(error, Math.min(file.size - acceptedBytes, maxChunkSize))),
    onSuccess: () => {
      if (upload.url) uploadStorage.remove(upload.url);
      resolve();
    },
  });
  signal.addEventListener('abort', onAbort);
  addEventListener('offline', onConnectionLost);
  restartStallTimer();
  upload.start();
  return promise.finally(() => {
    clearTimeout(stallTimer);
    removeEventListener('offline', onConnectionLost);
    signal.removeEventListener('abort', onAbort);
  });
}

function toTusOptions(item: UploadItem): UploadOptions {
  return {
    endpoint: ENDPOINT,
    retryDelays: null,
    // `uploadStorage` remembers started uploads instead, separately for each user of this browser.
    storeFingerprintForResuming: false,
    uploadDataDuringCreation: item.file.size <= SINGLE_REQUEST_BYTES,
    headers: requestHeaders(),
    metadata: toMetadata(item),
  };
}

function toMetadata({ file, target, onConflict, replaces }: UploadItem): Record<string, string> {
  return {
    filename: file.name,
    filetype: file.type,
    zoneId: String(target.zoneId),
    ...(target.folderId === null ? {} : { folderId: String(target.folderId) }),
    ...(onConflict === 'refuse' ? {} : { onConflict }),
    ...(replaces && { replaces: String(replaces.id), ifVersion: String(replaces.version) }),
  };
}

function requestHeaders(): Record<string, string> {
  const { lang } = document.documentElement;
  return { ...accountHeader.getHeaders(), ...(lang && { 'Accept-Language': lang }) };
}

/** @param sent bytes of the request */
function toUploadError(error: unknown, sent?: number): ApiError {
  if (error instanceof ApiError) return error;
  const { originalResponse } = error as DetailedError;
  if (!originalResponse) return new ApiError(0, NETWORK_ERROR, '');
  return toApiError(
    originalResponse.getStatus(),
    originalResponse.getBody(),
    originalResponse.getHeader('X-Request-Id'),
    originalResponse.getHeader('Retry-After'),
    sent,
  );
}
