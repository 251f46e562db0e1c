import { rateLimitStore } from '../toast/rate-limit-store';
import { accountHeader } from '../account/account-header';
import { profileRequiredStore } from '../account/profile-required-store';
import { PROXY_BODY_LIMIT, proxyBodyLimit } from './proxy-body-limit';
import { planLimitStore } from '../plan/plan-limit-store';

type ErrorBody = Record<string, unknown>;

/** The code of a request that got no answer at all. */
export const NETWORK = 'NETWORK';

/** What the server refused, or that it could not be reached (status 0, code `NETWORK`). */
export class ApiError extends Error {
  /** Field → sentences, in the language of the page. */
  readonly errors: Record<string, string[]>;
  /** A limit of the owner's plan was reached; `limit`, `used` and `allowed` tell which and by how much. */
  readonly planLimit: boolean;
  readonly limit?: string;
  readonly used?: number;
  readonly allowed?: number;
  /** In how many seconds it may be tried again, when the server says so. */
  readonly retryAfter?: number;

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId?: string,
    /** The whole answer, for fields that only one call has. */
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
 * Takes the status and the text of a refusal, of whatever form, and gives the error. The message may be empty. A limit
 * of the plan that was met is told to the upgrade dialog as well, wherever the refusal came from; a limit of tries to
 * what counts down until it is over.
 * @param retryAfter the header of that name: seconds, or a date
 * @param sent bytes of the request, where they are known; what a proxy in front accepts is learned from them, and
 * `body.smaller` of a refusal by it says whether a smaller piece is left to try
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

/** Our server gives every refusal a code, so one without it comes from a proxy. */
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
