import { rateLimitStore } from '../toast/rate-limit-store';
import { accountHeader } from '../account/account-header';
import { profileRequiredStore } from '../account/profile-required-store';
import { PROXY_BODY_LIMIT, proxyBodyLimit } from './proxy-body-limit';
import { planLimitStore } from '../plan/plan-limit-store';

type ErrorBody = Record<string, unknown>;

/** Code of a request that got no response. */
export const NETWORK_ERROR = 'NETWORK';

/** An error response of the server, or a failed connection (status 0, code `NETWORK`). */
export class ApiError extends Error {
  /** Error messages by field, in the language of the page. */
  readonly errors: Record<string, string[]>;
  /** A limit of the owner's plan was reached; `limit`, `used` and `allowed` say which one and by how much. */
  readonly planLimit: boolean;
  readonly limit?: string;
  readonly used?: number;
  readonly allowed?: number;
  /** Seconds after which the request may be retried, if the server said so. */
  readonly retryAfter?: number;

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId?: string,
    /** The whole response body, for fields that only one endpoint has. */
    readonly body: ErrorBody = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.errors = isFieldErrors(body.errors) ? body.errors : {};
    this.planLimit = body.planLimit === true;
    if (typeof body.limit === 'string') this.limit = body.limit;
    if (typeof body.used === 'number') this.used = body.used;
    if (typeof body.allowed === 'number') this.allowed = body.allowed;
    if (typeof body.retryAfter === 'number') this.retryAfter = body.retryAfter;
  }
}

/**
 * Converts the status and body of an error response of any format to an `ApiError`. The message may be empty. Also
 * reports plan limits to the upgrade dialog and rate limits to the countdown.
 * @param retryAfter the `Retry-After` header: seconds or a date
 * @param sentBytes bytes of the request, if known. They teach the client which body size a proxy accepts;
 * `body.smaller` of a proxy's rejection says whether a smaller chunk size is left to try
 */
export function toApiError(
  status: number,
  text: string,
  requestId?: string | null,
  retryAfter?: string | null,
  sentBytes?: number,
): ApiError {
  const body: ErrorBody = { retryAfter: parseRetryAfter(retryAfter), ...parseBody(text) };
  if (status === 413 && typeof body.code !== 'string') return createProxyLimitError(sentBytes, requestId);
  const code = typeof body.code === 'string' ? body.code : `HTTP_${status}`;
  const message = typeof body.message === 'string' ? body.message : '';
  const id = typeof body.requestId === 'string' ? body.requestId : (requestId ?? undefined);
  const error = new ApiError(status, code, message, id, body);
  if (error.planLimit) planLimitStore.report(error);
  if (code === 'PROFILE_INCOMPLETE') profileRequiredStore.open();
  if (code === 'ACCOUNT_CHANGED') accountHeader.reportAccountChange();
  if (error.code === 'TOO_MANY_REQUESTS' && typeof body.retryAfter === 'number') rateLimitStore.start(body.retryAfter);
  return error;
}

/** Our server sends a code with every error, so a response without one comes from a proxy. */
function createProxyLimitError(sentBytes: number | undefined, requestId: string | null | undefined): ApiError {
  const smaller = sentBytes !== undefined && proxyBodyLimit.recordRejection(sentBytes);
  return new ApiError(413, PROXY_BODY_LIMIT, '', requestId ?? undefined, { smaller });
}

export function hasCode(error: unknown, ...codes: string[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code);
}

function parseRetryAfter(header: string | null | undefined): number | undefined {
  if (!header) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

function parseBody(text: string): ErrorBody {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as ErrorBody) : {};
  } catch {
    return {};
  }
}

function isFieldErrors(value: unknown): value is Record<string, string[]> {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((list) => Array.isArray(list) && list.every((item) => typeof item === 'string'));
}
