import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from '../entities/zone.entity.js';

/** Somebody whose requests to join a zone nobody is shown. The row goes when they come into the zone in another way. */
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

/** Somebody whom the owner took out of a zone: a link brings them no further than a request until they are let in again. */
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
