import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';
import type { JoinMethod } from './zone-member.entity.js';
import { Zone } from './zone.entity.js';

/** Somebody with a verified address who waits to be let into a zone that does not admit by itself. */
export const JoinRequestSchema = defineEntity({
  name: 'JoinRequest',
  tableName: 'join_requests',
  uniques: [{ name: 'join_requests_zone_id_user_id_unique', properties: ['zoneId', 'userId'] }],
  indexes: [
    { name: 'join_requests_user_id_index', properties: ['userId'] },
    {
      name: 'join_requests_notice_index',
      expression: 'create index "join_requests_notice_index" on "join_requests" ("zone_id") where is_notice_due',
    },
    { name: 'join_requests_notice_job_id_index', properties: ['noticeJobId'] },
    { name: 'join_requests_declined_at_index', properties: ['declinedAt'], where: 'declined_at is not null' },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    zoneId: () => belongsTo(Zone, 'join_requests', 'zone_id'),
    userId: () => belongsTo(User, 'join_requests', 'user_id'),
    method: p.string().$type<JoinMethod>().length(20),
    /** The words agreed to, or null for joining without consent. */
    consentText: p.text().nullable(),
    ipAddress: p.string().length(64).nullable(),
    createdAt: p.datetime(),
    /** Made, and those who decide have not been told. */
    isNoticeDue: p.boolean().default(false),
    /** The job that tells them: a second try of it tells of the same ones. */
    noticeJobId: p.bigint('number').nullable(),
    /** When it was turned away, for who is blocked from the start; the row stays, so that it is not asked again at once. */
    declinedAt: p.datetime().nullable(),
    /** How long a membership lasts that the request leads to; null for good. */
    membershipDays: p.integer().nullable(),
    /** The link that gives those days, once a person; its rows belong to a later module, and so no foreign key. */
    linkId: p.bigint('number').nullable(),
  },
});
export class JoinRequest extends JoinRequestSchema.class {}
JoinRequestSchema.setClass(JoinRequest);
