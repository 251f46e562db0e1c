import { defineJob } from '../../platform/jobs/job-definition.js';

/** Pauses the payments of a deactivated account, resumes those of one that is active again, ends a deleted one's. */
export const alignCollection = defineJob<{ userId: number }>('billing.align-collection', {
  queue: 'default',
  maxAttempts: 20,
});
