import { openedFor } from '../../../../shared/account/opened-for';
import { ApiError, NETWORK, toApiError } from '../../../../shared/api/api-error';
import { Patience } from './trying/patience';
import type { Report } from './queue-options';
import type { StoredFile, UploadItem, UploadTarget } from './upload-item';

/** A request over which nothing has moved for this long is taken for lost. */
const stalledAfter = 45_000;

interface Sending {
  readonly items: readonly (UploadItem & { readonly file: File })[];
  readonly target: UploadTarget;
  /** The same for each try: the server stores what it knows by it once only. */
  readonly key: string;
  readonly onReport: (report: Report) => void;
  readonly signal: AbortSignal;
}

/**
 * Sends small files in one request: all of them are stored, or none. A lost connection is waited for, and what was stored
 * while the answer was lost is not stored twice. Refusals are thrown as the `ApiError`s of the client.
 */
export async function sendBatch(sending: Sending): Promise<readonly StoredFile[]> {
  const { onReport, signal } = sending;
  const patience = new Patience(signal);
  const waits = (waitsFor: ApiError, goesOnAt: number | null) => onReport({ waitsFor, goesOnAt });
  for (;;) {
    try {
      await patience.rested(waits);
      const stored = await attempt(sending);
      patience.answered();
      return stored;
    } catch (error) {
      await patience.wait(error, waits);
    }
  }
}

function attempt({ items, target, key, onReport, signal }: Sending): Promise<StoredFile[]> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const lost = () => reject(new ApiError(0, NETWORK, ''));
    request.upload.onprogress = ({ loaded, total }) =>
      onReport({ sent: total > 0 ? loaded / total : 0, waitsFor: undefined });
    request.onabort = () => reject(signal.aborted ? (signal.reason as Error) : new ApiError(0, NETWORK, ''));
    request.onerror = lost;
    request.ontimeout = lost;
    request.onload = () => {
      const { status, responseText } = request;
      const header = (name: string) => request.getResponseHeader(name);
      if (status === 201) resolve(JSON.parse(responseText) as StoredFile[]);
      else reject(toApiError(status, responseText, header('x-request-id'), header('retry-after'), bytesOf(items)));
    };
    request.onloadend = () => {
      signal.removeEventListener('abort', abort);
      removeEventListener('offline', abort);
    };
    signal.addEventListener('abort', abort);
    addEventListener('offline', abort);
    request.open('POST', `/api/zones/${target.zoneId}/files`);
    request.timeout = stalledAfter;
    const { lang } = document.documentElement;
    const headers = { ...openedFor.headers(), 'Idempotency-Key': key, ...(lang && { 'Accept-Language': lang }) };
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(formOf(items, target));
  });
}

const bytesOf = (items: Sending['items']) => items.reduce((sum, { file }) => sum + file.size, 0);

function formOf(items: Sending['items'], { folderId }: UploadTarget): FormData {
  const form = new FormData();
  // Fields stand before the files, which are read as they come.
  if (folderId !== null) form.append('folderId', String(folderId));
  for (const { file } of items) form.append('files', file, file.name);
  return form;
}
