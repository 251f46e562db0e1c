import { defineJob } from '../../platform/jobs/job-definition.js';

/** Erases all data of a user who deleted their account. */
export const eraseAccount = defineJob<{ userId: number }>('account.erase-account', { queue: 'default' });

/**
 * Restarts account erasures whose job failed permanently, and deletes addresses whose deletion notice could not be
 * sent.
 */
export const resumeErasures = defineJob('account.resume-erasures', { queue: 'clock', cron: '41 * * * *' });

/** Confirms the account deletion by email. This is the last purpose for which the address is stored. */
export const notifyAccountDeleted = defineJob<{ userId: number }>('account.notify-account-deleted', { queue: 'mail' });

/** Deletes the object of a picture unless the user currently uses it. */
export const removeUnusedPicture = defineJob<{ userId: number; key: string }>('account.remove-unused-picture', {
  queue: 'default',
});
