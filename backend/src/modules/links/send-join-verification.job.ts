import { defineJob } from '../../platform/jobs/job-definition.js';

/** Writes to somebody who asked to join, with the link that proves the address. */
export const sendJoinVerification = defineJob<{ pendingJoinId: number }>('links.send-join-verification', {
  queue: 'mail',
});
