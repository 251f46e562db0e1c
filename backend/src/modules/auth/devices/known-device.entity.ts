import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { User } from '../entities/user.entity.js';

/** A browser in which a user has signed in. `digest` is the SHA-256 of the id in its cookie. */
export const KnownDeviceSchema = defineEntity({
  name: 'KnownDevice',
  tableName: 'known_devices',
  uniques: [{ name: 'known_devices_user_id_digest_unique', properties: ['userId', 'digest'] }],
  indexes: [{ name: 'known_devices_last_seen_at_index', properties: ['lastSeenAt'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    userId: () => belongsTo(User, 'known_devices', 'user_id'),
    digest: p.string().length(64),
    network: p.string().length(64).nullable(),
    userAgent: p.string().length(500).nullable(),
    firstSeenAt: p.datetime(),
    lastSeenAt: p.datetime(),
  },
});
export class KnownDevice extends KnownDeviceSchema.class {}
KnownDeviceSchema.setClass(KnownDevice);
