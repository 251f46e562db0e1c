import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import { areDigestsEqual } from '../../../platform/security/secrets.js';
import { webhookSourceInfo, type WebhookSource } from '../shared/sources.js';

/** Maximum age of a signed delivery, in seconds. */
const STRIPE_TOLERANCE_SECONDS = 300;

const hmac = (secret: string, body: Buffer, encoding: 'hex' | 'base64') =>
  createHmac('sha256', secret).update(body).digest(encoding);

/**
 * Whether `signature`, the value of the sender's signature header, matches exactly these bytes and the secret. Compares
 * in constant time.
 */
export function isSignatureValid(source: WebhookSource, secret: string, body: Buffer, signature: string): boolean {
  switch (source) {
    case 'woocommerce':
      return areDigestsEqual(hmac(secret, body, 'base64'), signature);
    case 'acedumy':
      return areDigestsEqual(hmac(secret, body, 'hex'), signature.toLowerCase());
    case 'stripe-acedumy':
      return isStripeSignatureValid(secret, body, signature);
  }
}

function isStripeSignatureValid(secret: string, body: Buffer, signature: string): boolean {
  try {
    return Stripe.webhooks.signature?.verifyHeader(body, signature, secret, STRIPE_TOLERANCE_SECONDS) ?? false;
  } catch {
    // The library throws when the signature is wrong or too old.
    return false;
  }
}

/** Returns the signature header as received; empty when there is none. */
export function getSignatureHeader(source: WebhookSource, header: (name: string) => string | undefined): string {
  return header(webhookSourceInfo[source].signatureHeader) ?? '';
}
