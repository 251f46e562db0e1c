import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';
import type { JoinMethod } from './zone-member.entity.js';
import { Zone } from './zone.entity.js';

/** Somebody with a verified address who waits to be let into a zone that does not admit by itself. */
export const JoinRequestSchema = defineEntity({
  name: 'JoinRequest',
  tableName: 'join_requests',
  uniques: [{ name: 'join_requests_zone_id_user_id_unique', properties: ['zoneId', 'userId'] }],
  indexes: [{ name: 'join_requests_user_id_index', properties: ['userId'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    zoneId: () =>
      p
        .manyToOne(Zone)
        .mapToPk()
        .fieldName('zone_id')
        .deleteRule('cascade')
        .foreignKeyName('join_requests_zone_id_foreign'),
    userId: () =>
      p
        .manyToOne(User)
        .mapToPk()
        .fieldName('user_id')
        .deleteRule('cascade')
        .foreignKeyName('join_requests_user_id_foreign'),
    method: p.string().$type<JoinMethod>().length(20),
    /** The words agreed to, or null for joining without consent. */
    consentText: p.text().nullable(),
    ipAddress: p.string().length(64).nullable(),
    createdAt: p.datetime(),
  },
});
export class JoinRequest extends JoinRequestSchema.class {}
JoinRequestSchema.setClass(JoinRequest);
