import createFetchClient, { type Middleware } from 'openapi-fetch';
import createQueryHooks from 'openapi-react-query';
import { accountHeader } from '../account/account-header';
import { fetchWithReauthentication } from '../reauthentication/reauthentication';
import { fetchWithProofOfWork } from '../proof-of-work/proof-of-work';
import { ApiError, NETWORK_ERROR, toApiError } from './api-error';
import type { components, paths } from './schema';

/** A type of the API contract by name: `Schema<'CurrentUserDto'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

const addPageHeaders: Middleware = {
  onRequest({ request }) {
    if (document.documentElement.lang) request.headers.set('Accept-Language', document.documentElement.lang);
    for (const [name, value] of Object.entries(accountHeader.getHeaders())) request.headers.set(name, value);
    return request;
  },
};

/** Bytes of requests that were rejected as too large. */
const rejectedRequestSizes = new WeakMap<Response, number>();

async function sendRequest(request: Request): Promise<Response> {
  // A body can be read only once, so it is cloned; only a rejection makes its size matter.
  const copy = request.body ? request.clone() : null;
  const response = await fetchWithProofOfWork(request, fetchWithReauthentication);
  if (response.status === 413 && copy) rejectedRequestSizes.set(response, (await copy.blob()).size);
  return response;
}

// Without this, an error response with an empty body would reach the caller as a success without data.
const throwOnError: Middleware = {
  async onResponse({ response }) {
    if (response.ok) return undefined;
    throw toApiError(
      response.status,
      await response.text(),
      response.headers.get('x-request-id'),
      null,
      rejectedRequestSizes.get(response),
    );
  },
  onError({ error }) {
    if (error instanceof ApiError || (error instanceof Error && error.name === 'AbortError')) return error;
    return new ApiError(0, NETWORK_ERROR, '');
  },
};

/** Typed client of the whole API. Throws every error response as an `ApiError`. */
export const api = createFetchClient<paths>({
  baseUrl: location.origin,
  credentials: 'include',
  fetch: sendRequest,
});
api.use(addPageHeaders, throwOnError);

/** The same client as react-query hooks: `$api.useQuery('get', '/api/zones')`. Keys are `[method, path, init]`. */
export const $api = createQueryHooks(api);
