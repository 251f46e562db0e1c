import type { Language } from '../../platform/errors/app-error.js';
import { defineJob, LONG_STATEMENT_LIMIT } from '../../platform/jobs/job-definition.js';
import type { RequestOrigin } from './shared/user-agent-label.js';

/** Writes to somebody who is signed in and has no password: the code that shows that it is them. */
/** `sessionId`: the session that is to be confirmed. */
export interface ConfirmationCodeJob {
  readonly userId: number;
  readonly sessionId: number | null;
}

export const sendConfirmationCode = defineJob<ConfirmationCodeJob>('auth.send-confirmation-code', { queue: 'mail' });

/** Who wants which address. */
export interface EmailChangeJob {
  readonly userId: number;
  readonly email: string;
  /** Digest of what their password was stored as: a wish from before a new one is void. Jobs of before have none. */
  readonly password?: string;
}

/** Writes to the address that somebody wants to have: the link, or that it belongs to an account already. */
export const sendEmailChange = defineJob<EmailChangeJob>('auth.send-email-change', { queue: 'mail' });

/** Tells both addresses of a change; the old one gets the link to undo it. */
export const notifyEmailChanged = defineJob<{ changeId: number }>('auth.tell-email-changed', { queue: 'mail' });

/** Writes to somebody who forgot the password, if the address has an account. */
export const sendPasswordReset = defineJob<{ email: string; from?: RequestOrigin }>('auth.send-password-reset', {
  queue: 'mail',
});

/** Writes to somebody who wants to sign in without a password, if the address has an account. */
export const sendSignInEmail = defineJob<{ email: string; next: string | null; from?: RequestOrigin }>(
  'auth.send-sign-in-mail',
  { queue: 'mail' },
);

/** Writes to somebody with an account, with the link that shows that the address is theirs. */
export const sendAddressVerification = defineJob<{ userId: number }>('auth.send-address-verification', {
  queue: 'mail',
});

/** Writes to somebody who wants to register: the code, or that the address has an account already. */
export const sendVerificationCode = defineJob<{ email: string; language: Language; from?: RequestOrigin }>(
  'auth.send-verification-code',
  { queue: 'mail' },
);

/** Mails the owner of an account the code that connects an identity with it. */
export const sendLinkingCode = defineJob<{ userId: number }>('auth.send-linking-code', { queue: 'mail' });

/** Removes sessions, codes, tokens, counted changes of user names and rate-limit windows that have ended. */
export const purgeExpiredSecrets = defineJob<Record<string, never>>('auth.purge-expired-secrets', {
  queue: 'maintenance',
  cron: '17 * * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

export type SecurityEvent =
  | 'authenticator-added'
  | 'authenticator-removed'
  | 'factors-reset'
  | 'identity-linked'
  | 'identity-unlinked'
  | 'new-device'
  | 'passkey-added'
  | 'passkey-removed'
  | 'password-changed'
  | 'password-reset'
  | 'recovery-code-used'
  | 'recovery-codes-made'
  | 'sessions-ended'
  | 'sessions-ended-by-admin'
  | 'token-deleted'
  | 'token-made'
  | 'token-network';

/** What changed in the security of whose account. */
export interface SecurityEventNotification {
  readonly userId: number;
  readonly event: SecurityEvent;
  readonly tokenName?: string;
  /** The token, and when (ISO 8601) it was first used from where it is now: the network itself stands in its row. */
  readonly tokenId?: number;
  readonly usedAt?: string;
  readonly deviceId?: number;
  readonly passkeyName?: string;
  /** Recovery codes that are left. */
  readonly left?: number;
}

/** Writes to somebody that the security of their account has changed. */
export const notifySecurityEvent = defineJob<SecurityEventNotification>('auth.tell-security-event', { queue: 'mail' });
