import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo, refersTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from './zone.entity.js';

/**
 * An e-mailed way into a zone, for one address and one use. Open: neither used nor expired; it then holds a place in the
 * owner's audience (`isCountedSql`). A revoked one is deleted. Secrets are kept as digests, which the mail's job writes.
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
    /** As whoever invited wrote them; a person new to us starts with them. */
    firstName: p.string().length(50).nullable(),
    lastName: p.string().length(50).nullable(),
    invitedById: () => refersTo(User, 'invitations', 'invited_by_id'),
    /** Of the token in the mailed link; null until the mail goes out. */
    digest: p.string().length(64).nullable().unique('invitations_digest_unique'),
    /** Of the temporary password in the mail; null for people who have one of their own. */
    passwordDigest: p.string().length(64).nullable(),
    used: p.boolean().default(false),
    isCounted: p.boolean().default(true),
    expiresAt: p.datetime(),
    createdAt: p.datetime(),
    /** When the mail server took the mail; null until then. */
    sentAt: p.datetime().nullable(),
    /** When the mail was made while no mail server was set, so that it went to nobody; null once it is sent. */
    keptAt: p.datetime().nullable(),
    /** When the mail server refused the mail for good; null again once it is sent anew. */
    undeliverableAt: p.datetime().nullable(),
    usedAt: p.datetime().nullable(),
    /** Accepted and the owner has not been told, or came back and whoever invited has not been told. */
    isNoticeDue: p.boolean().default(false),
    /** The job that tells: a second try of it tells of the same ones. */
    noticeJobId: p.bigint('number').nullable(),
  },
});
export class Invitation extends InvitationSchema.class {}
InvitationSchema.setClass(Invitation);
