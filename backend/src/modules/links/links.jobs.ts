import { defineJob, LONG_STATEMENT_LIMIT, type CronRunPayload } from '../../platform/jobs/job-definition.js';

/** Forgets from which addresses, and with which programs, people tried links 90 days ago. */
export const eraseLinkVisitors = defineJob<Record<string, never>>('links.forget-visitors', {
  queue: 'maintenance',
  cron: '41 * * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Sends the mails of wishes to join that waited for a day with room. */
export const sendHeldJoinEmails = defineJob<CronRunPayload>('links.send-held-joins', {
  queue: 'maintenance',
  cron: '4 * * * *',
});

/** Removes requests to join that nobody confirmed, and those that were confirmed a while ago. */
export const purgePendingJoins = defineJob<Record<string, never>>('links.purge-pending-joins', {
  queue: 'maintenance',
  cron: '27 * * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Writes to somebody who asked to join, with the link that proves the address. */
export const sendJoinVerification = defineJob<{ pendingJoinId: number }>('links.send-join-verification', {
  queue: 'mail',
});

/** Notes which temporary links have come to their end; they refuse from that instant on without it. */
export const markExpiredLinks = defineJob<Record<string, never>>('links.mark-expired', {
  queue: 'clock',
  cron: '* * * * *',
});
