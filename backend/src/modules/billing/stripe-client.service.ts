import { Injectable, Logger } from '@nestjs/common';
import Stripe from 'stripe';
import { SECOND } from '../../platform/clock/clock.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { AppError } from '../../platform/errors/app-error.js';
import { billingErrors } from './billing.errors.js';

/** How long one call may take before it counts as failed; it is tried once more. */
const REQUEST_TIMEOUT = 8 * SECOND;
const MAX_RETRIES = 1;

const logger = new Logger('Billing');

/** The one way to Stripe. */
@Injectable()
export class StripeClientService {
  private stripe: Stripe | null = null;

  constructor(private readonly config: AppConfig) {}

  get isConfigured(): boolean {
    return this.config.stripe.secretKey !== null;
  }

  /**
   * Calls Stripe. A call that fails because of the connection is tried once more under the same idempotency key.
   * @throws BILLING_NOT_CONFIGURED without a key, or when Stripe refuses it
   * @throws BILLING_UNAVAILABLE when Stripe cannot be reached, is slow, or what answers is at fault or not Stripe
   * @throws Stripe.errors.StripeInvalidRequestError for the caller to judge, when Stripe refuses what was asked
   */
  async call<T>(work: (stripe: Stripe) => Promise<T>): Promise<T> {
    const stripe = this.getClient();
    const response = await work(stripe).catch((error: unknown) => {
      throw this.toBillingError(error);
    });
    if (isStripeObject(response)) return response;
    logger.error('What answered a call to Stripe is not Stripe.');
    throw billingErrors.BILLING_UNAVAILABLE();
  }

  private getClient(): Stripe {
    const { secretKey, apiUrl } = this.config.stripe;
    if (secretKey === null) throw billingErrors.BILLING_NOT_CONFIGURED();
    this.stripe ??= new Stripe(secretKey, {
      timeout: REQUEST_TIMEOUT,
      maxNetworkRetries: MAX_RETRIES,
      telemetry: false,
      httpClient: createSafeHttpClient(),
      ...(apiUrl === null ? {} : toApiHost(apiUrl)),
    });
    return this.stripe;
  }

  private toBillingError(error: unknown): unknown {
    if (!(error instanceof Stripe.errors.StripeError)) return error;
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return error;
    // The text of Stripe's message may repeat values; type, code and the id of the request tell enough.
    const { type, code, statusCode, requestId } = error;
    logger.error({ type, code, statusCode, stripeRequest: requestId }, 'A call to Stripe failed.');
    const isAuthFailure =
      error instanceof Stripe.errors.StripeAuthenticationError || error instanceof Stripe.errors.StripePermissionError;
    return isAuthFailure ? billingErrors.BILLING_NOT_CONFIGURED() : billingErrors.BILLING_UNAVAILABLE();
  }
}

/**
 * Stripe's own client does not get over JSON that is no object: it throws where nobody can catch it, and the call never
 * ends. Here that counts as JSON that cannot be read.
 */
function createSafeHttpClient(): InstanceType<typeof Stripe.HttpClient> {
  const client = Stripe.createNodeHttpClient();
  const makeRequest = client.makeRequest.bind(client);
  client.makeRequest = async (...request) => {
    const response = await makeRequest(...request);
    const toJSON = response.toJSON.bind(response);
    response.toJSON = async () => {
      const body: unknown = await toJSON();
      if (typeof body !== 'object' || body === null) throw new Error('The answer is no object.');
      return body;
    };
    return response;
  };
  return client;
}

function toApiHost(url: string) {
  const { hostname, port, protocol } = new URL(url);
  const scheme = protocol === 'https:' ? ('https' as const) : ('http' as const);
  return { host: hostname, port: port || (scheme === 'https' ? 443 : 80), protocol: scheme };
}

/** True of a thing, or a list of things, as Stripe gives them: a proxy's page or an empty answer is none. */
function isStripeObject(response: unknown): boolean {
  if (typeof response !== 'object' || response === null) return false;
  const { object, id, data } = response as Record<string, unknown>;
  return object === 'list' ? Array.isArray(data) : typeof object === 'string' && typeof id === 'string';
}

/** True when Stripe does not know the thing that was named. */
export function isResourceMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

/** A refusal that only the configuration can have caused (a price that is not there), as an answer for people. */
export function toPublicError(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Stripe.errors.StripeInvalidRequestError)) return error;
  const { code, param, requestId } = error;
  logger.error({ code, param, stripeRequest: requestId }, 'Stripe refused a call: is something not set up there?');
  return error.param?.includes('price') ? billingErrors.PRICE_NOT_CONFIGURED() : billingErrors.BILLING_UNAVAILABLE();
}
