import { defineJob } from '../../platform/jobs/job-definition.js';

export type SecurityEvent = 'password-changed' | 'password-reset' | 'sessions-ended' | 'token-made';

/** Writes to somebody that the security of their account has changed. */
export const tellSecurityEvent = defineJob<{ userId: number; event: SecurityEvent; tokenName?: string }>(
  'auth.tell-security-event',
  { queue: 'mail' },
);
