import { defineJob } from '../../platform/jobs/job-definition.js';

/** Tells an owner that an administrator deleted a zone of theirs; the zone itself may be gone by then. */
export const tellZoneRemoved = defineJob<{ ownerId: number; zoneName: string }>('zones.tell-zone-removed', {
  queue: 'mail',
});
