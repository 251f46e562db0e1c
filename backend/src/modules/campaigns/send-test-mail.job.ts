import { defineJob } from '../../platform/jobs/job-definition.js';

/** Sends a campaign to its owner alone, as a recipient would get it. */
export const sendTestMail = defineJob<{ campaignId: number }>('campaigns.test-mail', { queue: 'mail', maxAttempts: 4 });
