import { defineJob, LONG_STATEMENT_LIMIT } from '../../platform/jobs/job-definition.js';

/** Tells an owner who has accepted an invitation since the last such mail. */
export const notifyInvitationAccepted = defineJob<{ ownerId: number }>('zones.tell-invitation-accepted', {
  queue: 'mail',
});

/** Tells somebody which of their invitations could not be delivered since the last such mail. */
export const notifyUndeliverableInvitations = defineJob<{ inviterId: number }>('zones.tell-undelivered', {
  queue: 'mail',
});

/** Gives back the places of invitations that nobody accepted in time. */
export const expireInvitations = defineJob<Record<string, never>>('zones.expire-invitations', {
  queue: 'clock',
  cron: '* * * * *',
});

/** Removes invitations that were used or ran out a while ago. */
export const purgeInvitations = defineJob<Record<string, never>>('zones.purge-invitations', {
  queue: 'maintenance',
  cron: '41 * * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Writes to somebody who is invited, with the link and, for people new to us, a temporary password. */
export const sendInvitation = defineJob<{ invitationId: number }>('zones.send-invitation', { queue: 'mail' });

/** Tells somebody that an owner has brought them into a zone. */
export const notifyMemberAdded = defineJob<{ zoneId: number; userId: number }>('zones.tell-added', { queue: 'mail' });

/** Tells those whom an import has added and could not tell, because its process ended in between. */
export const notifyUnnotifiedMembers = defineJob<{ zoneId: number; userIds: readonly number[] }>(
  'zones.tell-left-over',
  {
    queue: 'mail',
  },
);

/** Tells somebody that their request to join was approved. */
export const notifyJoinRequestApproved = defineJob<{ zoneId: number; userId: number }>('zones.tell-admitted', {
  queue: 'mail',
});

/** Frees the places of memberships that have expired, each minute. */
export const expireMembers = defineJob('zones.expire-members', { queue: 'clock', cron: '* * * * *' });

/** Compares what is counted of zones and their people with the rows, and puts right what differs, each night. */
export const checkCounters = defineJob('zones.check-counters', {
  queue: 'long',
  cron: '20 4 * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Removes declined requests to join that could be repeated by now, each day. */
export const purgeDeclinedRequests = defineJob<Record<string, never>>('zones.purge-declined', {
  queue: 'maintenance',
  cron: '40 3 * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Tells somebody that their request to join was declined. */
export const notifyJoinRequestDeclined = defineJob<{ zoneId: number; userId: number }>('zones.tell-declined', {
  queue: 'mail',
});

/** Tells those who decide in a zone who has asked to join since the last such mail. */
export const notifyJoinRequests = defineJob<{ zoneId: number }>('zones.tell-join-requests', { queue: 'mail' });

/** Tells an owner that visitors who ask to join get their mail on another day. */
export const notifyJoinEmailsDelayed = defineJob<{ ownerId: number }>('zones.tell-joins-wait', { queue: 'mail' });

/** Removes everything of a zone that its owner has deleted. */
export const purgeZone = defineJob<{ zoneId: number }>('zones.purge-zone', { queue: 'default' });

export interface LimitReached {
  ownerId: number;
  metric: 'people' | 'bytes';
}

/** Tells an owner that somebody could not join or upload because a limit of the plan is reached. */
export const notifyPlanLimitReached = defineJob<LimitReached>('zones.tell-zone-full', { queue: 'mail' });

/** Tells an owner that an administrator deleted a zone of theirs; the zone itself may be gone by then. */
export const notifyZoneDeleted = defineJob<{ ownerId: number; zoneName: string }>('zones.tell-zone-removed', {
  queue: 'mail',
});
