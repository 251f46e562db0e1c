import { defineJob } from '../../platform/jobs/job-definition.js';

/** Tells a customer that the zone is open to them; a new one gets a temporary password with it. */
export const tellPurchase = defineJob<{ entitlementId: number }>('integrations.tell-purchase', { queue: 'mail' });
