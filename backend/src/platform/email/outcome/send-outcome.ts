/**
 * The cause of a permanent rejection: the recipient's mailbox doesn't exist (`reader`, the stored value), or something
 * about the sender or message (`sender`).
 */
export type BounceCause = 'reader' | 'sender';

/** A mail server's response, or a bounce report. */
export interface Rejection {
  readonly code: number | null;
  readonly text: string;
  /** Whether the server rejected the recipient before it saw the message; true for bounce reports. */
  readonly atRecipient: boolean;
}

/** Enhanced status codes (RFC 3463, RFC 7505) for a mailbox that doesn't exist (any more). */
const MAILBOX_CODES = new Set(['5.1.0', '5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1']);

/** Reply codes for a missing mailbox from servers without enhanced codes. */
const BARE_CODES = new Set([550, 551, 553]);

/** An enhanced status code that isn't part of an IP address. */
const ENHANCED = /(?<![\d.])5\.\d{1,3}\.\d{1,3}(?![\d]|\.\d)/;

const MAILBOX_NOUN = '(?:user|mailbox|mail box|recipient|account|address|addressee|local part)';
const MAILBOX_MISSING =
  '(?:unknown|not found|not known|(?:does not|doesn.t|not) exist|disabled|deactivated|inactive|unavailable|invalid|no longer)';
/** Messages that name the mailbox as the problem. */
const NAMES_MAILBOX = new RegExp(
  `${MAILBOX_NOUN}\\b[^.;]{0,60}\\b${MAILBOX_MISSING}|\\b(?:unknown|invalid|no such|no|bad) ${MAILBOX_NOUN}\\b`,
  'i',
);

/** Servers that verify the sender's mailbox reject with similar messages, also in response to RCPT TO. */
const NAMES_SENDER = new RegExp(
  String.raw`\b(?:sender|mail from|return[ -]path|envelope from)\b[^.;]{0,60}\b(?:verif|reject|denied|refused|${MAILBOX_MISSING})`,
  'i',
);

/**
 * Classifies a permanent rejection; null when there is only a reply code, which is no evidence. Only a missing mailbox
 * counts as the recipient (`reader`). For all other reasons (the sender, the content, the volume, a server policy, a
 * full mailbox) the recipient may be reachable tomorrow.
 */
export function classifyRejection({ code, text, atRecipient }: Rejection): BounceCause | null {
  if (!/\p{L}{2}|\d\.\d/u.test(text.replaceAll('[address]', ''))) return null;
  const enhanced = ENHANCED.exec(text)?.[0];
  if (enhanced) return MAILBOX_CODES.has(enhanced) ? 'reader' : 'sender';
  const isBare = code !== null && BARE_CODES.has(code);
  const isMailboxMissing = atRecipient && isBare && NAMES_MAILBOX.test(text) && !NAMES_SENDER.test(text);
  return isMailboxMissing ? 'reader' : 'sender';
}

/**
 * Result of sending an email. `rejected` is about the email or its recipient and is final; `postponed` is about them
 * and temporary; `server-error` is about the server or the connection and would affect any email. A server that rejects
 * access (5xx as greeting, or to EHLO or AUTH) counts as `server-error` too: the operator has to fix the access, and
 * emails wait until then.
 */
export type SendOutcome =
  | { readonly kind: 'sent' }
  /** No mail server is configured: the email is in the mailbox of this installation and nobody received it. */
  | { readonly kind: 'on-hold' }
  | {
      readonly kind: 'rejected';
      readonly code: number | null;
      readonly reason: string;
      /** Null when the server gave no reason. */
      readonly bounceCause: BounceCause | null;
      /**
       * True when the server rejected the sender before it was asked about a recipient; it would have rejected any
       * email.
       */
      readonly isOfSender?: boolean;
    }
  | { readonly kind: 'postponed' | 'server-error'; readonly code: number | null; readonly reason: string };

const MAX_REASON_LENGTH = 300;

interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly command?: string;
}

/** Converts a transport's error. */
export function toSendOutcome(error: unknown): SendOutcome {
  const { responseCode, response, command, code, message } = (error ?? {}) as SmtpError;
  const answered = typeof responseCode === 'number' && responseCode >= 400 && responseCode < 600;
  const isOfSender = answered && responseCode >= 500 && /^MAIL FROM/.test(command ?? '');
  const aboutMail = isOfSender || (answered && /^(RCPT TO|DATA)/.test(command ?? '') && responseCode !== 421);
  const reason = redactAddresses(response ?? message ?? '') || (code ?? 'unknown');
  if (!aboutMail) return { kind: 'server-error', code: answered ? responseCode : null, reason };
  if (isOfSender) return { kind: 'rejected', code: responseCode, reason, bounceCause: 'sender', isOfSender };
  if (responseCode < 500) return { kind: 'postponed', code: responseCode, reason };
  const text = redactAddresses(response ?? '');
  const bounceCause = classifyRejection({ code: responseCode, text, atRecipient: command!.startsWith('RCPT TO') });
  return { kind: 'rejected', code: responseCode, reason, bounceCause };
}

/** True for permanent rejections caused by the sender or message, even if the email itself may be retried. */
export const isSenderRejection = (outcome: SendOutcome): boolean =>
  outcome.kind === 'rejected'
    ? outcome.bounceCause === 'sender'
    : outcome.kind === 'server-error' && (outcome.code ?? 0) >= 500;

/** Removes email addresses, which servers repeat in responses; addresses are stored only with the user. */
export function redactAddresses(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/<[^<>\s]*@[^<>\s]*>|[^\s<>,;:"']+@[^\s<>,;:"']+/g, '[address]')
    .trim()
    .slice(0, MAX_REASON_LENGTH);
}
