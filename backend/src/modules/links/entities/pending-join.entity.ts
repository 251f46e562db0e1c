import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo, refersTo } from '../../../platform/database/foreign-key.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { Zone } from '../../zones/entities/zone.entity.js';
import { LinkUsage } from './link-usage.entity.js';
import { TemporaryLink } from './temporary-link.entity.js';

/** A request to join by a link that still requires email verification. */
export const PendingJoinSchema = defineEntity({
  name: 'PendingJoin',
  tableName: 'pending_joins',
  indexes: [
    { name: 'pending_joins_zone_id_index', properties: ['zoneId'] },
    { name: 'pending_joins_expires_at_index', properties: ['expiresAt'] },
    { name: 'pending_joins_link_id_index', properties: ['linkId'] },
    { name: 'pending_joins_usage_id_index', properties: ['usageId'] },
    {
      name: 'pending_joins_held_index',
      expression: 'create index "pending_joins_held_index" on "pending_joins" ("id") where is_mail_held',
    },
    { name: 'pending_joins_email_id_index', properties: ['email', 'id'] },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** Digest of the `join` parameter of the emailed link; null until the email is sent. */
    digest: p.string().length(64).nullable().unique('pending_joins_digest_unique'),
    /** Digest of the token kept in the window that made the request; only that window accepts the emailed code. */
    handleDigest: p.string().columnType('char(64)').nullable().unique('pending_joins_handle_digest_unique'),
    email: p.string().length(255),
    zoneId: () => belongsTo(Zone, 'pending_joins', 'zone_id'),
    /** The temporary link used, as long as it exists. */
    linkId: () => refersTo(TemporaryLink, 'pending_joins', 'link_id'),
    /** The public link used; once it is replaced, it admits no one. */
    publicLink: p.string().length(64).nullable(),
    /** The recorded attempt. */
    usageId: () => refersTo(LinkUsage, 'pending_joins', 'usage_id'),
    /** The text agreed to; null when joining without consent. */
    consentText: p.text().nullable(),
    ipAddress: p.string().length(64).nullable(),
    language: p.string().$type<Language>().length(5),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    completedAt: p.datetime().nullable(),
    /** True while its email waits for a day on which the owner's plan has quota for it. */
    isMailHeld: p.boolean().default(false),
  },
});
export class PendingJoin extends PendingJoinSchema.class {}
PendingJoinSchema.setClass(PendingJoin);
