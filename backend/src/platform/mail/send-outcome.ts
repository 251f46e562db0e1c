/**
 * What came of handing one mail to the mail server. `refused` is about this mail or its recipient and is final,
 * `postponed` is about them and may pass; a `server-fault` is about the server or the way to it, and would meet any mail.
 */
export type SendOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused' | 'postponed' | 'server-fault'; readonly code: number | null; readonly reason: string };

const LONGEST = 300;

interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly command?: string;
}

/** Reads the error of a transport. */
export function sendOutcome(error: unknown): SendOutcome {
  const { responseCode, response, command, code, message } = (error ?? {}) as SmtpError;
  const answered = typeof responseCode === 'number' && responseCode >= 400 && responseCode < 600;
  const aboutMail = answered && /^(RCPT TO|DATA)/.test(command ?? '') && responseCode !== 421;
  const said = withoutAddresses(response ?? message ?? '') || (code ?? 'unknown');
  if (!aboutMail) return { kind: 'server-fault', code: answered ? responseCode : null, reason: said };
  return { kind: responseCode >= 500 ? 'refused' : 'postponed', code: responseCode, reason: said };
}

/** Servers repeat the address in their answers; it is kept once, with the person. */
export function withoutAddresses(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/<[^<>\s]*@[^<>\s]*>|[^\s<>,;:"']+@[^\s<>,;:"']+/g, '[address]')
    .trim()
    .slice(0, LONGEST);
}
