import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo, refersTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from '../../zones/entities/zone.entity.js';
import { TemporaryLink } from './temporary-link.entity.js';

/** An attempt to join by a link, and its outcome. */
export const LinkUsageSchema = defineEntity({
  name: 'LinkUsage',
  tableName: 'link_usages',
  indexes: [
    { name: 'link_usages_zone_id_attempted_at_index', properties: ['zoneId', 'attemptedAt'] },
    { name: 'link_usages_link_id_attempted_at_index', properties: ['linkId', 'attemptedAt'] },
    {
      name: 'link_usages_figures_index',
      properties: ['zoneId', 'linkId', 'country', 'joinedAt', 'wasNewUser'],
    },
    {
      name: 'link_usages_joined_at_index',
      properties: ['zoneId', 'linkId', 'joinedAt'],
      where: 'joined_at is not null',
    },
    { name: 'link_usages_user_id_index', properties: ['userId'] },
    { name: 'link_usages_attempted_at_index', properties: ['attemptedAt', 'id'] },
    { name: 'link_usages_traced_index', properties: ['attemptedAt'], where: 'ip_address is not null' },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    zoneId: () => belongsTo(Zone, 'link_usages', 'zone_id'),
    /** Null for the public link. */
    linkId: () => belongsTo(TemporaryLink, 'link_usages', 'link_id').nullable(),
    /** The person who joined; null if no one did. */
    userId: () => refersTo(User, 'link_usages', 'user_id'),
    /** `asked`, `joined`, `waiting`, or the error code of the rejection. */
    outcome: p.string().length(30),
    /** Kept for 90 days, like the user agent. */
    ipAddress: p.string().length(64).nullable(),
    userAgent: p.string().length(300).nullable(),
    /** Two-letter code (ISO 3166); null if unknown. */
    country: p.string().length(2).nullable(),
    city: p.string().length(100).nullable(),
    /** True if the person had no account of their own before. */
    wasNewUser: p.boolean().default(false),
    attemptedAt: p.datetime(),
    joinedAt: p.datetime().nullable(),
  },
});
export class LinkUsage extends LinkUsageSchema.class {}
LinkUsageSchema.setClass(LinkUsage);
