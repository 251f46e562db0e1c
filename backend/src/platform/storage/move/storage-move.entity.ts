import { defineEntity, p } from '@mikro-orm/core';
import { freezeList } from '../../constants/freeze-list.js';

/**
 * States of a move. `copying` and `preparing`: new objects are written to the source, and a command copies to the target.
 * While `preparing`, the processes learn of the target. `switched`: new objects are written to the target, and what only
 * the source has is still read there. `done`: the source is no longer used.
 */
export const storageMoveStates = freezeList(['copying', 'preparing', 'switched', 'done', 'cancelled']);
export type StorageMoveState = (typeof storageMoveStates)[number];

/** A move of all objects to another storage. One is open at a time. Backups don't include it. */
export const StorageMoveSchema = defineEntity({
  name: 'StorageMove',
  tableName: 'storage_moves',
  indexes: [
    {
      name: 'storage_moves_open_unique',
      expression:
        "create unique index \"storage_moves_open_unique\" on \"storage_moves\" ((true)) where state in ('copying', 'preparing', 'switched')",
    },
  ],
  checks: [
    {
      name: 'storage_moves_state_check',
      expression: `"state" in ('copying', 'preparing', 'switched', 'done', 'cancelled')`,
    },
    {
      name: 'storage_moves_switched_at_check',
      expression: `("switched_at" is not null) = ("state" in ('switched', 'done'))`,
    },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** As STORAGE_URL, which holds no secrets. */
    sourceUrl: p.string().length(2048),
    targetUrl: p.string().length(2048),
    state: p.string().length(10).$type<StorageMoveState>().default('copying'),
    /** The last prefix of keys that was compared completely in this state; empty at its beginning. */
    cursor: p.string().length(200).default(''),
    /** Objects and bytes that the target is known to have. */
    copiedObjects: p.bigint('number').default(0),
    copiedBytes: p.bigint('number').default(0),
    /** Objects and bytes of the source, as last counted. */
    totalObjects: p.bigint('number').default(0),
    totalBytes: p.bigint('number').default(0),
    startedAt: p.datetime(),
    updatedAt: p.datetime(),
    switchedAt: p.datetime().nullable(),
    /** When nothing was left to do, also after a cancellation. */
    endedAt: p.datetime().nullable(),
  },
});
export class StorageMove extends StorageMoveSchema.class {}
StorageMoveSchema.setClass(StorageMove);
