import { defineJob, LONG_STATEMENT_LIMIT } from '../../platform/jobs/job-definition.js';

/** Notifies an owner about invitations accepted since the last such email. */
export const notifyInvitationAccepted = defineJob<{ ownerId: number }>('zones.notify-invitation-accepted', {
  queue: 'mail',
});

/** Notifies an inviter about invitations that could not be delivered since the last such email. */
export const notifyUndeliverableInvitations = defineJob<{ inviterId: number }>(
  'zones.notify-undeliverable-invitations',
  {
    queue: 'mail',
  },
);

/** Releases the quota of expired invitations. */
export const expireInvitations = defineJob<Record<string, never>>('zones.expire-invitations', {
  queue: 'clock',
  cron: '* * * * *',
});

/** Deletes invitations that were used or expired some time ago. */
export const purgeInvitations = defineJob<Record<string, never>>('zones.purge-invitations', {
  queue: 'maintenance',
  cron: '41 * * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Sends an invitation with its link and, for new people, a temporary password. */
export const sendInvitation = defineJob<{ invitationId: number }>('zones.send-invitation', { queue: 'mail' });

/** Notifies a person whom an owner added to a zone. */
export const notifyMemberAdded = defineJob<{ zoneId: number; userId: number }>('zones.notify-member-added', {
  queue: 'mail',
});

/** Notifies people added by an import that ended before it could notify them, because its process died. */
export const notifyUnnotifiedMembers = defineJob<{ zoneId: number; userIds: readonly number[] }>(
  'zones.notify-unnotified-members',
  {
    queue: 'mail',
  },
);

export const notifyJoinRequestApproved = defineJob<{ zoneId: number; userId: number }>(
  'zones.notify-join-request-approved',
  {
    queue: 'mail',
  },
);

/** Releases the quota of expired memberships, every minute. */
export const expireMembers = defineJob('zones.expire-members', { queue: 'clock', cron: '* * * * *' });

/** Compares the counters of zones and audiences with the actual rows and corrects differences, every night. */
export const checkCounters = defineJob('zones.check-counters', {
  queue: 'long',
  cron: '20 4 * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Deletes declined join requests that may be repeated, daily. */
export const purgeDeclinedRequests = defineJob<Record<string, never>>('zones.purge-declined-requests', {
  queue: 'maintenance',
  cron: '40 3 * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

export const notifyJoinRequestDeclined = defineJob<{ zoneId: number; userId: number }>(
  'zones.notify-join-request-declined',
  {
    queue: 'mail',
  },
);

/** Notifies the approvers of a zone about join requests since the last such email. */
export const notifyJoinRequests = defineJob<{ zoneId: number }>('zones.notify-join-requests', { queue: 'mail' });

/** Notifies an owner that join emails of visitors are delayed to another day. */
export const notifyJoinEmailsDelayed = defineJob<{ ownerId: number }>('zones.notify-join-emails-delayed', {
  queue: 'mail',
});

/** Deletes everything of a deleted zone. */
export const purgeZone = defineJob<{ zoneId: number }>('zones.purge-zone', { queue: 'default' });

export interface LimitReached {
  ownerId: number;
  metric: 'people' | 'bytes';
}

/** Notifies an owner that a person could not join, or that an upload failed, because a plan limit is reached. */
export const notifyPlanLimitReached = defineJob<LimitReached>('zones.notify-plan-limit-reached', { queue: 'mail' });

/** Notifies an owner that an administrator deleted one of their zones; the zone itself may be gone by then. */
export const notifyZoneDeleted = defineJob<{ ownerId: number; zoneName: string }>('zones.notify-zone-deleted', {
  queue: 'mail',
});
