import { defineEntity, p } from '@mikro-orm/core';

/** A day (UTC) of which something was recorded late: the next roll-up counts it anew. A trigger of `activity` adds them. */
export const DirtyDaySchema = defineEntity({
  name: 'DirtyDay',
  tableName: 'dirty_days',
  properties: { day: p.date().primary() },
});
export class DirtyDay extends DirtyDaySchema.class {}
DirtyDaySchema.setClass(DirtyDay);
