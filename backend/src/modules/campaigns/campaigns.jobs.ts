import { defineJob, LONG_STATEMENT_LIMIT } from '../../platform/jobs/job-definition.js';

/** Tells the owner that a campaign has paused by itself, or that all of it was refused, and why. */
export const notifyCampaignStopped = defineJob<{ campaignId: number }>('campaigns.tell-stopped', { queue: 'mail' });

/** Writes again to addresses that were suppressed although mail servers refused the sending; once, after an upgrade. */
export const liftWrongSuppressions = defineJob<Record<string, never>>('campaigns.lift-wrongly-silenced', {
  queue: 'long',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Opens the mail quotas of a new month, and forgets addresses of mail events after their time. */
export const openMonthlyQuotas = defineJob<Record<string, never>>('campaigns.keep-quotas', {
  queue: 'clock',
  cron: '2 * * * *',
});

/** Asks the mailbox of an address whether answers to a zone's mails may go there. */
export const sendReplyToLink = defineJob<{ zoneId: number }>('campaigns.send-reply-to-link', { queue: 'mail' });

/** Tells workers that a campaign has mails to send. */
export const wakeCampaignWorkers = defineJob<{ campaignId: number }>('campaigns.deliver', { queue: 'default' });

/** Starts campaigns whose time has come, and ends and settles what was interrupted. */
export const sweepCampaigns = defineJob<Record<string, never>>('campaigns.sweep', {
  queue: 'clock',
  cron: '* * * * *',
});

/** Starts one campaign at its time. */
export const startScheduledCampaign = defineJob<{ campaignId: number }>('campaigns.start-scheduled', {
  queue: 'default',
});

/** Tells an owner that a scheduled campaign could not start. */
export const notifyCampaignFailed = defineJob<{ campaignId: number }>('campaigns.tell-failed', { queue: 'mail' });

/** Sends the welcome mail of a zone to people who have come in, if the zone has one and they may get it. */
export const sendWelcomeEmails = defineJob<{ zoneId: number; userIds: number[] }>('campaigns.welcome-members', {
  queue: 'default',
});

/** Sends a campaign to its owner alone, as a recipient would get it. */
export const sendTestEmail = defineJob<{ campaignId: number }>('campaigns.test-mail', {
  queue: 'mail',
  maxAttempts: 4,
});
