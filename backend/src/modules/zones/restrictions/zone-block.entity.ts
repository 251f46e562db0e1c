import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from '../entities/zone.entity.js';

/**
 * A person whose requests to join a zone are shown to no one. The row is deleted when the person joins the zone in
 * another way.
 */
export const ZoneBlockSchema = defineEntity({
  name: 'ZoneBlock',
  tableName: 'zone_blocks',
  indexes: [{ name: 'zone_blocks_user_id_index', properties: ['userId'] }],
  properties: {
    zoneId: () => belongsTo(Zone, 'zone_blocks', 'zone_id').primary(),
    userId: () => belongsTo(User, 'zone_blocks', 'user_id').primary(),
    blockedAt: p.datetime(),
  },
});
export class ZoneBlock extends ZoneBlockSchema.class {}
ZoneBlockSchema.setClass(ZoneBlock);

/**
 * A person whom the owner removed from a zone. Until the person is admitted again, links only lead to a join request.
 */
export const MemberRemovalSchema = defineEntity({
  name: 'MemberRemoval',
  tableName: 'member_removals',
  indexes: [{ name: 'member_removals_user_id_index', properties: ['userId'] }],
  properties: {
    zoneId: () => belongsTo(Zone, 'member_removals', 'zone_id').primary(),
    userId: () => belongsTo(User, 'member_removals', 'user_id').primary(),
    removedAt: p.datetime(),
  },
});
export class MemberRemoval extends MemberRemovalSchema.class {}
MemberRemovalSchema.setClass(MemberRemoval);
