import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../../platform/audit/audit.repository.js';
import { addMilliseconds, Clock, DAY } from '../../../../platform/clock/clock.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import { ReferencedObjects } from '../../../../platform/storage/ownership/referenced-objects.js';
import { Storage, type ObjectInfo } from '../../../../platform/storage/storage.js';
import { QuarantineRepository } from './quarantine.repository.js';

/** How long unreferenced objects are kept, in milliseconds. */
const RETENTION = 30 * DAY;
/** Rows per query. */
const BATCH_SIZE = 500;

/** The user who restores or deletes an object, for the audit log. */
export interface QuarantineActor {
  readonly actorId: number;
  readonly ipAddress: string | null;
}

/** The key of an object while it is in quarantine. */
export const quarantineKey = (key: string): string => `quarantine/${key}`;

/** Moves unreferenced objects out of the way and keeps them for 30 days. */
@Injectable()
export class QuarantineService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly entries: QuarantineRepository,
    private readonly storage: Storage,
    private readonly names: ReferencedObjects,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Moves objects into quarantine. The row is written first, so that every quarantined object is known. If interrupted,
   * the next comparison repeats the move.
   * @throws STORAGE_UNAVAILABLE
   */
  async quarantineObjects(objects: readonly Pick<ObjectInfo, 'key' | 'size'>[]): Promise<void> {
    for (const { key, size } of objects) {
      await this.entries.insertEntry(key, size, this.storage.type);
      await this.storage.move(key, quarantineKey(key));
    }
  }

  /**
   * Restores an object to its original key.
   * @returns false if there is no such object in quarantine
   * @throws STORAGE_UNAVAILABLE
   */
  async restoreObject(id: number, by: QuarantineActor): Promise<boolean> {
    const key = await this.entries.findKey(id, this.storage.types);
    if (key === null) return false;
    // Moves the object before deleting the row: if the move fails, the row remains. Moving twice is harmless.
    await this.storage.move(quarantineKey(key), key);
    return this.deleteEntry(id, 'quarantine.restored', by);
  }

  /**
   * Restores the objects that a row references after all, for example after a database restore.
   * @returns the number of restored objects
   */
  async restoreReferenced(signal: AbortSignal): Promise<number> {
    let restored = 0;
    for await (const rows of this.readBatches(null, signal)) {
      const named = await this.names.findReferenced(rows.map(({ key }) => key));
      for (const { id, key } of rows.filter(({ key }) => named.has(key))) {
        await this.storage.move(quarantineKey(key), key);
        await this.entries.deleteEntry(this.em.fork(), id);
        restored++;
      }
    }
    return restored;
  }

  /**
   * Permanently deletes an object before its retention ends.
   * @returns `named` if a row references it after all; then nothing is deleted
   * @throws STORAGE_UNAVAILABLE
   */
  async deleteObject(id: number, by: QuarantineActor): Promise<'removed' | 'gone' | 'named'> {
    const key = await this.entries.findKey(id, this.storage.types);
    if (key === null) return 'gone';
    if ((await this.names.findReferenced([key])).has(key)) return 'named';
    await this.storage.delete(quarantineKey(key));
    return (await this.deleteEntry(id, 'quarantine.removed', by)) ? 'removed' : 'gone';
  }

  /**
   * Permanently deletes objects that have been in quarantine for 30 days and that no row references.
   * @returns the number of deleted objects
   */
  async deleteExpired(signal: AbortSignal): Promise<number> {
    let removed = 0;
    for await (const rows of this.readBatches(addMilliseconds(this.clock.now(), -RETENTION), signal)) {
      const named = await this.names.findReferenced(rows.map(({ key }) => key));
      for (const { id, key } of rows.filter(({ key }) => !named.has(key))) {
        await this.storage.delete(quarantineKey(key));
        await this.entries.deleteEntry(this.em.fork(), id);
        removed++;
      }
    }
    return removed;
  }

  /** @returns false if the row was already deleted */
  private deleteEntry(
    id: number,
    type: 'quarantine.restored' | 'quarantine.removed',
    by: QuarantineActor,
  ): Promise<boolean> {
    return inTransaction(this.em, async (em) => {
      const isDeleted = await this.entries.deleteEntry(em, id);
      if (isDeleted) await this.audit.record(em, { type, ...by, params: { quarantinedId: id } });
      return isDeleted;
    });
  }

  /** @param foundBefore only objects found before this time; null for all */
  private async *readBatches(foundBefore: Date | null, signal: AbortSignal) {
    for (let last: number | null = 0; last !== null && !signal.aborted;) {
      const rows: { id: number; key: string }[] = await this.entries.listEntries(
        this.storage.types,
        foundBefore,
        last,
        BATCH_SIZE,
      );
      if (rows.length > 0) yield rows;
      last = rows.length < BATCH_SIZE ? null : rows.at(-1)!.id;
    }
  }
}
