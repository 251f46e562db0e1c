import { defineEntity, p } from '@mikro-orm/core';
import type { SecurityEventKind } from './security-event-kinds.js';

/**
 * What happened of a kind on a day (UTC), to one person, from one network: a row for the whole series, with its count, so
 * that an attack of ten thousand tries is a row and not ten thousand. No foreign key: a failed sign-in must not wait for
 * somebody who has the person's row locked.
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
    /** The person whom it concerned; 0 for nobody that is known here. */
    userId: p.bigint('number'),
    /** The address, or of IPv6 the network; empty when it is not known, or where a day has too many series. */
    network: p.string().length(64),
    detail: p.string().length(40),
    count: p.integer().default(1),
    firstAt: p.datetime(),
    lastAt: p.datetime(),
  },
});
export class SecurityEvent extends SecurityEventSchema.class {}
SecurityEventSchema.setClass(SecurityEvent);
