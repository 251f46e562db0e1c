import { defineJob } from '../../platform/jobs/job-definition.js';

/** Notifies the owner that a campaign was paused automatically or rejected entirely, and why. */
export const notifyCampaignStopped = defineJob<{ campaignId: number }>('campaigns.notify-campaign-stopped', {
  queue: 'mail',
});

/** Opens the email quotas of a new month. */
export const openMonthlyQuotas = defineJob<Record<string, never>>('campaigns.open-monthly-quotas', {
  queue: 'clock',
  cron: '2 * * * *',
});

/** Sends the link by which an address confirms that it may receive replies to a zone's emails. */
export const sendReplyToLink = defineJob<{ zoneId: number }>('campaigns.send-reply-to-link', { queue: 'mail' });

/** Notifies workers that a campaign has emails to send. */
export const wakeCampaignWorkers = defineJob<{ campaignId: number }>('campaigns.wake-campaign-workers', {
  queue: 'default',
});

/** Starts scheduled campaigns that are due, and finishes interrupted ones. */
export const sweepCampaigns = defineJob<Record<string, never>>('campaigns.sweep-campaigns', {
  queue: 'clock',
  cron: '* * * * *',
});

/** Starts a scheduled campaign at its time. */
export const startScheduledCampaign = defineJob<{ campaignId: number }>('campaigns.start-scheduled-campaign', {
  queue: 'default',
});

/** Notifies an owner that a scheduled campaign could not start. */
export const notifyCampaignFailed = defineJob<{ campaignId: number }>('campaigns.notify-campaign-failed', {
  queue: 'mail',
});

/** Sends a zone's welcome email to new members, if enabled and allowed. */
export const sendWelcomeEmails = defineJob<{ zoneId: number; userIds: number[] }>('campaigns.send-welcome-emails', {
  queue: 'default',
});

/** Sends a campaign only to its owner, as a recipient would get it. */
export const sendTestEmail = defineJob<{ campaignId: number }>('campaigns.send-test-email', {
  queue: 'mail',
  maxAttempts: 4,
});
