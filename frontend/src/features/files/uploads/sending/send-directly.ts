import { api, type Schema } from '../../../../shared/api/client';
import { ApiError, hasCode, NETWORK_ERROR } from '../../../../shared/api/api-error';
import { PartError, putPart } from './put-part';
import type { OnProgress } from './queue-options';
import type { UploadItem } from './upload-item';
import { holdUploadLock } from './upload-locks';
import { uploadStorage } from './upload-storage';

/** Smaller files have a single part, for which it isn't worth asking. Bytes. */
const MIN_BYTES = 8 * 2 ** 20;
const MAX_ACTIVE_PARTS = 3;
/** Parts per request for addresses, which also reports those that were sent. */
const ADDRESSES_PER_REQUEST = 6;
/** Milliseconds after which a new address is requested; they are valid for 15 minutes, unless the server's credentials end. */
const ADDRESS_LIFETIME = 10 * 60_000;
const MAX_ATTEMPTS = 4;
/** Milliseconds. */
const RETRY_DELAY = 1000;
const CHECK_INTERVAL = 1000;

const TUS_VERSION = { 'Tus-Resumable': '1.0.0' };

/** Whether this page may send files to the bucket: not after the server, or the first part, has said otherwise. */
let isEnabled = true;
/** A part was accepted before, so that a later failure isn't one of the bucket's rules. */
let hasWorked = false;

export const directUploads = {
  /** For tests. */
  reset(): void {
    isEnabled = true;
    hasWorked = false;
  },
};

interface DirectRequest {
  readonly item: UploadItem & { readonly file: File };
  readonly userId: number;
  /** Values of the `Upload-Metadata` header. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal;
  /** Called when the server has accepted the upload. */
  readonly onResponse: () => void;
}

/**
 * Sends a file to the bucket itself, and resumes with the parts that are missing. The file is read in slices, so it
 * doesn't have to fit into memory.
 * @returns false if the file must be sent through the service
 * @throws ApiError; the reason of the signal
 */
export async function sendDirectly(request: DirectRequest): Promise<boolean> {
  const { item, signal } = request;
  if (!isEnabled || item.file.size <= MIN_BYTES) return false;
  const known = await findKnownUpload(request);
  const { id, location: url, acceptsParts } = known ?? (await createUpload(request));
  // A known upload may have been begun through the service, or be stored already.
  if (!acceptsParts) return known ? false : disable();
  const work = sendParts(id, request);
  holdUploadLock(url, work);
  try {
    await work;
  } catch (error) {
    signal.throwIfAborted();
    if (hasCode(error, 'UPLOAD_NOT_DIRECT') || (error instanceof PartError && !hasWorked)) return disable();
    throw error instanceof PartError ? new ApiError(0, NETWORK_ERROR, '') : error;
  }
  uploadStorage.remove(url);
  return true;
}

/** Returns the upload of this file that an earlier page load has begun; null if there is none, or it has expired. */
async function findKnownUpload({ item, userId, signal }: DirectRequest): Promise<Schema<'ResumableUploadDto'> | null> {
  const url = uploadStorage.findUrl(userId, item);
  if (url === null) return null;
  const id = new URL(url, location.origin).pathname.split('/').at(-1)!;
  try {
    return (await api.GET('/api/uploads/{id}', { params: { path: { id } }, signal })).data!;
  } catch (error) {
    if (!hasCode(error, 'UPLOAD_NOT_FOUND')) throw error;
    uploadStorage.remove(url);
    return null;
  }
}

function disable(): false {
  isEnabled = false;
  return false;
}

async function createUpload(request: DirectRequest): Promise<Schema<'ResumableUploadDto'>> {
  const { item, userId, metadata, onResponse, signal } = request;
  const header = {
    ...TUS_VERSION,
    'Upload-Length': String(item.file.size),
    'Upload-Metadata': Object.entries(metadata)
      .map(([key, value]) => `${key} ${toBase64(value)}`)
      .join(','),
  };
  const { data } = await api.POST('/api/uploads', { params: { header }, signal });
  onResponse();
  uploadStorage.add(data!.location, userId, item);
  return data!;
}

const toBase64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** Sends the parts until the server has made them a file. */
async function sendParts(id: string, request: DirectRequest): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendMissing(id, request);
    } catch (error) {
      // A part was sent again after it was reported, for example by another tab.
      if (attempt === MAX_ATTEMPTS || !hasCode(error, 'UPLOAD_INCOMPLETE')) throw error;
    }
  }
}

async function sendMissing(id: string, { item, onProgress, signal, onResponse }: DirectRequest): Promise<void> {
  const params = { path: { id } };
  const { data } = await api.GET('/api/uploads/{id}/parts', { params, signal });
  onResponse();
  const sender = new PartSender(id, item.file, data!, onProgress, signal);
  await sender.sendAll();
  let sent = sender.takeReports();
  for (;;) {
    const { data: upload } = await api.POST('/api/uploads/{id}/complete', { params, body: { sent }, signal });
    sent = [];
    onProgress({ sent: 1, waitReason: undefined, isChecking: true });
    // Once it was checked, completing it again says why it isn't stored.
    if (upload!.state === 'stored' || (await waitForCheck(id, signal)) === 'stored') return;
  }
}

