import { accountHeader } from '../../../../shared/account/account-header';
import { ApiError, NETWORK_ERROR, toApiError } from '../../../../shared/api/api-error';
import { RetryController } from './retry/retry-controller';
import type { ProgressReport } from './queue-options';
import type { StoredFile, UploadItem, UploadTarget } from './upload-item';

/** Milliseconds without progress after which a request counts as lost. */
const STALL_TIMEOUT = 45_000;

interface BatchRequest {
  readonly items: readonly (UploadItem & { readonly file: File })[];
  readonly target: UploadTarget;
  /** Idempotency key, the same for each attempt: the server stores the files of one key only once. */
  readonly key: string;
  readonly onProgress: (report: ProgressReport) => void;
  readonly signal: AbortSignal;
}

/**
 * Sends small files in one request: all of them are stored, or none. Retries after a lost connection; files stored by a
 * request whose response was lost are not stored twice. Rejects with the client's `ApiError`s.
 */
export async function sendBatch(request: BatchRequest): Promise<readonly StoredFile[]> {
  const { onProgress, signal } = request;
  const retryController = new RetryController(signal);
  const reportWait = (waitReason: ApiError, resumesAt: number | null) => onProgress({ waitReason, resumesAt });
  for (;;) {
    try {
      await retryController.waitUntilReady(reportWait);
      const stored = await sendOnce(request);
      retryController.recordResponse();
      return stored;
    } catch (error) {
      await retryController.waitToRetry(error, reportWait);
    }
  }
}

function sendOnce({ items, target, key, onProgress, signal }: BatchRequest): Promise<StoredFile[]> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abortRequest = () => request.abort();
    const rejectAsNetworkError = () => reject(new ApiError(0, NETWORK_ERROR, ''));
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress({ sent: total > 0 ? loaded / total : 0, waitReason: undefined });
    request.onabort = () => reject(signal.aborted ? (signal.reason as Error) : new ApiError(0, NETWORK_ERROR, ''));
    request.onerror = rejectAsNetworkError;
    request.ontimeout = rejectAsNetworkError;
    request.onload = () => {
      const { status, responseText } = request;
      const header = (name: string) => request.getResponseHeader(name);
      if (status === 201) resolve(JSON.parse(responseText) as StoredFile[]);
      else reject(toApiError(status, responseText, header('x-request-id'), header('retry-after'), totalBytesOf(items)));
    };
    request.onloadend = () => {
      signal.removeEventListener('abort', abortRequest);
      removeEventListener('offline', abortRequest);
    };
    signal.addEventListener('abort', abortRequest);
    addEventListener('offline', abortRequest);
    request.open('POST', `/api/zones/${target.zoneId}/files`);
    request.timeout = STALL_TIMEOUT;
    const { lang } = document.documentElement;
    const headers = { ...accountHeader.getHeaders(), 'Idempotency-Key': key, ...(lang && { 'Accept-Language': lang }) };
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(toFormData(items, target));
  });
}

const totalBytesOf = (items: BatchRequest['items']) => items.reduce((sum, { file }) => sum + file.size, 0);

function toFormData(items: BatchRequest['items'], { folderId }: UploadTarget): FormData {
  const { onConflict } = items[0]!;
  const form = new FormData();
  // Fields must precede the files, because the server reads the body as a stream.
  if (folderId !== null) form.append('folderId', String(folderId));
  if (onConflict !== 'refuse') form.append('onConflict', onConflict);
  for (const { file } of items) form.append('files', file, file.name);
  return form;
}
