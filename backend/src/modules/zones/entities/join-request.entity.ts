import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';
import type { JoinMethod } from './zone-member.entity.js';
import { Zone } from './zone.entity.js';

/** A pending request by a person with a verified address to join a zone without automatic admission. */
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
    /** The text agreed to; null when joining without consent. */
    consentText: p.text().nullable(),
    ipAddress: p.string().length(64).nullable(),
    createdAt: p.datetime(),
    /** True if the people who decide have not been notified yet. */
    isNoticeDue: p.boolean().default(false),
    /** The job that sends the notification; a retry of the job covers the same requests. */
    noticeJobId: p.bigint('number').nullable(),
    /**
     * When the request was declined; for blocked people this is set from the start. The row is kept, so that the person
     * can't ask again immediately.
     */
    declinedAt: p.datetime().nullable(),
    /** Duration of the resulting membership in days; null if unlimited. */
    membershipDays: p.integer().nullable(),
    /**
     * The temporary link that grants those days, once per person. Not a foreign key, because its table belongs to a
     * later module.
     */
    linkId: p.bigint('number').nullable(),
  },
});
export class JoinRequest extends JoinRequestSchema.class {}
JoinRequestSchema.setClass(JoinRequest);