async function waitForCheck(id: string, signal: AbortSignal): Promise<Schema<'ResumableUploadDto'>['state']> {
  for (;;) {
    const { data } = await api.GET('/api/uploads/{id}', { params: { path: { id } }, signal });
    if (data!.state !== 'checking') return data!.state;
    await pause(CHECK_INTERVAL, signal);
  }
}

type SentPart = Schema<'SentPartDto'>;

/** Sends the missing parts of one file, a few at a time. */
class PartSender {
  private readonly missing: number[];
  private readonly addresses = new Map<number, { url: string; receivedAt: number }>();
  private signing: Promise<void> | null = null;
  private unreported: SentPart[] = [];
  private sentBytes = 0;
  /** Bytes of the parts that are being sent. */
  private readonly activeBytes = new Map<number, number>();
  /** Aborted when one part fails, so that the others stop. */
  private readonly stop = new AbortController();
  private readonly signal: AbortSignal;

  constructor(
    private readonly id: string,
    private readonly file: File,
    private readonly parts: Schema<'UploadPartsDto'>,
    private readonly onProgress: OnProgress,
    signal: AbortSignal,
  ) {
    const present = new Set(parts.sent);
    const numbers = Array.from({ length: parts.count }, (_, index) => index + 1);
    this.missing = numbers.filter((number) => !present.has(number));
    for (const number of parts.sent) this.sentBytes += this.slice(number).size;
    this.signal = AbortSignal.any([signal, this.stop.signal]);
  }

  async sendAll(): Promise<void> {
    this.reportProgress();
    try {
      await Promise.all(Array.from({ length: MAX_ACTIVE_PARTS }, () => this.sendNext()));
    } catch (error) {
      this.stop.abort(error);
      await this.reportSent();
      throw error;
    }
  }

  /** Returns the sent parts that the server doesn't know of. */
  takeReports(): SentPart[] {
    return this.unreported.splice(0);
  }

  private async sendNext(): Promise<void> {
    for (let number = this.missing.shift(); number !== undefined; number = this.missing.shift()) {
      await this.sendPart(number);
    }
  }

  private async sendPart(number: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const url = await this.findAddress(number);
      try {
        const etag = await putPart({
          url,
          body: this.slice(number),
          onProgress: (bytes) => this.reportProgress(number, bytes),
          signal: this.signal,
        });
        hasWorked = true;
        this.unreported.push({ number, etag });
        this.sentBytes += this.slice(number).size;
        this.activeBytes.delete(number);
        return this.reportProgress();
      } catch (error) {
        this.activeBytes.delete(number);
        this.addresses.delete(number);
        const isLast = attempt === MAX_ATTEMPTS || !hasWorked;
        if (isLast || !(error instanceof PartError)) throw error;
        await pause(RETRY_DELAY * attempt, this.signal);
      }
    }
  }

  private async findAddress(number: number): Promise<string> {
    for (;;) {
      this.signal.throwIfAborted();
      const known = this.addresses.get(number);
      if (known && performance.now() - known.receivedAt < ADDRESS_LIFETIME) return known.url;
      await (this.signing ??= this.requestAddresses(number).finally(() => (this.signing = null)));
    }
  }

  /** Requests the address of this part and of the next ones. */
  private async requestAddresses(number: number): Promise<void> {
    const numbers = [...new Set([number, ...this.missing])].slice(0, ADDRESSES_PER_REQUEST);
    const sent = this.takeReports();
    try {
      const { data } = await api.POST('/api/uploads/{id}/parts', {
        params: { path: { id: this.id } },
        body: { numbers, sent },
        signal: this.signal,
      });
      const receivedAt = performance.now();
      for (const part of data!) this.addresses.set(part.number, { url: part.url, receivedAt });
    } catch (error) {
      this.unreported.push(...sent);
      throw error;
    }
  }

  /** Lets a later attempt skip what was sent. If that fails as well, these parts are sent again. */
  private async reportSent(): Promise<void> {
    const sent = this.takeReports();
    if (sent.length === 0) return;
    const params = { path: { id: this.id } };
    await api.POST('/api/uploads/{id}/parts', { params, body: { numbers: [], sent } }).catch(() => undefined);
  }

  private slice(number: number): Blob {
    const { partBytes } = this.parts;
    return this.file.slice((number - 1) * partBytes, number * partBytes);
  }

  private reportProgress(number?: number, bytes = 0): void {
    if (number !== undefined) this.activeBytes.set(number, bytes);
    const active = [...this.activeBytes.values()].reduce((sum, value) => sum + value, 0);
    // Only completing it makes it whole.
    const sent = Math.min((this.sentBytes + active) / this.file.size, 0.999);
    this.onProgress({ sent, waitReason: undefined });
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
  });
}
