import { setTimeout as pause } from 'node:timers/promises';
import type { Storage as GoogleStorage } from '@google-cloud/storage';

const GOOGLE = 'https://storage.googleapis.com';

export type GcsBytes = Buffer<ArrayBuffer>;

/** Timeouts of bucket operations, in milliseconds. */
export interface GcsTimeouts {
  /** From a call to its response. */
  readonly answer: number;
  /** For uploading one part, including its bytes. */
  readonly part: number;
  /** Between two chunks of a response while a client waits. */
  readonly idle: number;
  /** Delay before each retry after a temporary error. */
  readonly pauses: readonly number[];
}

export const DEFAULT_TIMEOUTS: GcsTimeouts = { answer: 10_000, part: 60_000, idle: 30_000, pauses: [200, 800] };

/** The bucket, its location and the credentials. */
export interface GcsTarget {
  readonly bucket: string;
  /** URL of an emulator, which needs no credentials; null for Google itself. */
  readonly apiUrl: string | null;
  /** Google's library, which finds the credentials of this machine. */
  readonly google: GoogleStorage;
  readonly patience?: GcsTimeouts;
}

/** An object as described by the API. */
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
  /** Status codes that are not errors. */
  readonly expects: readonly number[];
  readonly headers?: Record<string, string>;
  readonly body?: GcsBytes;
  /** False for URLs that grant access by themselves. */
  readonly authorised?: boolean;
  readonly patience?: number;
  readonly signal?: AbortSignal;
}

/** A failed call: rejected, or without a response. Contains no URL, because upload URLs are secret. */
export class GcsError extends Error {
  constructor(
    readonly call: string,
    /** Null when there was no response. */
    readonly status: number | null,
    readonly reason: string,
    /** Whether an immediate retry may succeed. False after a timeout, because nobody waits for another. */
    readonly isTemporary: boolean,
  ) {
    super(`${call}: ${status ?? 'no answer'} ${reason}`);
  }
}

/**
 * Calls Google's JSON API with a time limit for each call, and connections that can be aborted. Google's library
 * supports neither (ADR 0010); it is only used for credentials and signatures.
 */
export class GcsApi {
  readonly patience: GcsTimeouts;

  constructor(private readonly target: GcsTarget) {
    this.patience = target.patience ?? DEFAULT_TIMEOUTS;
  }

  /** Returns the URL of an object, or of the object list when `name` is null. */
  objectUrl(name: string | null, query: Record<string, string>): URL {
    return this.url(
      `/storage/v1/b/${this.target.bucket}/o${name === null ? '' : `/${encodeURIComponent(name)}`}`,
      query,
    );
  }

  /** Returns the URL for copying an object within the bucket; `token` continues an earlier call. */
  rewriteUrl(from: string, to: string, token: string): URL {
    const { bucket } = this.target;
    const target = `/rewriteTo/b/${bucket}/o/${encodeURIComponent(to)}`;
    const query: Record<string, string> = token === '' ? {} : { rewriteToken: token };
    return this.url(`/storage/v1/b/${bucket}/o/${encodeURIComponent(from)}${target}`, query);
  }

  /** Returns the URL for uploading a new object. */
  uploadUrl(query: Record<string, string>): URL {
    return this.url(`/upload/storage/v1/b/${this.target.bucket}/o`, query);
  }

  /** Calls the API, and retries after temporary errors. Only for idempotent calls. */
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
   * Calls the API once.
   * @param use reads the response within the same time limit; `giveUp` closes the connection later
   * @throws GcsError
   */
  async callOnce<T>(call: GcsCall, use: (response: Response, giveUp: () => void) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const limit = setTimeout(() => controller.abort(), call.patience ?? this.patience.answer);
    const signal = call.signal ? AbortSignal.any([controller.signal, call.signal]) : controller.signal;
    try {
      const headers = { ...call.headers, ...(call.authorised === false ? {} : await this.credentials(signal)) };
      const { method, body = null } = call;
      // 308 responds to an uploaded part and isn't a redirect.
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

  /** Fetching credentials may need the network, and the library doesn't limit that either. */
  private async credentials(signal: AbortSignal): Promise<Record<string, string>> {
    if (this.target.apiUrl !== null && !this.target.google.useAuthWithCustomEndpoint) return {};
    const headers = await raceWithAbort(this.target.google.authClient.getRequestHeaders(), signal);
    return Object.fromEntries(headers);
  }
}

/** The API endpoint for Google's library. */
export const resolveEndpoint = (apiUrl: string | null): string => apiUrl ?? GOOGLE;

/** Stops waiting for a promise that itself can't be cancelled. */
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

/** Returns the API's error keyword (`forbidden`); its message may name an account. */
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
