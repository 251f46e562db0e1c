import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo, refersTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from '../../zones/entities/zone.entity.js';

/** A link to a private zone that ends at a certain time, after a number of uses, or when its owner ends it. */
export const TemporaryLinkSchema = defineEntity({
  name: 'TemporaryLink',
  tableName: 'temporary_links',
  indexes: [
    { name: 'temporary_links_zone_id_id_index', properties: ['zoneId', 'id'] },
    { name: 'temporary_links_created_by_id_index', properties: ['createdById'] },
    { name: 'temporary_links_unmarked_index', properties: ['expiresAt'], where: 'expired_at is null' },
  ],
  checks: [
    {
      name: 'temporary_links_uses_check',
      expression: 'current_uses >= 0 and (max_uses is null or (max_uses >= 1 and current_uses <= max_uses))',
    },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    zoneId: () => belongsTo(Zone, 'temporary_links', 'zone_id'),
    name: p.string().length(255),
    /** Stored in plain text, because owners copy it repeatedly. */
    token: p.string().length(64).unique('temporary_links_token_unique'),
    expiresAt: p.datetime(),
    /** Null means unlimited. */
    maxUses: p.integer().nullable(),
    /** Memberships created through the link; only changed by conditional updates. */
    currentUses: p.integer().default(0),
    /** False while paused. */
    isActive: p.boolean().default(true),
    /** Argon2id digest of the password that visitors must enter, if any. */
    password: p.string().length(255).nullable(),
    /** When wrong passwords were last above the limit of the link; null if never since the password was set. */
    passwordAttackedAt: p.datetime().nullable(),
    /** Duration of memberships created by this link, in days; null if unlimited. */
    membershipDays: p.integer().nullable(),
    /** When a job recorded the expiry; the link is rejected from `expiresAt` on regardless. */
    expiredAt: p.datetime().nullable(),
    createdById: () => refersTo(User, 'temporary_links', 'created_by_id'),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export class TemporaryLink extends TemporaryLinkSchema.class {}
TemporaryLinkSchema.setClass(TemporaryLink);
