import { defineJob } from '../../platform/jobs/job-definition.js';

/** Writes to somebody that the account is deleted; the last thing for which the address was kept. */
export const tellAccountDeleted = defineJob<{ userId: number }>('account.tell-account-deleted', { queue: 'mail' });
