import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, MINUTE } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { AppError } from '../../platform/errors/app-error.js';
import { newKey, Storage } from '../../platform/storage/storage.js';
import { UsageService } from '../plans/usage.service.js';
import { UploadSchema } from './entities/upload.entity.js';
import { fileErrors } from './files.errors.js';

type Tables = typeof UploadSchema;

/** An upload under way. */
export interface Intent {
  readonly id: number;
  readonly objectKey: string;
  readonly ownerId: number;
  /** How long it may show no life, in milliseconds; `LEASE` when nothing is said. */
  readonly lease?: number;
}

/** An upload that has shown no life for this long is taken for dead. */
export const LEASE = 15 * MINUTE;

/** What must be known of an upload to undo it; its parts are read before they go with its row. */
const undone = [
  'reserved' as const,
  'object_key' as const,
  'owner_id' as const,
  sql<string[]>`array(select object_key::text from upload_parts where upload_id = uploads.id)`.as('parts'),
];

/**
 * Uploads under way: what they reserve and what becomes of those that break off. Every method takes an entity manager,
 * because bytes come in outside the context of the request.
 */
@Injectable()
export class UploadIntents {
  constructor(
    private readonly clock: Clock,
    private readonly storage: Storage,
    private readonly usage: UsageService,
  ) {}

  /**
   * Announces an object before its first byte is stored.
   * @param lease how long it may show no life, in milliseconds
   */
  async open(em: EntityManager, ownerId: number, lease = LEASE): Promise<Intent> {
    const now = this.clock.now();
    const objectKey = newKey('files');
    const { id } = await query<Tables>(em)
      .insertInto('uploads')
      .values({ object_key: objectKey, owner_id: ownerId, lease_until: after(now, lease), created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id: Number(id), objectKey, ownerId, lease };
  }

  /**
   * Holds bytes of the owner's plan: as many as wished, or where these do not fit, just the needed ones. So the
   * database is asked seldom, and yet the last byte of a plan can be used.
   * @returns the bytes held
   * @throws PLAN_LIMIT, UPLOAD_EXPIRED
   */
  async reserve(em: EntityManager, intent: Intent, needed: number, wished: number): Promise<number> {
    try {
      return await this.hold(em, intent, Math.max(needed, wished));
    } catch (error) {
      if (wished <= needed || !(error instanceof AppError) || error.code !== 'PLAN_LIMIT') throw error;
      return this.hold(em, intent, needed);
    }
  }

  /** Shows that the uploads of a request are alive, at least one of them. */
  async extend(em: EntityManager, intents: readonly Intent[]): Promise<void> {
    await query<Tables>(em)
      .updateTable('uploads')
      .set({ lease_until: after(this.clock.now(), LEASE) })
      .where(
        'id',
        'in',
        intents.map(({ id }) => id),
      )
      .execute();
  }

  /**
   * Turns uploads into files, in the transaction that writes the files' rows; the last thing in it, because it locks
   * the owner's usage.
   * @param bytes what the files really take
   * @throws UPLOAD_EXPIRED when one of them was cleaned up meanwhile
   */
  async settle(em: EntityManager, ownerId: number, intents: readonly Intent[], bytes: number): Promise<void> {
    const ids = intents.map(({ id }) => id);
    const rows = await query<Tables>(em).deleteFrom('uploads').where('id', 'in', ids).returning('reserved').execute();
    if (rows.length < ids.length) throw fileErrors.UPLOAD_EXPIRED();
    const reserved = rows.reduce((sum, row) => sum + Number(row.reserved), 0);
    await this.usage.settle(em, ownerId, 'bytes', reserved, bytes);
  }

  /** Undoes an upload that came to nothing; one that was settled after all stays. */
  async abandon(em: EntityManager, intent: Intent): Promise<void> {
    await inTransaction(em, async (em) => {
      const row = await query<Tables>(em)
        .deleteFrom('uploads')
        .where('id', '=', intent.id)
        .returning(undone)
        .executeTakeFirst();
      if (row) await this.undo(em, row);
    });
  }

  /**
   * Ends the lease of all resumable uploads into a zone, or into folders, because these go: nobody can go on with them,
   * and what they hold is given back by whoever calls `abandonExpired` next.
   */
  async expire(em: EntityManager, into: { readonly zoneId: number } | { readonly folderIds: readonly number[] }) {
    const place =
      'zoneId' in into ? sql`zone_id = ${into.zoneId}` : sql`folder_id = any(${[...into.folderIds]}::bigint[])`;
    await sql`
      with gone as (delete from resumable_uploads where ${place} and upload_id is not null returning upload_id)
      update uploads set lease_until = ${this.clock.now()} from gone where uploads.id = gone.upload_id`.execute(
      query<Tables>(em),
    );
  }

  /** Undoes one upload whose lease has ended; false when there is none. */
  async abandonExpired(em: EntityManager): Promise<boolean> {
    return inTransaction(em, async (em) => {
      const row = await query<Tables>(em)
        .deleteFrom('uploads')
        .where('id', '=', (uploads) =>
          uploads
            .selectFrom('uploads')
            .select('id')
            .where('lease_until', '<=', this.clock.now())
            .orderBy('lease_until')
            .limit(1)
            .forUpdate()
            .skipLocked(),
        )
        .returning(undone)
        .executeTakeFirst();
      if (row) await this.undo(em, row);
      return row !== undefined;
    });
  }

  /** The objects go before the commit: when the storage fails, the intent stays and is tried again. */
  private async undo(
    em: EntityManager,
    row: { reserved: number; object_key: string; owner_id: number; parts: string[] },
  ): Promise<void> {
    for (const key of [row.object_key, ...row.parts]) await this.storage.delete(key);
    await this.usage.settle(em, Number(row.owner_id), 'bytes', Number(row.reserved), 0);
  }

  private leaseOf({ lease = LEASE }: Intent): Date {
    return after(this.clock.now(), lease);
  }

  private async hold(em: EntityManager, intent: Intent, bytes: number): Promise<number> {
    await inTransaction(em, async (em) => {
      const updated = await query<Tables>(em)
        .updateTable('uploads')
        .set({ reserved: sql<number>`reserved + ${bytes}`, lease_until: this.leaseOf(intent) })
        .where('id', '=', intent.id)
        .executeTakeFirst();
      if (updated.numUpdatedRows === 0n) throw fileErrors.UPLOAD_EXPIRED();
      await this.usage.reserve(em, intent.ownerId, 'bytes', bytes);
    });
    return bytes;
  }
}
