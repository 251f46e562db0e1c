import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from '../../zones/entities/zone.entity.js';

/** Counters of a zone, of all zones of an owner (including deleted ones), or of the whole installation. */
const activityCounters = {
  views: p.integer().default(0),
  downloads: p.integer().default(0),
  joins: p.integer().default(0),
  /** Members who left, were removed, or whose membership expired. */
  leaves: p.integer().default(0),
};
/** Counters of the whole installation; `mails` are campaign emails accepted by a mail server. */
const platformCounters = { newUsers: p.integer().default(0), mails: p.integer().default(0), ...activityCounters };

const zoneId = () =>
  p.manyToOne(Zone).mapToPk().primary().fieldName('zone_id').updateRule('no action').deleteRule('cascade');
const ownerId = () =>
  p.manyToOne(User).mapToPk().primary().fieldName('owner_id').updateRule('no action').deleteRule('cascade');

/*
 * Tables by day (UTC) have rows only for days with activity.
 *
 * Tables by quarter of an hour also store gauges as of its end (null: unchanged or unknown). In every time zone, days
 * start at such a quarter, so days can be computed for any time zone.
 */

export const ZoneDaySchema = defineEntity({
  name: 'ZoneDay',
  tableName: 'zone_day',
  indexes: [
    { name: 'zone_day_day_index', properties: ['day'] },
    {
      /** A zone's rows are scattered; sums over years are read from the index alone. */
      name: 'zone_day_figures_index',
      expression: `create index "zone_day_figures_index" on "zone_day" ("zone_id", "day") include ("views", "downloads", "joins", "leaves")`,
    },
  ],
  properties: { zoneId, day: p.date().primary(), ...activityCounters },
});
export class ZoneDay extends ZoneDaySchema.class {}
ZoneDaySchema.setClass(ZoneDay);

export const OwnerDaySchema = defineEntity({
  name: 'OwnerDay',
  tableName: 'owner_day',
  indexes: [{ name: 'owner_day_day_index', properties: ['day'] }],
  properties: { ownerId, day: p.date().primary(), ...activityCounters },
});
export class OwnerDay extends OwnerDaySchema.class {}
OwnerDaySchema.setClass(OwnerDay);

export const PlatformDaySchema = defineEntity({
  name: 'PlatformDay',
  tableName: 'platform_day',
  properties: { day: p.date().primary(), ...platformCounters },
});
export class PlatformDay extends PlatformDaySchema.class {}
PlatformDaySchema.setClass(PlatformDay);

export const ZoneQuarterSchema = defineEntity({
  name: 'ZoneQuarter',
  tableName: 'zone_quarter',
  indexes: [
    { name: 'zone_quarter_at_index', properties: ['at'] },
    {
      /** Finds the last gauges without scanning all quarters. */
      name: 'zone_quarter_stocks_index',
      expression: `create index "zone_quarter_stocks_index" on "zone_quarter" ("zone_id", "at") where bytes is not null`,
    },
  ],
  properties: { zoneId, at: p.datetime().primary(), ...activityCounters, bytes: p.bigint('number').nullable() },
});
export class ZoneQuarter extends ZoneQuarterSchema.class {}
ZoneQuarterSchema.setClass(ZoneQuarter);

export const OwnerQuarterSchema = defineEntity({
  name: 'OwnerQuarter',
  tableName: 'owner_quarter',
  indexes: [
    { name: 'owner_quarter_at_index', properties: ['at'] },
    {
      /** Finds the last gauges without scanning all quarters. */
      name: 'owner_quarter_stocks_index',
      expression: `create index "owner_quarter_stocks_index" on "owner_quarter" ("owner_id", "at") where zones is not null`,
    },
  ],
  properties: {
    ownerId,
    at: p.datetime().primary(),
    ...activityCounters,
    zones: p.integer().nullable(),
    files: p.integer().nullable(),
    members: p.integer().nullable(),
    bytes: p.bigint('number').nullable(),
  },
});
export class OwnerQuarter extends OwnerQuarterSchema.class {}
OwnerQuarterSchema.setClass(OwnerQuarter);

export const PlatformQuarterSchema = defineEntity({
  name: 'PlatformQuarter',
  tableName: 'platform_quarter',
  properties: {
    at: p.datetime().primary(),
    ...platformCounters,
    users: p.integer().nullable(),
    zones: p.integer().nullable(),
    files: p.integer().nullable(),
    bytes: p.bigint('number').nullable(),
  },
});
export class PlatformQuarter extends PlatformQuarterSchema.class {}
PlatformQuarterSchema.setClass(PlatformQuarter);

/** A day (UTC) with late records, which the next roll-up recounts. A trigger on `activity` inserts the rows. */
export const DirtyDaySchema = defineEntity({
  name: 'DirtyDay',
  tableName: 'dirty_days',
  properties: { day: p.date().primary() },
});
export class DirtyDay extends DirtyDaySchema.class {}
DirtyDaySchema.setClass(DirtyDay);

/**
 * How far the roll-ups reach. `activity`: they include what was recorded before `through`; later records are counted at
 * query time. `recount`: when full values were last written. `reading`: page reads before `through` are rolled up.
 */
export const RollUpSchema = defineEntity({
  name: 'RollUp',
  tableName: 'roll_ups',
  properties: {
    name: p.string().length(20).primary(),
    through: p.datetime(),
  },
});
export class RollUp extends RollUpSchema.class {}
RollUpSchema.setClass(RollUp);
