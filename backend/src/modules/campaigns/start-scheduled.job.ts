import { defineJob } from '../../platform/jobs/job-definition.js';

/** Starts campaigns whose time has come, and ends and settles what was interrupted. */
export const sweepCampaigns = defineJob<Record<string, never>>('campaigns.sweep', {
  queue: 'maintenance',
  cron: '* * * * *',
});

/** Starts one campaign at its time. */
export const startScheduled = defineJob<{ campaignId: number }>('campaigns.start-scheduled', { queue: 'default' });
