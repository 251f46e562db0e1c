import { defineJob } from '../../platform/jobs/job-definition.js';

/** Removes what is marked in the trash of a zone. */
export const purgeTrash = defineJob<{ zoneId: number }>('files.purge-trash', { queue: 'default' });
