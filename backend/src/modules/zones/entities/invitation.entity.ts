import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo, refersTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from './zone.entity.js';

/**
 * A single-use invitation to a zone by email. It is open if it is neither used nor expired; it then counts in the
 * owner's audience (`isCounted`). Revoked invitations are deleted. Secrets are stored as digests, written by the job
 * that sends the email.
 */
export const InvitationSchema = defineEntity({
  name: 'Invitation',
  tableName: 'invitations',
  uniques: [{ name: 'invitations_zone_id_email_unique', properties: ['zoneId', 'email'] }],
  indexes: [
    { name: 'invitations_zone_id_id_index', properties: ['zoneId', 'id'] },
    { name: 'invitations_email_index', properties: ['email'] },
    { name: 'invitations_invited_by_id_index', properties: ['invitedById'] },
    { name: 'invitations_expires_at_index', properties: ['expiresAt'] },
    {
      name: 'invitations_zone_id_notice_index',
      expression: 'create index "invitations_zone_id_notice_index" on "invitations" ("zone_id") where is_notice_due',
    },
    { name: 'invitations_notice_job_id_index', properties: ['noticeJobId'] },
  ],
  checks: [
    { name: 'invitations_used_check', expression: 'not (used and is_counted)' },
    { name: 'invitations_undeliverable_check', expression: 'undeliverable_at is null or not is_counted' },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    zoneId: () => belongsTo(Zone, 'invitations', 'zone_id'),
    email: p.string().length(255),
    /** As entered by the inviter; used as initial names of a new account. */
    firstName: p.string().length(50).nullable(),
    lastName: p.string().length(50).nullable(),
    invitedById: () => refersTo(User, 'invitations', 'invited_by_id'),
    /** Digest of the token in the emailed link; null until the email is sent. */
    digest: p.string().length(64).nullable().unique('invitations_digest_unique'),
    /** Digest of the temporary password in the email; null for people who have a permanent way to sign in. */
    passwordDigest: p.string().length(64).nullable(),
    used: p.boolean().default(false),
    isCounted: p.boolean().default(true),
    expiresAt: p.datetime(),
    createdAt: p.datetime(),
    /** When the mail server accepted the email; null until then. */
    sentAt: p.datetime().nullable(),
    /** When the email was created without a configured mail server, so that it was not sent; null once it is sent. */
    keptAt: p.datetime().nullable(),
    /** When the mail server permanently rejected the email; reset to null when it is sent again. */
    undeliverableAt: p.datetime().nullable(),
    usedAt: p.datetime().nullable(),
    /**
     * True if it was accepted and the owner has not been notified, or if it bounced and the inviter has not been
     * notified.
     */
    isNoticeDue: p.boolean().default(false),
    /** The job that sends the notification; a retry of the job covers the same invitations. */
    noticeJobId: p.bigint('number').nullable(),
  },
});
export class Invitation extends InvitationSchema.class {}
InvitationSchema.setClass(Invitation);
