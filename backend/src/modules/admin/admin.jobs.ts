import { defineJob } from '../../platform/jobs/job-definition.js';

/** Tells administrators who want it once a day what is new. */
export const sendAdminDigest = defineJob('admin.tell-news', { queue: 'mail', cron: '0 6 * * *' });

/** Writes to somebody whom a super admin has invited to an account. */
export const sendAccountInvitation = defineJob<{ userId: number }>('admin.send-account-invitation', { queue: 'mail' });
