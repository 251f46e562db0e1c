import { defineJob } from '../../platform/jobs/job-definition.js';

/** Sends the welcome mail of a zone to people who have come in, if the zone has one and they may get it. */
export const welcomeMembers = defineJob<{ zoneId: number; userIds: number[] }>('campaigns.welcome-members', {
  queue: 'default',
});
