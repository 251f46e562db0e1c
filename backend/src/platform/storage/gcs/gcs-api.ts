import type { Storage as GoogleStorage } from '@google-cloud/storage';
import {
  BucketError,
  isRetryable,
  raceWithAbort,
  reasonOf,
  retryTemporary,
  type BucketTimeouts,
} from '../bucket/bucket-call.js';
import type { UploadBytes } from '../bucket/bucket-upload.js';

const GOOGLE = 'https://storage.googleapis.com';

/** The bucket, its location and the credentials. */
export interface GcsTarget {
  readonly bucket: string;
  /** URL of an emulator, which needs no credentials; null for Google itself. */
  readonly apiUrl: string | null;
  /** Google's library, which finds the credentials of this machine. */
  readonly google: GoogleStorage;
  readonly timeouts: BucketTimeouts;
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
  readonly body?: UploadBytes;
  /** False for URLs that grant access by themselves. */
  readonly authorised?: boolean;
  readonly patience?: number;
  readonly signal?: AbortSignal;
}

/**
 * Calls Google's JSON API with a time limit for each call, and connections that can be aborted. Google's library
 * supports neither (ADR 0010); it is only used for credentials and signatures.
 */
export class GcsApi {
  readonly timeouts: BucketTimeouts;

  constructor(private readonly target: GcsTarget) {
    this.timeouts = target.timeouts;
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

  /**
   * Returns the URL of an object in the XML API, or of the bucket when `name` is null.
   * @param query without the question mark
   */
  xmlUrl(name: string | null, query: string): URL {
    const path = name === null ? '' : `/${name.split('/').map(encodeURIComponent).join('/')}`;
    return new URL(`${resolveEndpoint(this.target.apiUrl)}/${this.target.bucket}${path}?${query}`);
  }

  /** Calls the API, and retries after temporary errors. Only for idempotent calls. */
  callWithRetry<T>(call: GcsCall, use: (response: Response, giveUp: () => void) => Promise<T>): Promise<T> {
    return retryTemporary(this.timeouts.pauses, () => this.callOnce(call, use));
  }

  /**
   * Calls the API once.
   * @param use reads the response within the same time limit; `giveUp` closes the connection later
   * @throws BucketError
   */
  async callOnce<T>(call: GcsCall, use: (response: Response, giveUp: () => void) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const limit = setTimeout(() => controller.abort(), call.patience ?? this.timeouts.answer);
    const signal = call.signal ? AbortSignal.any([controller.signal, call.signal]) : controller.signal;
    try {
      const headers = { ...call.headers, ...(call.authorised === false ? {} : await this.credentials(signal)) };
      const { method, body = null } = call;
      // 308 responds to an uploaded part and isn't a redirect.
      const response = await fetch(call.url, { method, headers, body, signal, redirect: 'manual' });
      if (!call.expects.includes(response.status)) throw await toBucketError(call, response);
      return await use(response, () => controller.abort());
    } catch (error) {
      const { aborted } = signal;
      controller.abort();
      if (error instanceof BucketError) throw error;
      throw new BucketError(call.name, null, aborted ? 'timeout' : reasonOf(error), !aborted);
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

async function toBucketError(call: GcsCall, response: Response): Promise<BucketError> {
  const { status } = response;
  const text = await response.text();
  return new BucketError(call.name, status, parseReason(text), isRetryable(status));
}

/** Returns the API's error keyword (`forbidden`, in XML `NoSuchUpload`); its message may name an account. */
function parseReason(text: string): string {
  const [, code] = /<Code>(\w+)<\/Code>/.exec(text) ?? [];
  if (code !== undefined) return code;
  try {
    const { error } = JSON.parse(text) as { error?: { errors?: { reason?: string }[] } };
    return error?.errors?.[0]?.reason ?? 'refused';
  } catch {
    return 'refused';
  }
}
