import { Injectable, Logger } from '@nestjs/common';
import Stripe from 'stripe';
import { SECOND } from '../../platform/clock/clock.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { AppError } from '../../platform/errors/app-error.js';
import { billingErrors } from './billing.errors.js';
import { StripeHttpClient } from './stripe-http-client.js';

/** Timeout of one call, in milliseconds; the call is retried once. */
const REQUEST_TIMEOUT = 8 * SECOND;
const MAX_RETRIES = 1;

const logger = new Logger('Billing');

/** All calls to Stripe go through this service. */
@Injectable()
export class StripeClientService {
  private stripe: Stripe | null = null;

  constructor(private readonly config: AppConfig) {}

  get isConfigured(): boolean {
    return this.config.stripe.secretKey !== null;
  }

  /**
   * Calls Stripe. A call that fails because of the connection is retried once with the same idempotency key.
   * @throws BILLING_NOT_CONFIGURED without a key, or if Stripe rejects it
   * @throws BILLING_UNAVAILABLE if Stripe can't be reached, is slow or fails, or if the response is not from Stripe
   * @throws Stripe.errors.StripeInvalidRequestError for the caller to handle, if Stripe rejects the request
   */
  async call<T>(work: (stripe: Stripe) => Promise<T>): Promise<T> {
    const stripe = this.getClient();
    const response = await work(stripe).catch((error: unknown) => {
      throw this.toBillingError(error);
    });
    if (isStripeObject(response)) return response;
    logger.error("A response to a Stripe request didn't come from Stripe.");
    throw billingErrors.BILLING_UNAVAILABLE();
  }

  private getClient(): Stripe {
    const { secretKey, apiUrl } = this.config.stripe;
    if (secretKey === null) throw billingErrors.BILLING_NOT_CONFIGURED();
    this.stripe ??= new Stripe(secretKey, {
      timeout: REQUEST_TIMEOUT,
      maxNetworkRetries: MAX_RETRIES,
      telemetry: false,
      httpClient: new StripeHttpClient(),
      ...(apiUrl === null ? {} : toApiHost(apiUrl)),
    });
    return this.stripe;
  }

  private toBillingError(error: unknown): unknown {
    if (!(error instanceof Stripe.errors.StripeError)) return error;
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return error;
    // Stripe's message may contain values. Type, code and request id are enough.
    const { type, code, statusCode, requestId } = error;
    logger.error({ type, code, statusCode, stripeRequest: requestId }, 'Stripe request failed.');
    const isAuthFailure =
      error instanceof Stripe.errors.StripeAuthenticationError || error instanceof Stripe.errors.StripePermissionError;
    return isAuthFailure ? billingErrors.BILLING_NOT_CONFIGURED() : billingErrors.BILLING_UNAVAILABLE();
  }
}

function toApiHost(url: string) {
  const { hostname, port, protocol } = new URL(url);
  const scheme = protocol === 'https:' ? ('https' as const) : ('http' as const);
  return { host: hostname, port: port || (scheme === 'https' ? 443 : 80), protocol: scheme };
}

/** Returns true for a Stripe object or list, and false for a proxy's page or an empty response. */
function isStripeObject(response: unknown): boolean {
  if (typeof response !== 'object' || response === null) return false;
  const { object, id, data } = response as Record<string, unknown>;
  return object === 'list' ? Array.isArray(data) : typeof object === 'string' && typeof id === 'string';
}

/** Returns true if Stripe does not know the given object. */
export function isResourceMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

/** Turns a rejection that only the configuration can have caused (such as a missing price) into an error for users. */
export function toPublicError(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Stripe.errors.StripeInvalidRequestError)) return error;
  const { code, param, requestId } = error;
  logger.error(
    { code, param, stripeRequest: requestId },
    'Stripe rejected a request; check the settings of your Stripe account.',
  );
  return error.param?.includes('price') ? billingErrors.PRICE_NOT_CONFIGURED() : billingErrors.BILLING_UNAVAILABLE();
}
