import type { Sentence } from '../../platform/errors/app-error.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { normaliseEmail } from '../../platform/http/fields.js';
import { fieldError } from '../../platform/http/validation.js';

/** Something that happened to a mail after the mail server had taken it. */
export interface MailEvent {
  readonly type: 'bounce' | 'complaint' | 'delivered';
  readonly messageId: string;
  readonly email: string;
  readonly permanent: boolean;
  readonly reason: string;
}

const MOST_EVENTS = 1000;

const wrong: Sentence = {
  en: 'The body must be an array of at most 1,000 events, each with type, messageId and email.',
  tr: 'Gövde, her biri type, messageId ve email içeren en fazla 1.000 olaydan oluşan bir dizi olmalıdır.',
};

/**
 * Reads the body of a report whose signature has been checked.
 * @throws MALFORMED_JSON, VALIDATION_FAILED
 */
export function readMailEvents(body: Buffer): MailEvent[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    throw commonErrors.MALFORMED_JSON();
  }
  if (!Array.isArray(parsed) || parsed.length > MOST_EVENTS) throw fieldError('body', wrong);
  return parsed.map(readOne);
}

function readOne(event: unknown): MailEvent {
  const { type, messageId, email, permanent, reason } = (event ?? {}) as Record<string, unknown>;
  const isKnown = type === 'bounce' || type === 'complaint' || type === 'delivered';
  if (!isKnown || typeof messageId !== 'string' || typeof email !== 'string') throw fieldError('body', wrong);
  return {
    ...{ type, messageId, email: normaliseEmail(email), permanent: permanent === true },
    reason: typeof reason === 'string' ? reason.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ') : '',
  };
}
