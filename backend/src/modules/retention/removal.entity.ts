import { defineEntity, p } from '@mikro-orm/core';

/** Per policy: how much has been removed, and when it was last completed. */
export const RemovalSchema = defineEntity({
  name: 'Removal',
  tableName: 'removals',
  properties: {
    kind: p.string().length(40).primary(),
    removed: p.bigint('number').default(0),
    finishedAt: p.datetime().nullable(),
    /** When the last run failed; null after a successful one. */
    failedAt: p.datetime().nullable(),
  },
});
export class Removal extends RemovalSchema.class {}
RemovalSchema.setClass(Removal);
