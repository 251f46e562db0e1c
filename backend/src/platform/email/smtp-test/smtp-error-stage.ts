import { freezeList } from '../../constants/freeze-list.js';

/** What happens, one after the other, when a mail is handed over. */
export const mailStages = freezeList(['resolve', 'connect', 'tls', 'sign-in', 'sender', 'recipient']);
export type MailStage = (typeof mailStages)[number];

interface TransportError {
  readonly code?: string;
  readonly originalCode?: string;
  readonly command?: string;
  readonly response?: string;
}

/** Codes of Node's TLS, and of what it says of certificates. */
const TLS_CODES = /^(ERR_SSL|ERR_TLS|EPROTO$|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/;
const STAGE_BY_COMMAND: readonly (readonly [RegExp, MailStage])[] = [
  [/^STARTTLS/, 'tls'],
  [/^AUTH/, 'sign-in'],
  [/^RCPT TO/, 'recipient'],
  // What is refused after its text is refused for who sends it, nearly always.
  [/^(MAIL FROM|DATA)/, 'sender'],
];

/** How far a try came, from the error of a transport. */
export function failedStageOf(error: unknown): MailStage {
  const { code = '', originalCode = '', command = '' } = (error ?? {}) as TransportError;
  if (code === 'EDNS') return 'resolve';
  if (/^E(?:REQUIRE)?TLS$/.test(code) || TLS_CODES.test(originalCode || code)) return 'tls';
  if (code === 'EAUTH') return 'sign-in';
  return STAGE_BY_COMMAND.find(([pattern]) => pattern.test(command))?.[1] ?? 'connect';
}

/** A reply of SMTP; what else a port says is nobody's business here. */
const REPLY = /^[2-5]\d\d[ -]/;
const MAX_REPLY_LENGTH = 200;

/**
 * The first line that a mail server answered, when it is one of SMTP.
 * @param secrets what must not be in it: some servers repeat what they were sent
 */
export function replyLine(response: unknown, secrets: readonly string[] = []): string | null {
  const [line = ''] = typeof response === 'string' ? response.split(/[\r\n]/, 1) : [];
  if (!REPLY.test(line)) return null;
  const hidden = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), line);
  return hidden.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, MAX_REPLY_LENGTH);
}

/** Every form in which a password goes over the line. */
export function secretEncodings(user: string, password: string): string[] {
  const inBase64 = (text: string) => Buffer.from(text).toString('base64');
  return [inBase64(`\0${user}\0${password}`), inBase64(password), password].filter((form) => form.length > 0);
}
