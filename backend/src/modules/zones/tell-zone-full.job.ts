import { defineJob } from '../../platform/jobs/job-definition.js';

/** Tells an owner that somebody could not join because the plan's member limit is reached. */
export const tellZoneFull = defineJob<{ ownerId: number }>('zones.tell-zone-full', { queue: 'mail' });
