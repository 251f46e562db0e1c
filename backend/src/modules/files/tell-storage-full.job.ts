import { defineJob } from '../../platform/jobs/job-definition.js';

/** Tells an owner that somebody else could not upload because the plan's storage is full. */
export const tellStorageFull = defineJob<{ ownerId: number }>('files.tell-storage-full', { queue: 'mail' });
