import { defineJob } from '../../../platform/jobs/job-definition.js';

/** Writes to somebody who is invited, with the link and, for people new to us, a temporary password. */
export const sendInvitation = defineJob<{ invitationId: number }>('zones.send-invitation', { queue: 'mail' });
