import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../platform/clock/clock.js';
import { query } from '../../../../platform/database/query.js';
import type { StorageType } from '../../../../platform/storage/storage.js';
import type { QuarantinedObjectSchema } from '../../entities/quarantined-object.entity.js';

type Tables = typeof QuarantinedObjectSchema;

/** Objects in quarantine, by their original keys. */
@Injectable()
export class QuarantineRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Inserts an entry, unless the object has one. @param size in bytes */
  async insertEntry(objectKey: string, size: number, storageType: StorageType): Promise<void> {
    await this.db()
      .insertInto('quarantined_objects')
      .values({ object_key: objectKey, size, storage_type: storageType, found_at: this.clock.now() })
      .onConflict((row) => row.column('object_key').doNothing())
      .execute();
  }

  /** Returns the original key of an object in a storage of these types. */
  async findKey(id: number, storageTypes: readonly StorageType[]): Promise<string | null> {
    const row = await this.db()
      .selectFrom('quarantined_objects')
      .select('object_key as key')
      .where('id', '=', id)
      .where('storage_type', 'in', storageTypes)
      .executeTakeFirst();
    return row?.key ?? null;
  }

  /**
   * Returns up to `limit` entries of storages of these types, by id.
   * @param foundBefore only objects found before this time; null for all
   */
  listEntries(
    storageTypes: readonly StorageType[],
    foundBefore: Date | null,
    afterId: number,
    limit: number,
  ): Promise<{ id: number; key: string }[]> {
    return this.db()
      .selectFrom('quarantined_objects')
      .select(['id', 'object_key as key'])
      .where('id', '>', afterId)
      .where('storage_type', 'in', storageTypes)
      .$if(foundBefore !== null, (all) => all.where('found_at', '<', foundBefore!))
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /** @returns false if the entry was already deleted */
  async deleteEntry(em: EntityManager, id: number): Promise<boolean> {
    const deleted = await query<Tables>(em)
      .deleteFrom('quarantined_objects')
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    return deleted !== undefined;
  }

  private db() {
    return query<Tables>(this.em.fork());
  }
}
