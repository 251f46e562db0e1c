import { defineJob } from '../../platform/jobs/job-definition.js';

/**
 * Tells a customer of every zone that has opened to them and of which they have not been told, in one mail; a new
 * customer gets a temporary password with it.
 */
export const tellPurchase = defineJob<{ userId: number }>('integrations.tell-purchase', { queue: 'mail' });
