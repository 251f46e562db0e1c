import type { DetailedError, Upload, UploadOptions } from 'tus-js-client';
import { openedFor } from '../../../../shared/account/opened-for';
import { ApiError, hasCode, NETWORK, toApiError } from '../../../../shared/api/api-error';
import { FRONT_LIMIT, frontLimit } from '../../../../shared/api/front-limit';
import { Patience } from './trying/patience';
import type { UploadItem } from './upload-item';
import { uploadMemory } from './upload-memory';
import { whileSent } from './upload-presence';
import type { Report } from './queue-options';

const endpoint = '/api/uploads';
/** Files up to this size go in the request that begins them. */
const inOneRequest = 2 ** 20;
/** A connection over which nothing has moved for this long is taken for lost. */
const stalledAfter = 45_000;

interface Sending {
  readonly item: UploadItem & { readonly file: File };
  readonly userId: number;
  readonly onReport: (report: Report) => void;
  readonly signal: AbortSignal;
}

/**
 * Sends a file, from where the server has it. A lost connection is waited for, and taken up again. Refusals are thrown
 * as the `ApiError`s of the client, an abort as an `AbortError`; what was sent can be resumed after both.
 */
export async function sendFile(sending: Sending): Promise<void> {
  const { Upload } = await import('tus-js-client');
  const { signal, onReport } = sending;
  const patience = new Patience(signal);
  const waits = (waitsFor: ApiError, goesOnAt: number | null) => onReport({ waitsFor, goesOnAt });
  const onAnswer = () => patience.answered();
  let held = 0;
  for (;;) {
    // An attempt begins with what the server has; what leaves after that may come to nothing.
    let isFirst = true;
    const progress = ({ sent = 0 }: Report) => {
      if (isFirst && sent > held) patience.begin();
      if (isFirst) held = Math.max(held, sent);
      isFirst = false;
      onReport({ sent, waitsFor: undefined });
    };
    try {
      await patience.rested(waits);
      await attempt(Upload, { ...sending, onReport: progress, onAnswer });
      return onAnswer();
    } catch (error) {
      // A proxy in front takes smaller pieces; which, is learned here.
      if (!signal.aborted && hasCode(error, FRONT_LIMIT) && error.body.smaller === true) continue;
      await patience.wait(error, waits);
    }
  }
}

/**
 * Tells the server to forget what it has of an upload, and frees its place in the plan. When the server cannot be
 * reached it is told when the page is loaded next.
 */
export async function forgetUpload(url: string): Promise<void> {
  uploadMemory.markDropped(url);
  try {
    const { Upload } = await import('tus-js-client');
    await Upload.terminate(url, { headers: headers(), retryDelays: [] });
  } catch (error) {
    // One that is gone already needs no telling.
    if (toError(error).status !== 404) return;
  }
  uploadMemory.forget(url);
}

/** Sends once, up to the end or to the first failure. */
function attempt(Tus: typeof Upload, sending: Sending & { onAnswer: () => void }): Promise<void> {
  const { item, userId, onReport, onAnswer, signal } = sending;
  const { file } = item;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let watch: ReturnType<typeof setTimeout>;
  /** Why it is to stop, while it cannot: the server is just giving it its address. */
  let stopping: unknown = null;
  const halt = (reason: unknown) => {
    stopping = reason;
    if (upload.url || file.size <= inOneRequest) void upload.abort().then(() => reject(reason as Error), reject);
  };
  const abort = () => halt(signal.reason);
  const lose = () => halt(new ApiError(0, NETWORK, ''));
  const moved = () => {
    clearTimeout(watch);
    watch = setTimeout(lose, stalledAfter);
  };
  const { piece } = frontLimit;
  /** What the server has of the file, in bytes: a refused request held what comes after it. */
  let taken = 0;
  const upload = new Tus(file, {
    ...optionsOf(item),
    chunkSize: piece,
    onChunkComplete: (_, accepted) => (taken = accepted),
    uploadUrl: uploadMemory.urlOf(userId, item),
    onProgress: (sent, total) => {
      moved();
      onReport({ sent: total > 0 ? sent / total : 1 });
    },
    onUploadUrlAvailable: () => {
      onAnswer();
      uploadMemory.add(upload.url!, userId, item);
      whileSent(upload.url!, promise);
      if (stopping) halt(stopping);
    },
    onError: (error) => reject((stopping as Error | null) ?? toError(error, Math.min(file.size - taken, piece))),
    onSuccess: () => {
      if (upload.url) uploadMemory.forget(upload.url);
      resolve();
    },
  });
  signal.addEventListener('abort', abort);
  addEventListener('offline', lose);
  moved();
  upload.start();
  return promise.finally(() => {
    clearTimeout(watch);
    removeEventListener('offline', lose);
    signal.removeEventListener('abort', abort);
  });
}

function optionsOf({ file, target, rename }: UploadItem): UploadOptions {
  return {
    endpoint,
    retryDelays: null,
    // What has been begun is remembered by us, for each person of this browser apart.
    storeFingerprintForResuming: false,
    uploadDataDuringCreation: file.size <= inOneRequest,
    headers: headers(),
    metadata: {
      filename: file.name,
      filetype: file.type,
      zoneId: String(target.zoneId),
      ...(target.folderId === null ? {} : { folderId: String(target.folderId) }),
      ...(rename ? { onConflict: 'rename' } : {}),
    },
  };
}

function headers(): Record<string, string> {
  const { lang } = document.documentElement;
  return { ...openedFor.headers(), ...(lang && { 'Accept-Language': lang }) };
}

/** @param sent bytes of the request */
function toError(error: unknown, sent?: number): ApiError {
  if (error instanceof ApiError) return error;
  const { originalResponse } = error as DetailedError;
  if (!originalResponse) return new ApiError(0, NETWORK, '');
  return toApiError(
    originalResponse.getStatus(),
    originalResponse.getBody(),
    originalResponse.getHeader('X-Request-Id'),
    originalResponse.getHeader('Retry-After'),
    sent,
  );
}
