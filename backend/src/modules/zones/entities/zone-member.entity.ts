import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo, refersTo } from '../../../platform/database/foreign-key.js';
import { normaliseForComparison, normaliseForSearch } from '../../../platform/text/normalise-for-search.js';
import { fullName, type PersonName, User } from '../../auth/entities/user.entity.js';
import { Zone } from './zone.entity.js';

export type ZoneRole = 'owner' | 'admin' | 'member';
export type JoinMethod = 'owner' | 'public_link' | 'temporary_link' | 'invite' | 'import' | 'purchase';

/**
 * A membership, including the owner's. The email address and sort keys are copied, so that member lists need no join.
 */
export const ZoneMemberSchema = defineEntity({
  name: 'ZoneMember',
  tableName: 'zone_members',
  uniques: [{ name: 'zone_members_zone_id_user_id_unique', properties: ['zoneId', 'userId'] }],
  indexes: [
    { name: 'zone_members_user_id_index', properties: ['userId'] },
    { name: 'zone_members_invited_by_id_index', properties: ['invitedById'] },
    { name: 'zone_members_zone_id_email_id_index', properties: ['zoneId', 'email', 'id'] },
    { name: 'zone_members_zone_id_name_key_id_index', properties: ['zoneId', 'nameKey', 'id'] },
    { name: 'zone_members_zone_id_created_at_id_index', properties: ['zoneId', 'createdAt', 'id'] },
    { name: 'zone_members_expires_at_index', properties: ['expiresAt'] },
    {
      name: 'zone_members_search_key_trigram_index',
      expression:
        'create index "zone_members_search_key_trigram_index" on "zone_members" using gin ("search_key" gin_trgm_ops)',
    },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    zoneId: () => belongsTo(Zone, 'zone_members', 'zone_id'),
    userId: () => belongsTo(User, 'zone_members', 'user_id'),
    role: p.string().$type<ZoneRole>().length(10).default('member'),
    invitedById: () => refersTo(User, 'zone_members', 'invited_by_id'),
    joinMethod: p.string().$type<JoinMethod>().length(20).default('invite'),
    expiresAt: p.datetime().nullable(),
    isFavorite: p.boolean().default(false),
    /** False once an expired membership has been removed from the counters. */
    isCounted: p.boolean().default(true),
    email: p.string().length(255),
    nameKey: p.string().length(255).collation('tr_numeric').default(''),
    searchKey: p.text().default(''),
    createdAt: p.datetime(),
    /** When the member last visited the zone. Private to the member; later content is marked as new. */
    visitedAt: p.datetime().nullable(),
    /** When the person removed the zone from their list. It counts only if the membership had already expired. */
    dismissedAt: p.datetime().nullable(),
  },
});
export class ZoneMember extends ZoneMemberSchema.class {}
ZoneMemberSchema.setClass(ZoneMember);

/** Returns the columns by which memberships are sorted and searched. */
export function memberSortKeys(person: PersonName & { readonly email: string; readonly username?: string | null }) {
  const name = fullName(person).trim();
  return {
    name_key: normaliseForComparison(name).slice(0, 255),
    search_key: normaliseForSearch(`${name} ${person.username ?? ''} ${person.email}`.trim()),
  };
}
