import { defineEntity, p } from '@mikro-orm/core';
import type { SecurityEventKind } from './security-event-kinds.js';

/**
 * Events of one kind on one day (UTC), for one user, from one network: a single row with a count, so that an attack of
 * ten thousand attempts needs one row. No foreign key, because recording a failed sign-in must not wait for a lock on
 * the user's row.
 */
export const SecurityEventSchema = defineEntity({
  name: 'SecurityEvent',
  tableName: 'security_events',
  uniques: [{ name: 'security_events_series_unique', properties: ['kind', 'day', 'userId', 'network', 'detail'] }],
  indexes: [
    { name: 'security_events_last_at_index', properties: ['lastAt', 'id'] },
    { name: 'security_events_user_id_index', properties: ['userId', 'lastAt'] },
    { name: 'security_events_network_index', properties: ['network', 'lastAt'] },
    { name: 'security_events_day_index', properties: ['day'] },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    kind: p.string().$type<SecurityEventKind>().length(20),
    day: p.date(),
    /** The affected user; 0 for none or unknown. */
    userId: p.bigint('number'),
    /** The IPv4 address or IPv6 network; empty when unknown or when the day has too many series. */
    network: p.string().length(64),
    detail: p.string().length(40),
    count: p.integer().default(1),
    firstAt: p.datetime(),
    lastAt: p.datetime(),
  },
});
export class SecurityEvent extends SecurityEventSchema.class {}
SecurityEventSchema.setClass(SecurityEvent);
