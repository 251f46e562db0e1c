import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';

/**
 * A person who wants no mails of a zone, whatever consent is noted elsewhere and whether they are in it or not. The row
 * goes when the person agrees anew. No import brings them back while it is there.
 */
export const EmailUnsubscribeSchema = defineEntity({
  name: 'EmailUnsubscribe',
  tableName: 'email_unsubscribes',
  uniques: [{ name: 'email_unsubscribes_zone_id_user_id_unique', properties: ['zoneId', 'userId'] }],
  indexes: [{ name: 'email_unsubscribes_user_id_index', properties: ['userId'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** Of a zone, or of one that is gone: these rows outlive it (see `DeletedZone`). */
    zoneId: p.bigint('number'),
    userId: () => belongsTo(User, 'email_unsubscribes', 'user_id'),
    unsubscribedAt: p.datetime(),
    reason: p.text().nullable(),
  },
});
export class EmailUnsubscribe extends EmailUnsubscribeSchema.class {}
EmailUnsubscribeSchema.setClass(EmailUnsubscribe);
