import { defineJob } from '../../platform/jobs/job-definition.js';

/** Does what a stored delivery asks for. */
export const processWebhook = defineJob<{ webhookId: number }>('integrations.process-webhook', { queue: 'default' });
