import { defineJob, LONG_STATEMENT_LIMIT, type CronRunPayload } from '../../platform/jobs/job-definition.js';

/** Erases the IP addresses and user agents of join attempts after 90 days. */
export const eraseLinkVisitors = defineJob<Record<string, never>>('links.erase-link-visitors', {
  queue: 'maintenance',
  cron: '41 * * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Sends join emails that were held for lack of quota. */
export const sendHeldJoinEmails = defineJob<CronRunPayload>('links.send-held-join-emails', {
  queue: 'maintenance',
  cron: '4 * * * *',
});

/** Deletes join requests that expired or were completed some time ago. */
export const purgePendingJoins = defineJob<Record<string, never>>('links.purge-pending-joins', {
  queue: 'maintenance',
  cron: '27 * * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Sends the verification email for a join request. */
export const sendJoinVerification = defineJob<{ pendingJoinId: number }>('links.send-join-verification', {
  queue: 'mail',
});

/** Records which temporary links have expired; they are rejected from that moment on regardless. */
export const markExpiredLinks = defineJob<Record<string, never>>('links.mark-expired-links', {
  queue: 'clock',
  cron: '* * * * *',
});
