import { defineJob } from '../../platform/jobs/job-definition.js';

export interface LimitReached {
  ownerId: number;
  metric: 'people' | 'bytes';
}

/** Tells an owner that somebody could not join or upload because a limit of the plan is reached. */
export const tellZoneFull = defineJob<LimitReached>('zones.tell-zone-full', { queue: 'mail' });
