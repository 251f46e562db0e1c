import { defineEntity, p } from '@mikro-orm/core';

/** The whole installation on a day (UTC): what happened, and what there was at its end (null when not known). */
export const PlatformDaySchema = defineEntity({
  name: 'PlatformDay',
  tableName: 'platform_day',
  properties: {
    day: p.date().primary(),
    newUsers: p.integer().default(0),
    /** Mails of campaigns that a mail server took. */
    mails: p.integer().default(0),
    views: p.integer().default(0),
    downloads: p.integer().default(0),
    joins: p.integer().default(0),
    leaves: p.integer().default(0),
    users: p.integer().nullable(),
    zones: p.integer().nullable(),
    publicZones: p.integer().nullable(),
    files: p.integer().nullable(),
    bytes: p.bigint('number').nullable(),
    campaigns: p.integer().nullable(),
    updatedAt: p.datetime(),
  },
});
export class PlatformDay extends PlatformDaySchema.class {}
PlatformDaySchema.setClass(PlatformDay);
