import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import { sameDigest } from '../../../platform/security/secrets.js';
import { sourceFacts, type Source } from '../shared/sources.js';

/** Seconds that a delivery signed with its time may take to arrive. */
const STRIPE_TOLERANCE = 300;

const hmac = (secret: string, body: Buffer, encoding: 'hex' | 'base64') =>
  createHmac('sha256', secret).update(body).digest(encoding);

/**
 * True when `given`, the value of the source's signature header, was made of exactly these bytes with the secret.
 * Everything is compared in constant time.
 */
export function isSigned(source: Source, secret: string, body: Buffer, given: string): boolean {
  switch (source) {
    case 'woocommerce':
      return sameDigest(hmac(secret, body, 'base64'), given);
    case 'acedumy':
      return sameDigest(hmac(secret, body, 'hex'), given.toLowerCase());
    case 'stripe-acedumy':
      return isSignedByStripe(secret, body, given);
  }
}

function isSignedByStripe(secret: string, body: Buffer, given: string): boolean {
  try {
    return Stripe.webhooks.signature?.verifyHeader(body, given, secret, STRIPE_TOLERANCE) ?? false;
  } catch {
    // The library says by throwing that the signature is wrong or too old.
    return false;
  }
}

/** The signature header as it came; empty when there is none. */
export function givenSignature(source: Source, header: (name: string) => string | undefined): string {
  return header(sourceFacts[source].signatureHeader) ?? '';
}
