import { createHmac, timingSafeEqual } from 'node:crypto';

/** What an address in a mail stands for: the opening of a delivery, or a click on one of its links. */
export interface Tracked {
  readonly deliveryId: number;
  /** The place of the link; null is the opening. */
  readonly link: number | null;
}

const MAC_BYTES = 12;

/** A token that only we can make: who changes the delivery or the link in it gets nothing. */
export function trackingToken(secret: string, { deliveryId, link }: Tracked): string {
  const body = link === null ? deliveryId.toString(36) : `${deliveryId.toString(36)}.${link.toString(36)}`;
  return `${body}.${mac(secret, body).toString('base64url')}`;
}

/** What a token stands for, or null when we did not make it. */
export function readTrackingToken(secret: string, token: string): Tracked | null {
  const found = /^(([0-9a-z]{1,11})(?:\.([0-9a-z]{1,4}))?)\.([\w-]{16})$/.exec(token);
  if (!found) return null;
  const [, body, delivery, link, given] = found;
  if (!timingSafeEqual(mac(secret, body!), Buffer.from(given!, 'base64url'))) return null;
  return { deliveryId: parseInt(delivery!, 36), link: link === undefined ? null : parseInt(link, 36) };
}

/** The Message-ID of a delivery: the same at each try, and again found in reports of the mail server. */
export function deliveryMessageId(secret: string, deliveryId: number, domain: string): string {
  const body = `d${deliveryId.toString(36)}`;
  return `<${body}.${mac(secret, `message\n${body}`).toString('hex')}@${domain}>`;
}

/** The delivery of a Message-ID of ours (angle brackets and domain as the reporter likes), or null. */
export function readMessageId(secret: string, messageId: string): number | null {
  const found = /^<?(d([0-9a-z]{1,11}))\.([0-9a-f]{24})(?:@[^<>\s]*)?>?$/.exec(messageId.trim());
  if (!found) return null;
  const [, body, delivery, given] = found;
  return timingSafeEqual(mac(secret, `message\n${body}`), Buffer.from(given!, 'hex')) ? parseInt(delivery!, 36) : null;
}

function mac(secret: string, body: string): Buffer {
  return createHmac('sha256', secret).update(`tracking\n${body}`).digest().subarray(0, MAC_BYTES);
}
