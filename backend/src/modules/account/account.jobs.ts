import { defineJob } from '../../platform/jobs/job-definition.js';

/** Removes everything that was held of somebody who deleted the account. */
export const eraseAccount = defineJob<{ userId: number }>('account.erase-person', { queue: 'default' });

/** Takes up deletions of accounts whose job was given up, and forgets addresses that no farewell could reach. */
export const resumeErasures = defineJob('account.resume-erasures', { queue: 'clock', cron: '41 * * * *' });

/** Writes to somebody that the account is deleted; the last thing for which the address was kept. */
export const notifyAccountDeleted = defineJob<{ userId: number }>('account.tell-account-deleted', { queue: 'mail' });

/** Removes the object of a picture, unless its person shows it. */
export const removeUnusedPicture = defineJob<{ userId: number; key: string }>('account.remove-unused-picture', {
  queue: 'default',
});
