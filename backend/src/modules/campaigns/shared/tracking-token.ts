import { DAY } from '../../../platform/clock/clock.js';
import type { DerivedKeys } from '../../../platform/security/derived-keys.js';

/** What an address in a mail stands for: the opening of a delivery, or a click on one of its links. */
export interface TrackedItem {
  readonly deliveryId: number;
  /** The place of the link; null is the opening. */
  readonly link: number | null;
}

/** How long after a mail its openings, clicks and bounces are taken down. What its links lead to stays. */
export const TRACKING_PERIOD = 400 * DAY;

/** Hex digits of the signature: 96 bits. */
const SIGNATURE_LENGTH = 24;

/** A token that only we can make: who changes the delivery or the link in it gets nothing. */
export function createTrackingToken(keys: DerivedKeys, { deliveryId, link }: TrackedItem): string {
  const body = link === null ? deliveryId.toString(36) : `${deliveryId.toString(36)}.${link.toString(36)}`;
  const mac = Buffer.from(tokenKeys(keys).digest(body).slice(0, SIGNATURE_LENGTH), 'hex');
  return `${body}.${mac.toString('base64url')}`;
}

/** What a token stands for, or null when we did not make it. */
export function readTrackingToken(keys: DerivedKeys, token: string): TrackedItem | null {
  const found = /^(([0-9a-z]{1,11})(?:\.([0-9a-z]{1,4}))?)\.([\w-]{16})$/.exec(token);
  if (!found) return null;
  const [, body, delivery, link, given] = found;
  if (!tokenKeys(keys).matches(Buffer.from(given!, 'base64url').toString('hex'), body!)) return null;
  return { deliveryId: parseInt(delivery!, 36), link: link === undefined ? null : parseInt(link, 36) };
}

/** The Message-ID of a delivery: the same at each try, and again found in reports of the mail server. */
export function createMessageId(keys: DerivedKeys, deliveryId: number, domain: string): string {
  const body = `d${deliveryId.toString(36)}`;
  return `<${body}.${messageIdKeys(keys).digest(body).slice(0, SIGNATURE_LENGTH)}@${domain}>`;
}

/** The delivery of a Message-ID of ours (angle brackets and domain as the reporter likes), or null. */
export function readMessageId(keys: DerivedKeys, messageId: string): number | null {
  const found = /^<?(d([0-9a-z]{1,11}))\.([0-9a-f]{24})(?:@[^<>\s]*)?>?$/.exec(messageId.trim());
  if (!found) return null;
  const [, body, delivery, given] = found;
  return messageIdKeys(keys).matches(given!, body!) ? parseInt(delivery!, 36) : null;
}

const tokenKeys = (keys: DerivedKeys) => keys.forPurpose('tracking', ['tracking']);
const messageIdKeys = (keys: DerivedKeys) => keys.forPurpose('delivery-message-id', ['tracking', 'message']);
