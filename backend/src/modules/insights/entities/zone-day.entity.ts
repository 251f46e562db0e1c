import { defineEntity, p } from '@mikro-orm/core';
import { Zone } from '../../zones/entities/zone.entity.js';

/**
 * What happened in a zone on a day (UTC). Only days on which something changed have a row: `bytes`, what the zone held
 * at the end of the day, stays as it was on the days between.
 */
export const ZoneDaySchema = defineEntity({
  name: 'ZoneDay',
  tableName: 'zone_day',
  indexes: [
    { name: 'zone_day_day_index', properties: ['day'] },
    {
      /** A zone's rows lie far apart; what is added up over years is read from the index alone. */
      name: 'zone_day_figures_index',
      expression: `create index "zone_day_figures_index" on "zone_day" ("zone_id", "day") include ("views", "downloads", "joins", "leaves")`,
    },
    {
      /** What a zone held last, without going through all its days. */
      name: 'zone_day_bytes_index',
      expression: `create index "zone_day_bytes_index" on "zone_day" ("zone_id", "day") include ("bytes") where bytes is not null`,
    },
  ],
  properties: {
    zoneId: () =>
      p
        .manyToOne(Zone)
        .mapToPk()
        .primary()
        .fieldName('zone_id')
        .updateRule('no action')
        .deleteRule('cascade')
        .foreignKeyName('zone_day_zone_id_foreign'),
    day: p.date().primary(),
    views: p.integer().default(0),
    downloads: p.integer().default(0),
    joins: p.integer().default(0),
    /** Left, were removed, or their time was over. */
    leaves: p.integer().default(0),
    /** Null when it did not change that day, or was not known. */
    bytes: p.bigint('number').nullable(),
  },
});
export class ZoneDay extends ZoneDaySchema.class {}
ZoneDaySchema.setClass(ZoneDay);
