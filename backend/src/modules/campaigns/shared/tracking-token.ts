import { DAY } from '../../../platform/clock/clock.js';
import type { DerivedKeys } from '../../../platform/security/derived-keys.js';

/** What a URL in an email tracks: the open of a delivery, or a click on one of its links. */
export interface TrackedItem {
  readonly deliveryId: number;
  /** Index of the link; null for an open. */
  readonly link: number | null;
}

/** How long after sending opens, clicks and bounces are recorded. Links keep redirecting afterwards. */
export const TRACKING_PERIOD = 400 * DAY;

/** Hexadecimal digits of the signature: 96 bits. */
const SIGNATURE_LENGTH = 24;

/** Creates a signed token, so that changing the delivery or link in it invalidates it. */
export function createTrackingToken(keys: DerivedKeys, { deliveryId, link }: TrackedItem): string {
  const body = link === null ? deliveryId.toString(36) : `${deliveryId.toString(36)}.${link.toString(36)}`;
  const mac = Buffer.from(tokenKeys(keys).digest(body).slice(0, SIGNATURE_LENGTH), 'hex');
  return `${body}.${mac.toString('base64url')}`;
}

/** Returns the content of a token, or null if it is invalid. */
export function readTrackingToken(keys: DerivedKeys, token: string): TrackedItem | null {
  const found = /^(([0-9a-z]{1,11})(?:\.([0-9a-z]{1,4}))?)\.([\w-]{16})$/.exec(token);
  if (!found) return null;
  const [, body, delivery, link, given] = found;
  if (!tokenKeys(keys).matches(Buffer.from(given!, 'base64url').toString('hex'), body!)) return null;
  return { deliveryId: parseInt(delivery!, 36), link: link === undefined ? null : parseInt(link, 36) };
}

/** Creates the Message-ID of a delivery: identical at every attempt, and recognised in reports of the mail server. */
export function createMessageId(keys: DerivedKeys, deliveryId: number, domain: string): string {
  const body = `d${deliveryId.toString(36)}`;
  return `<${body}.${messageIdKeys(keys).digest(body).slice(0, SIGNATURE_LENGTH)}@${domain}>`;
}

/** Returns the delivery id of one of our Message-IDs (with or without angle brackets and domain), or null. */
export function readMessageId(keys: DerivedKeys, messageId: string): number | null {
  const found = /^<?(d([0-9a-z]{1,11}))\.([0-9a-f]{24})(?:@[^<>\s]*)?>?$/.exec(messageId.trim());
  if (!found) return null;
  const [, body, delivery, given] = found;
  return messageIdKeys(keys).matches(given!, body!) ? parseInt(delivery!, 36) : null;
}

const tokenKeys = (keys: DerivedKeys) => keys.forPurpose('tracking', ['tracking']);
const messageIdKeys = (keys: DerivedKeys) => keys.forPurpose('delivery-message-id', ['tracking', 'message']);
