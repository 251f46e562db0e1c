import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';

/**
 * A person who does not want emails of a zone, regardless of recorded consents and membership. The row is deleted when
 * the person consents again. While it exists, no import can add the person.
 */
export const EmailUnsubscribeSchema = defineEntity({
  name: 'EmailUnsubscribe',
  tableName: 'email_unsubscribes',
  uniques: [{ name: 'email_unsubscribes_zone_id_user_id_unique', properties: ['zoneId', 'userId'] }],
  indexes: [{ name: 'email_unsubscribes_user_id_index', properties: ['userId'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** May reference a deleted zone, because these rows outlive it (see `DeletedZone`). */
    zoneId: p.bigint('number'),
    userId: () => belongsTo(User, 'email_unsubscribes', 'user_id'),
    unsubscribedAt: p.datetime(),
    reason: p.text().nullable(),
  },
});
export class EmailUnsubscribe extends EmailUnsubscribeSchema.class {}
EmailUnsubscribeSchema.setClass(EmailUnsubscribe);
