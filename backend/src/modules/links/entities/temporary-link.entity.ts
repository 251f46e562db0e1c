import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo, refersTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from '../../zones/entities/zone.entity.js';

/** A way into a private zone that ends: at a time, after a number of uses, or when its owner says so. */
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
    /** Kept as it is, because owners copy it again. */
    token: p.string().length(64).unique('temporary_links_token_unique'),
    expiresAt: p.datetime(),
    /** Null: any number. */
    maxUses: p.integer().nullable(),
    /** Memberships that came of it; written by conditional update only. */
    currentUses: p.integer().default(0),
    /** False while paused. */
    isActive: p.boolean().default(true),
    /** Digest (argon2id) of the word that visitors must know, if any. */
    password: p.string().length(255).nullable(),
    /** How long a membership by this link lasts; null for good. */
    membershipDays: p.integer().nullable(),
    /** When the clock noted the end; the link refuses from `expiresAt` on without it. */
    expiredAt: p.datetime().nullable(),
    createdById: () => refersTo(User, 'temporary_links', 'created_by_id'),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export class TemporaryLink extends TemporaryLinkSchema.class {}
TemporaryLinkSchema.setClass(TemporaryLink);
