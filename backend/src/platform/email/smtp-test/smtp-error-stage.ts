import { freezeList } from '../../constants/freeze-list.js';

/** The steps of sending an email, in order. */
export const mailStages = freezeList(['resolve', 'connect', 'tls', 'sign-in', 'sender', 'recipient']);
export type MailStage = (typeof mailStages)[number];

interface TransportError {
  readonly code?: string;
  readonly originalCode?: string;
  readonly command?: string;
  readonly response?: string;
}

/** Error codes of Node.js for TLS and certificates. */
const TLS_CODES = /^(ERR_SSL|ERR_TLS|EPROTO$|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/;
const STAGE_BY_COMMAND: readonly (readonly [RegExp, MailStage])[] = [
  [/^STARTTLS/, 'tls'],
  [/^AUTH/, 'sign-in'],
  [/^RCPT TO/, 'recipient'],
  // A rejection after the content is nearly always because of the sender.
  [/^(MAIL FROM|DATA)/, 'sender'],
];

/** Returns the failed step, given a transport's error. */
export function failedStageOf(error: unknown): MailStage {
  const { code = '', originalCode = '', command = '' } = (error ?? {}) as TransportError;
  if (code === 'EDNS') return 'resolve';
  if (/^E(?:REQUIRE)?TLS$/.test(code) || TLS_CODES.test(originalCode || code)) return 'tls';
  if (code === 'EAUTH') return 'sign-in';
  return STAGE_BY_COMMAND.find(([pattern]) => pattern.test(command))?.[1] ?? 'connect';
}

/** An SMTP reply; anything else that a port returns is not shown. */
const REPLY = /^[2-5]\d\d[ -]/;
const MAX_REPLY_LENGTH = 200;

/**
 * Returns the first line of the server's response if it is an SMTP reply.
 * @param secrets values to redact, because some servers repeat what they received
 */
export function replyLine(response: unknown, secrets: readonly string[] = []): string | null {
  const [line = ''] = typeof response === 'string' ? response.split(/[\r\n]/, 1) : [];
  if (!REPLY.test(line)) return null;
  const hidden = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), line);
  return hidden.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, MAX_REPLY_LENGTH);
}

/** All forms in which a password is transmitted. */
export function secretEncodings(user: string, password: string): string[] {
  const inBase64 = (text: string) => Buffer.from(text).toString('base64');
  return [inBase64(`\0${user}\0${password}`), inBase64(password), password].filter((form) => form.length > 0);
}
