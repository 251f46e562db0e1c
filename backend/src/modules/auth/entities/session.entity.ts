import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
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
    userId: () => belongsTo(User, 'sessions', 'user_id'),
    restricted: p.boolean().default(false),
    ipAddress: p.string().length(64).nullable(),
    userAgent: p.string().length(500).nullable(),
    /** When the user last authenticated with a secret of their own; null if an emailed link opened the session. */
    confirmedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    lastSeenAt: p.datetime(),
    expire: p.datetime(),
  },
});
export class Session extends SessionSchema.class {}
SessionSchema.setClass(Session);
