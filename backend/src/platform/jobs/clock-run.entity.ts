import { defineEntity, p } from '@mikro-orm/core';

/** A tick of a clock job that has been enqueued: of several processes, the one that writes the row enqueues. */
export const ClockRunSchema = defineEntity({
  name: 'ClockRun',
  tableName: 'clock_runs',
  properties: {
    name: p.string().length(100).primary(),
    slot: p.datetime().primary(),
  },
});
export class ClockRun extends ClockRunSchema.class {}
ClockRunSchema.setClass(ClockRun);
