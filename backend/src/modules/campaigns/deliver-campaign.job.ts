import { defineJob } from '../../platform/jobs/job-definition.js';

/** Tells workers that a campaign has mails to send. */
export const deliverCampaign = defineJob<{ campaignId: number }>('campaigns.deliver', { queue: 'default' });
