import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../../platform/audit/audit.service.js';
import { addMilliseconds, Clock, DAY } from '../../../../platform/clock/clock.js';
import { query } from '../../../../platform/database/query.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import { ReferencedObjects } from '../../../../platform/storage/ownership/referenced-objects.js';
import { Storage, type ObjectInfo, type StorageType } from '../../../../platform/storage/storage.js';
import { defineEntity, p } from '@mikro-orm/core';

/** An object that nothing named when rows and objects were compared: kept under another key until it is removed for good. */
export const QuarantinedObjectSchema = defineEntity({
  name: 'QuarantinedObject',
  tableName: 'quarantined_objects',
  indexes: [{ name: 'quarantined_objects_found_at_index', properties: ['foundAt'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** The key that it had, and gets again when it is restored. */
    objectKey: p.string().length(200).unique('quarantined_objects_object_key_unique'),
    storageType: p.string().length(10).$type<StorageType>(),
    /** Bytes. */
    size: p.bigint('number'),
    foundAt: p.datetime(),
  },
});
export class QuarantinedObject extends QuarantinedObjectSchema.class {}
QuarantinedObjectSchema.setClass(QuarantinedObject);

/** How long objects are kept that nothing names, in milliseconds. */
const RETENTION = 30 * DAY;
/** Rows gone through in one query. */
const BATCH_SIZE = 500;

/** Who restores or removes something, for the record. */
export interface QuarantineActor {
  readonly actorId: number;
  readonly ipAddress: string | null;
}

/** The key under which an object lies while it is in quarantine. */
export const quarantineKey = (key: string): string => `quarantine/${key}`;

/** Where objects go that nothing names: out of the way, and for 30 days still there. */
@Injectable()
export class QuarantineService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly storage: Storage,
    private readonly names: ReferencedObjects,
    private readonly audit: AuditService,
  ) {}

  /**
   * Puts objects away. The row comes first, so that whatever lies there is known; what was cut off is done again by the
   * next comparison.
   * @throws STORAGE_UNAVAILABLE
   */
  async quarantineObjects(objects: readonly Pick<ObjectInfo, 'key' | 'size'>[]): Promise<void> {
    for (const { key, size } of objects) {
      await this.db()
        .insertInto('quarantined_objects')
        .values({ object_key: key, size, storage_type: this.storage.type, found_at: this.clock.now() })
        .onConflict((row) => row.column('object_key').doNothing())
        .execute();
      await this.storage.move(key, quarantineKey(key));
    }
  }

  /**
   * Gives an object its key again.
   * @returns false when there is no such object in quarantine
   * @throws STORAGE_UNAVAILABLE
   */
  async restoreObject(id: number, by: QuarantineActor): Promise<boolean> {
    const key = await this.findKey(id);
    if (key === null) return false;
    // Moved before the row goes: when it cannot be, the row stays; moved twice does no harm.
    await this.storage.move(quarantineKey(key), key);
    return this.deleteEntry(id, 'quarantine.restored', by);
  }

  /** Gives those their keys again that a row names after all, as after a restore of the database. @returns how many */
  async restoreReferenced(signal: AbortSignal): Promise<number> {
    let restored = 0;
    for await (const rows of this.readBatches(null, signal)) {
      const named = await this.names.findReferenced(rows.map(({ key }) => key));
      for (const { id, key } of rows.filter(({ key }) => named.has(key))) {
        await this.storage.move(quarantineKey(key), key);
        await this.db().deleteFrom('quarantined_objects').where('id', '=', id).execute();
        restored++;
      }
    }
    return restored;
  }

  /**
   * Removes an object for good, before its time.
   * @returns `named` when a row names it after all, and nothing is removed
   * @throws STORAGE_UNAVAILABLE
   */
  async deleteObject(id: number, by: QuarantineActor): Promise<'removed' | 'gone' | 'named'> {
    const key = await this.findKey(id);
    if (key === null) return 'gone';
    if ((await this.names.findReferenced([key])).has(key)) return 'named';
    await this.storage.delete(quarantineKey(key));
    return (await this.deleteEntry(id, 'quarantine.removed', by)) ? 'removed' : 'gone';
  }

  /** Removes for good what has lain there for 30 days, and no row names. @returns how many */
  async deleteExpired(signal: AbortSignal): Promise<number> {
    let removed = 0;
    for await (const rows of this.readBatches(addMilliseconds(this.clock.now(), -RETENTION), signal)) {
      const named = await this.names.findReferenced(rows.map(({ key }) => key));
      for (const { id, key } of rows.filter(({ key }) => !named.has(key))) {
        await this.storage.delete(quarantineKey(key));
        await this.db().deleteFrom('quarantined_objects').where('id', '=', id).execute();
        removed++;
      }
    }
    return removed;
  }

  private async findKey(id: number): Promise<string | null> {
    const row = await this.db()
      .selectFrom('quarantined_objects')
      .select('object_key as key')
      .where('id', '=', id)
      .where('storage_type', '=', this.storage.type)
      .executeTakeFirst();
    return row?.key ?? null;
  }

  /** @returns false when somebody else was first */
  private deleteEntry(
    id: number,
    type: 'quarantine.restored' | 'quarantine.removed',
    by: QuarantineActor,
  ): Promise<boolean> {
    return inTransaction(this.em, async (em) => {
      const deleted = await query<typeof QuarantinedObjectSchema>(em)
        .deleteFrom('quarantined_objects')
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      if (deleted) await this.audit.record(em, { type, ...by, params: { quarantinedId: id } });
      return deleted !== undefined;
    });
  }

  /** @param foundBefore only those; null for all */
  private async *readBatches(foundBefore: Date | null, signal: AbortSignal) {
    for (let last: number | null = 0; last !== null && !signal.aborted;) {
      const rows: { id: number; key: string }[] = await this.db()
        .selectFrom('quarantined_objects')
        .select(['id', 'object_key as key'])
        .where('id', '>', last)
        .where('storage_type', '=', this.storage.type)
        .$if(foundBefore !== null, (all) => all.where('found_at', '<', foundBefore!))
        .orderBy('id')
        .limit(BATCH_SIZE)
        .execute();
      if (rows.length > 0) yield rows;
      last = rows.length < BATCH_SIZE ? null : rows.at(-1)!.id;
    }
  }

  private db() {
    return query<typeof QuarantinedObjectSchema>(this.em.fork());
  }
}
