import type { Language } from '../../platform/errors/app-error.js';
import { defineJob } from '../../platform/jobs/job-definition.js';

/** Writes to somebody who wants to register: the code, or that the address has an account already. */
export const sendVerificationCode = defineJob<{ email: string; language: Language }>('auth.send-verification-code', {
  queue: 'mail',
});
