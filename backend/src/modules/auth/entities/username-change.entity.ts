import { defineEntity, p } from '@mikro-orm/core';
import { User } from './user.entity.js';

/** A change of a user name, kept for as long as it counts against the limit. The first setting is none. */
export const UsernameChangeSchema = defineEntity({
  name: 'UsernameChange',
  tableName: 'username_changes',
  indexes: [
    { name: 'username_changes_user_id_index', properties: ['userId', 'changedAt'] },
    { name: 'username_changes_changed_at_index', properties: ['changedAt'] },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    userId: () =>
      p
        .manyToOne(User)
        .mapToPk()
        .fieldName('user_id')
        .deleteRule('cascade')
        .foreignKeyName('username_changes_user_id_foreign'),
    changedAt: p.datetime(),
  },
});
export class UsernameChange extends UsernameChangeSchema.class {}
UsernameChangeSchema.setClass(UsernameChange);
