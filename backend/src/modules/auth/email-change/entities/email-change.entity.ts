import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../../platform/database/foreign-key.js';
import { User } from '../../entities/user.entity.js';

/** A completed change of address. */
export const EmailChangeSchema = defineEntity({
  name: 'EmailChange',
  tableName: 'email_changes',
  indexes: [
    { name: 'email_changes_user_id_id_index', properties: ['userId', 'id'] },
    { name: 'email_changes_changed_at_index', properties: ['changedAt'] },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    userId: () => belongsTo(User, 'email_changes', 'user_id'),
    oldEmail: p.string().length(255),
    newEmail: p.string().length(255),
    /** Made by an administrator. The old address can't undo it, because that address may be what was lost. */
    byAdmin: p.boolean().default(false),
    changedAt: p.datetime(),
    undoneAt: p.datetime().nullable(),
  },
});
export class EmailChange extends EmailChangeSchema.class {}
EmailChangeSchema.setClass(EmailChange);
