import { defineJob } from '../../../platform/jobs/job-definition.js';

/** Tells an owner who has accepted an invitation since the last such mail. */
export const tellInvitationAccepted = defineJob<{ ownerId: number }>('zones.tell-invitation-accepted', {
  queue: 'mail',
});
