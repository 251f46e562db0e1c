import type { Language } from '../../platform/errors/app-error.js';
import { defineJob, LONG_STATEMENT_LIMIT } from '../../platform/jobs/job-definition.js';
import type { RequestOrigin } from './shared/user-agent-label.js';

/** Emails a confirmation code to a signed-in user who has no other way to reauthenticate. */
/** `sessionId`: the session to be confirmed. */
export interface ConfirmationCodeJob {
  readonly userId: number;
  readonly sessionId: number | null;
}

export const sendConfirmationCode = defineJob<ConfirmationCodeJob>('auth.send-confirmation-code', { queue: 'mail' });

export interface EmailChangeJob {
  readonly userId: number;
  readonly email: string;
  /**
   * Digest of the stored password hash; a request made before a password change is void. Absent in jobs of older
   * versions.
   */
  readonly password?: string;
}

/** Emails the requested new address: the confirmation link, or a notice that the address already has an account. */
export const sendEmailChange = defineJob<EmailChangeJob>('auth.send-email-change', { queue: 'mail' });

/** Notifies both addresses of a change; the old address gets the undo link. */
export const notifyEmailChanged = defineJob<{ changeId: number }>('auth.notify-email-changed', { queue: 'mail' });

/** Emails a password reset link if the address has an account. */
export const sendPasswordReset = defineJob<{ email: string; from?: RequestOrigin }>('auth.send-password-reset', {
  queue: 'mail',
});

/** Emails a sign-in link if the address has an account. */
export const sendSignInEmail = defineJob<{ email: string; next: string | null; from?: RequestOrigin }>(
  'auth.send-sign-in-email',
  { queue: 'mail' },
);

/** Emails the link that verifies the address of an existing account. */
export const sendAddressVerification = defineJob<{ userId: number }>('auth.send-address-verification', {
  queue: 'mail',
});

/** Emails someone who wants to register: the code, or a notice that the address already has an account. */
export const sendVerificationCode = defineJob<{ email: string; language: Language; from?: RequestOrigin }>(
  'auth.send-verification-code',
  { queue: 'mail' },
);

/** Emails the account owner the code that links an external identity. */
export const sendLinkingCode = defineJob<{ userId: number }>('auth.send-linking-code', { queue: 'mail' });

/** Deletes expired sessions, codes, tokens, username changes and rate-limit windows. */
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

export interface SecurityEventNotification {
  readonly userId: number;
  readonly event: SecurityEvent;
  readonly tokenName?: string;
  /**
   * The token, and when (ISO 8601) it was first used from its present network. The network itself is read from its row.
   */
  readonly tokenId?: number;
  readonly usedAt?: string;
  readonly deviceId?: number;
  readonly passkeyName?: string;
  /** Number of recovery codes left. */
  readonly left?: number;
}

/** Notifies a user that the security of their account has changed. */
export const notifySecurityEvent = defineJob<SecurityEventNotification>('auth.notify-security-event', {
  queue: 'mail',
});
