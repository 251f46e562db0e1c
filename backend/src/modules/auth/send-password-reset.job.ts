import { defineJob } from '../../platform/jobs/job-definition.js';

/** Writes to somebody who forgot the password, if the address has an account. */
export const sendPasswordReset = defineJob<{ email: string }>('auth.send-password-reset', { queue: 'mail' });
