import { defineJob } from '../../platform/jobs/job-definition.js';

/** Removes everything that was held of somebody who deleted the account. */
export const erasePerson = defineJob<{ userId: number }>('account.erase-person', { queue: 'default' });
