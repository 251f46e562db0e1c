import { defineJob } from '../../platform/jobs/job-definition.js';

/** Sends the daily digest to administrators who subscribed to it. */
export const sendAdminDigest = defineJob('admin.send-admin-digest', { queue: 'mail', cron: '0 6 * * *' });

/** Emails an invitation to someone for whom a super admin has created an account. */
export const sendAccountInvitation = defineJob<{ userId: number }>('admin.send-account-invitation', { queue: 'mail' });
