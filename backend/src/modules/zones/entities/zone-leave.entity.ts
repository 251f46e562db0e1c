import { defineEntity, p } from '@mikro-orm/core';
import { refersTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';
import type { JoinMethod, ZoneRole } from './zone-member.entity.js';
import type { ZoneType } from './zone.entity.js';

/** In the app, by the link or button of an email, by a spam complaint, or removed by the owner. */
export type LeaveMethod = 'app' | 'link' | 'complaint' | 'removed';

/**
 * A person who left a zone, with the former membership, so that leaving can be undone. If the person's account is
 * deleted, the row stays without them, to preserve the zone's statistics.
 */
export const ZoneLeaveSchema = defineEntity({
  name: 'ZoneLeave',
  tableName: 'zone_leaves',
  indexes: [
    { name: 'zone_leaves_zone_id_user_id_left_at_index', properties: ['zoneId', 'userId', 'leftAt'] },
    { name: 'zone_leaves_zone_id_left_at_id_index', properties: ['zoneId', 'leftAt', 'id'] },
    { name: 'zone_leaves_user_id_index', properties: ['userId'] },
    { name: 'zone_leaves_invited_by_id_index', properties: ['invitedById'] },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    userId: () => refersTo(User, 'zone_leaves', 'user_id'),
    /** May reference a deleted zone, because these rows outlive it (see `DeletedZone`). */
    zoneId: p.bigint('number'),
    /** The zone's type at the time of leaving. */
    zoneType: p.string().$type<ZoneType>().length(10),
    via: p.string().$type<LeaveMethod>().length(10),
    reason: p.text().nullable(),
    role: p.string().$type<ZoneRole>().length(10),
    joinMethod: p.string().$type<JoinMethod>().length(20),
    invitedById: () => refersTo(User, 'zone_leaves', 'invited_by_id'),
    expiresAt: p.datetime().nullable(),
    joinedAt: p.datetime(),
    leftAt: p.datetime(),
    /** When leaving was undone. */
    undoneAt: p.datetime().nullable(),
  },
});
export class ZoneLeave extends ZoneLeaveSchema.class {}
ZoneLeaveSchema.setClass(ZoneLeave);
