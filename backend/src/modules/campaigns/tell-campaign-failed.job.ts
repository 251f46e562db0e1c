import { defineJob } from '../../platform/jobs/job-definition.js';

/** Tells an owner that a scheduled campaign could not start. */
export const tellCampaignFailed = defineJob<{ campaignId: number }>('campaigns.tell-failed', { queue: 'mail' });
