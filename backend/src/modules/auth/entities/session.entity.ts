import { defineEntity, p } from '@mikro-orm/core';
import { User } from './user.entity.js';

/** A sign-in on one device. `sid` is the SHA-256 digest of the id in the cookie. */
export const SessionSchema = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  indexes: [
    { name: 'sessions_user_id_index', properties: ['userId'] },
    { name: 'sessions_expire_index', properties: ['expire'] },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    sid: p.string().length(64).unique('sessions_sid_unique'),
    userId: () =>
      p.manyToOne(User).mapToPk().fieldName('user_id').deleteRule('cascade').foreignKeyName('sessions_user_id_foreign'),
    restricted: p.boolean().default(false),
    ipAddress: p.string().length(64).nullable(),
    userAgent: p.string().length(500).nullable(),
    createdAt: p.datetime(),
    lastSeenAt: p.datetime(),
    expire: p.datetime(),
  },
});
export class Session extends SessionSchema.class {}
SessionSchema.setClass(Session);
