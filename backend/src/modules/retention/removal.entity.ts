import { defineEntity, p } from '@mikro-orm/core';

/** How much of a kind has been removed because it was old, and when that was last done to the end. */
export const RemovalSchema = defineEntity({
  name: 'Removal',
  tableName: 'removals',
  properties: {
    kind: p.string().length(40).primary(),
    removed: p.bigint('number').default(0),
    finishedAt: p.datetime().nullable(),
    /** Of the last try, when it failed; null after one that did not. */
    failedAt: p.datetime().nullable(),
  },
});
export class Removal extends RemovalSchema.class {}
RemovalSchema.setClass(Removal);
