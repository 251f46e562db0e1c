import { defineJob } from '../../platform/jobs/job-definition.js';

/** Removes objects from the storage whose rows are gone. */
export const deleteObjects = defineJob<{ objectKeys: string[] }>('files.delete-objects', { queue: 'default' });
