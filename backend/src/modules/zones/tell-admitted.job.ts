import { defineJob } from '../../platform/jobs/job-definition.js';

/** Tells somebody that their request to join was approved. */
export const tellAdmitted = defineJob<{ zoneId: number; userId: number }>('zones.tell-admitted', { queue: 'mail' });
