import { setTimeout as pause } from 'node:timers/promises';
import type { Storage as GoogleStorage } from '@google-cloud/storage';

const GOOGLE = 'https://storage.googleapis.com';

export type GcsBytes = Buffer<ArrayBuffer>;

/** How long a bucket is waited for, in milliseconds. */
export interface GcsTimeouts {
  /** From a call to its answer. */
  readonly answer: number;
  /** For one part of an upload, its bytes included. */
  readonly part: number;
  /** Between two pieces of an answer, while somebody waits for them. */
  readonly idle: number;
  /** Before each further try after a fault that may pass. */
  readonly pauses: readonly number[];
}

export const DEFAULT_TIMEOUTS: GcsTimeouts = { answer: 10_000, part: 60_000, idle: 30_000, pauses: [200, 800] };

/** Which bucket, where, and who calls. */
export interface GcsTarget {
  readonly bucket: string;
  /** Address of an emulator, which asks for no credentials; null for Google itself. */
  readonly apiUrl: string | null;
  /** Google's library; it finds the credentials of this machine. */
  readonly google: GoogleStorage;
  readonly patience?: GcsTimeouts;
}

/** An object as the API describes it. */
export interface GcsObject {
  readonly name: string;
  readonly size: string;
  readonly timeCreated: string;
  readonly md5Hash?: string;
}

export interface GcsCall {
  /** For the log. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  /** Statuses that are answers and no faults. */
  readonly expects: readonly number[];
  readonly headers?: Record<string, string>;
  readonly body?: GcsBytes;
  /** False for addresses that are a permission in themselves. */
  readonly authorised?: boolean;
  readonly patience?: number;
  readonly signal?: AbortSignal;
}

/** A call that came to nothing: refused, or not answered. Holds no address, because those of uploads are secret. */
export class GcsError extends Error {
  constructor(
    readonly call: string,
    /** null when nothing was answered. */
    readonly status: number | null,
    readonly reason: string,
    /** Another try may go well at once; after a time-out nobody waits for another. */
    readonly isTemporary: boolean,
  ) {
    super(`${call}: ${status ?? 'no answer'} ${reason}`);
  }
}

/**
 * Calls of Google's JSON API with a limit of time, each with a connection that can be given up. Google's library has
 * neither (ADR 0010); it finds the credentials and signs.
 */
export class GcsApi {
  readonly patience: GcsTimeouts;

  constructor(private readonly target: GcsTarget) {
    this.patience = target.patience ?? DEFAULT_TIMEOUTS;
  }

  /** The address of an object, or of all objects without a name. */
  objectUrl(name: string | null, query: Record<string, string>): URL {
    return this.url(
      `/storage/v1/b/${this.target.bucket}/o${name === null ? '' : `/${encodeURIComponent(name)}`}`,
      query,
    );
  }

  /** The address by which the bucket copies an object; `token` goes on where an earlier call has stopped. */
  rewriteUrl(from: string, to: string, token: string): URL {
    const { bucket } = this.target;
    const target = `/rewriteTo/b/${bucket}/o/${encodeURIComponent(to)}`;
    const query: Record<string, string> = token === '' ? {} : { rewriteToken: token };
    return this.url(`/storage/v1/b/${bucket}/o/${encodeURIComponent(from)}${target}`, query);
  }

  /** The address to which a new object is sent. */
  uploadUrl(query: Record<string, string>): URL {
    return this.url(`/upload/storage/v1/b/${this.target.bucket}/o`, query);
  }

  /** Calls, and calls again after faults that may pass. Only for what may be done twice. */
  async callWithRetry<T>(call: GcsCall, use: (response: Response, giveUp: () => void) => Promise<T>): Promise<T> {
    for (const wait of this.patience.pauses) {
      try {
        return await this.callOnce(call, use);
      } catch (error) {
        if (!(error instanceof GcsError && error.isTemporary)) throw error;
        await pause(wait);
      }
    }
    return this.callOnce(call, use);
  }

  /**
   * Calls once.
   * @param use reads the answer, within the same limit of time; `destroyConnection` closes the connection later
   * @throws GcsError
   */
  async callOnce<T>(call: GcsCall, use: (response: Response, giveUp: () => void) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const limit = setTimeout(() => controller.abort(), call.patience ?? this.patience.answer);
    const signal = call.signal ? AbortSignal.any([controller.signal, call.signal]) : controller.signal;
    try {
      const headers = { ...call.headers, ...(call.authorised === false ? {} : await this.credentials(signal)) };
      const { method, body = null } = call;
      // 308 answers a part of an upload, and leads nowhere.
      const response = await fetch(call.url, { method, headers, body, signal, redirect: 'manual' });
      if (!call.expects.includes(response.status)) throw await toGcsError(call, response);
      return await use(response, () => controller.abort());
    } catch (error) {
      const { aborted } = signal;
      controller.abort();
      if (error instanceof GcsError) throw error;
      throw new GcsError(call.name, null, aborted ? 'timeout' : reasonOf(error), !aborted);
    } finally {
      clearTimeout(limit);
    }
  }

  private url(path: string, query: Record<string, string>): URL {
    const url = new URL(`${this.target.apiUrl ?? GOOGLE}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  /** Asking for them may need the network, and the library does not limit its time either. */
  private async credentials(signal: AbortSignal): Promise<Record<string, string>> {
    if (this.target.apiUrl !== null && !this.target.google.useAuthWithCustomEndpoint) return {};
    const headers = await raceWithAbort(this.target.google.authClient.getRequestHeaders(), signal);
    return Object.fromEntries(headers);
  }
}

/** The place of a bucket as Google's library needs to know it. */
export const resolveEndpoint = (apiUrl: string | null): string => apiUrl ?? GOOGLE;

/** Stops waiting for what cannot itself be stopped. */
export function raceWithAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    promise.then(resolve, reject);
  });
}

const RETRYABLE_STATUSES = [408, 429, 500, 502, 503, 504];

async function toGcsError(call: GcsCall, response: Response): Promise<GcsError> {
  const { status } = response;
  const text = await response.text();
  return new GcsError(call.name, status, parseReason(text), RETRYABLE_STATUSES.includes(status));
}

/** The API's word for what is wrong (`forbidden`); its sentence may name an account. */
function parseReason(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { errors?: { reason?: string }[] } };
    return error?.errors?.[0]?.reason ?? 'refused';
  } catch {
    return 'refused';
  }
}

function reasonOf(error: unknown): string {
  const { code, message, cause } = error as { code?: string; message?: string; cause?: { code?: string } };
  return cause?.code ?? code ?? message ?? 'unknown';
}
