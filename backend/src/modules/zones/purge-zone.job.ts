import { defineJob } from '../../platform/jobs/job-definition.js';

/** Removes everything of a zone that its owner has deleted. */
export const purgeZone = defineJob<{ zoneId: number }>('zones.purge-zone', { queue: 'default' });
