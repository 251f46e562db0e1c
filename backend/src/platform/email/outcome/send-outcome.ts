/** Whose fault a refusal is: the reader's address cannot be written to, or something about the sending. */
export type BounceCause = 'reader' | 'sender';

/** What a mail server answered, or what was reported of a mail that came back. */
export interface Refusal {
  readonly code: number | null;
  readonly text: string;
  /** Whether the server answered to the recipient alone, before it knew the mail; a report of a bounce counts as that. */
  readonly atRecipient: boolean;
}

/** Enhanced codes (RFC 3463, RFC 7505) that say of a mailbox that it is not there, or not any more. */
const MAILBOX_CODES = new Set(['5.1.0', '5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1']);

/** The codes with which servers without enhanced ones refuse a mailbox. */
const BARE_CODES = new Set([550, 551, 553]);

/** An enhanced code, and no address of a machine: nothing of figures and dots around it. */
const ENHANCED = /(?<![\d.])5\.\d{1,3}\.\d{1,3}(?![\d]|\.\d)/;

const MAILBOX_NOUN = '(?:user|mailbox|mail box|recipient|account|address|addressee|local part)';
const MAILBOX_MISSING =
  '(?:unknown|not found|not known|(?:does not|doesn.t|not) exist|disabled|deactivated|inactive|unavailable|invalid|no longer)';
/** Words by which servers name the mailbox as what is wrong. */
const NAMES_MAILBOX = new RegExp(
  `${MAILBOX_NOUN}\\b[^.;]{0,60}\\b${MAILBOX_MISSING}|\\b(?:unknown|invalid|no such|no|bad) ${MAILBOX_NOUN}\\b`,
  'i',
);

/** Servers that ask after the sender's mailbox first refuse it at the recipient, and in the same words. */
const NAMES_SENDER = new RegExp(
  String.raw`\b(?:sender|mail from|return[ -]path|envelope from)\b[^.;]{0,60}\b(?:verif|reject|denied|refused|${MAILBOX_MISSING})`,
  'i',
);

/**
 * Judges a refusal for good; null when nothing was said but a code, which counts against nobody. Only what says that the mailbox is not there is the reader's: everything else (who sends, what
 * is sent, how much, a rule of the server, a full mailbox) would be the same for a reader who can be reached tomorrow.
 */
export function classifyRefusal({ code, text, atRecipient }: Refusal): BounceCause | null {
  if (!/\p{L}{2}|\d\.\d/u.test(text.replaceAll('[address]', ''))) return null;
  const enhanced = ENHANCED.exec(text)?.[0];
  if (enhanced) return MAILBOX_CODES.has(enhanced) ? 'reader' : 'sender';
  const isBare = code !== null && BARE_CODES.has(code);
  const isReaders = atRecipient && isBare && NAMES_MAILBOX.test(text) && !NAMES_SENDER.test(text);
  return isReaders ? 'reader' : 'sender';
}

/**
 * What came of handing one mail to the mail server. `refused` is about this mail or its recipient and is final,
 * `postponed` is about them and may pass; a `server-fault` is about the server or the way to it, and would meet any mail.
 * A server that lets nobody in (5xx as its greeting, to EHLO or AUTH) is one too: what is wrong with the installation's
 * access is mended by its operator, and the mails wait for that.
 */
export type SendOutcome =
  | { readonly kind: 'sent' }
  /** No mail server is set: the mail is in the mailbox of this installation and went to nobody. */
  | { readonly kind: 'kept' }
  | {
      readonly kind: 'refused';
      readonly code: number | null;
      readonly reason: string;
      /** Whether the reader's address is why, or the sending; null when no reason was given. */
      readonly bounceCause: BounceCause | null;
      /** True when the server refused who sends, before it was asked about a recipient: it would have refused any mail. */
      readonly isOfSender?: boolean;
    }
  | { readonly kind: 'postponed' | 'server-fault'; readonly code: number | null; readonly reason: string };

const MAX_REASON_LENGTH = 300;

interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly command?: string;
}

/** Reads the error of a transport. */
export function toSendOutcome(error: unknown): SendOutcome {
  const { responseCode, response, command, code, message } = (error ?? {}) as SmtpError;
  const answered = typeof responseCode === 'number' && responseCode >= 400 && responseCode < 600;
  const isOfSender = answered && responseCode >= 500 && /^MAIL FROM/.test(command ?? '');
  const aboutMail = isOfSender || (answered && /^(RCPT TO|DATA)/.test(command ?? '') && responseCode !== 421);
  const said = redactAddresses(response ?? message ?? '') || (code ?? 'unknown');
  if (!aboutMail) return { kind: 'server-fault', code: answered ? responseCode : null, reason: said };
  if (isOfSender) return { kind: 'refused', code: responseCode, reason: said, bounceCause: 'sender', isOfSender };
  if (responseCode < 500) return { kind: 'postponed', code: responseCode, reason: said };
  const text = redactAddresses(response ?? '');
  const fault = classifyRefusal({ code: responseCode, text, atRecipient: command!.startsWith('RCPT TO') });
  return { kind: 'refused', code: responseCode, reason: said, bounceCause: fault };
}

/** True of what was refused for good for a reason that lies with the sending, though the mail itself may be tried again. */
export const isSenderFault = (outcome: SendOutcome): boolean =>
  outcome.kind === 'refused'
    ? outcome.bounceCause === 'sender'
    : outcome.kind === 'server-fault' && (outcome.code ?? 0) >= 500;

/** Servers repeat the address in their answers; it is kept once, with the person. */
export function redactAddresses(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/<[^<>\s]*@[^<>\s]*>|[^\s<>,;:"']+@[^\s<>,;:"']+/g, '[address]')
    .trim()
    .slice(0, MAX_REASON_LENGTH);
}
