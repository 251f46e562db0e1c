import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { Multipart } from '../../../platform/storage/multipart.js';
import type {
  ResumableUploadSchema,
  UploadMultipartSchema,
  UploadPartSchema,
  UploadSchema,
} from '../entities/upload.entity.js';

type Tables =
  typeof UploadSchema | typeof ResumableUploadSchema | typeof UploadPartSchema | typeof UploadMultipartSchema;

interface NewReservation {
  readonly objectKey: string;
  readonly ownerId: number;
  readonly leaseUntil: Date;
  /** Bytes. */
  readonly reserved: number;
}

/** Where bytes of a resumable upload may be stored besides its growing file. */
export interface OtherObjects {
  readonly hasMultipart: boolean;
  /** Received or not. */
  readonly hasParts: boolean;
}

/** A deleted upload: what it had reserved, and the keys of its objects. */
export interface DeletedUpload {
  readonly ownerId: number;
  /** Bytes. */
  readonly reserved: number;
  readonly objectKeys: string[];
  readonly multiparts: Multipart[];
}

/** Bytes of an upload that are stored in an object of their own. */
export interface ReceivedPart {
  readonly objectKey: string;
  /** Offset in the file, in bytes. */
  readonly start: number;
  /** In bytes. */
  readonly size: number;
}

/**
 * Uploads in progress and their parts. The row of a resumable upload is locked before that of its reservation, in the
 * order of a request that continues it. Every method takes an entity manager, because bytes arrive outside the request
 * context.
 */
@Injectable()
export class UploadRepository {
  constructor(private readonly clock: Clock) {}

  /** @returns the id of the upload */
  async insertUpload(em: EntityManager, { objectKey, ownerId, leaseUntil, reserved }: NewReservation): Promise<number> {
    const { id } = await query<Tables>(em)
      .insertInto('uploads')
      .values({
        object_key: objectKey,
        owner_id: ownerId,
        lease_until: leaseUntil,
        reserved,
        created_at: this.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return Number(id);
  }

  async extendLeases(em: EntityManager, ids: readonly number[], leaseUntil: Date): Promise<void> {
    await query<Tables>(em).updateTable('uploads').set({ lease_until: leaseUntil }).where('id', 'in', ids).execute();
  }

  /**
   * Adds reserved bytes and renews the lease.
   * @returns false if the upload was cleaned up
   */
  async addReservedBytes(em: EntityManager, id: number, bytes: number, leaseUntil: Date): Promise<boolean> {
    const updated = await query<Tables>(em)
      .updateTable('uploads')
      .set({ reserved: sql<number>`reserved + ${bytes}`, lease_until: leaseUntil })
      .where('id', '=', id)
      .executeTakeFirst();
    return updated.numUpdatedRows > 0n;
  }

  /**
   * Deletes uploads that have become files.
   * @returns the bytes that each had reserved
   */
  async deleteCommitted(em: EntityManager, ids: readonly number[]): Promise<number[]> {
    const rows = await query<Tables>(em).deleteFrom('uploads').where('id', 'in', ids).returning('reserved').execute();
    return rows.map(({ reserved }) => Number(reserved));
  }

  /** Returns the uploads by a user and those into the user's zones. */
  findUploadsOfUser(em: EntityManager, userId: number): Promise<{ id: number }[]> {
    return query<Tables>(em)
      .selectFrom('uploads as u')
      .leftJoin('resumable_uploads as r', 'r.upload_id', 'u.id')
      .select('u.id as id')
      .where((where) => where.or([where('u.owner_id', '=', userId), where('r.user_id', '=', userId)]))
      .execute();
  }

  /**
   * Deletes the resumable uploads into a zone or folders and ends their leases.
   * @returns the uploads
   */
  async endLeases(
    em: EntityManager,
    destination: { readonly zoneId: number } | { readonly folderIds: readonly number[] },
  ): Promise<{ id: number }[]> {
    const destinationSql =
      'zoneId' in destination
        ? sql`zone_id = ${destination.zoneId}`
        : sql`folder_id = any(${[...destination.folderIds]}::bigint[])`;
    const { rows } = await sql<{ id: number }>`
      with mine as materialized (
        select id, upload_id from resumable_uploads where ${destinationSql} and upload_id is not null order by upload_id for update
      ), deleted as (delete from resumable_uploads r using mine where r.id = mine.id), held as materialized (
        select u.id from mine join uploads u on u.id = mine.upload_id order by u.id for update of u
      )
      update uploads set lease_until = ${this.clock.now()} from held where uploads.id = held.id returning uploads.id
    `.execute(query<Tables>(em));
    return rows;
  }

  /**
   * Locks the active resumable uploads into a zone. Must be called before the zone is locked, in the order of a request
   * that completes one.
   */
  async lockResumable(em: EntityManager, zoneId: number): Promise<void> {
    await sql`select from resumable_uploads where zone_id = ${zoneId} and upload_id is not null
      order by upload_id for no key update`.execute(query<Tables>(em));
  }

  /**
   * Moves active resumable uploads to the zone to which their folders, or the files that they replace, were moved.
   * Skips an upload that began after `lockResumable` and is being completed: it would wait for the zone.
   */
  async moveResumable(em: EntityManager, fromZoneId: number, toZoneId: number): Promise<void> {
    await sql`
      with moved as materialized (
        select r.id from resumable_uploads r where r.zone_id = ${fromZoneId} and r.upload_id is not null and (
          exists (select from folders f where f.id = r.folder_id and f.zone_id = ${toZoneId})
          or exists (select from files f where f.id = r.replaces_id and f.zone_id = ${toZoneId}))
        order by r.upload_id for no key update skip locked
      )
      update resumable_uploads r set zone_id = ${toZoneId} from moved where r.id = moved.id`.execute(query<Tables>(em));
  }

  /** Returns up to `limit` uploads with an expired lease, by id. */
  findExpired(em: EntityManager, afterId: number, limit: number): Promise<{ id: number }[]> {
    return query<Tables>(em)
      .selectFrom('uploads')
      .select('id')
      .where('lease_until', '<=', this.clock.now())
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /** Deletes an upload with its parts. */
  deleteUpload(em: EntityManager, id: number): Promise<DeletedUpload | null> {
    return this.deleteUploadIf(em, id, sql<boolean>`true`);
  }

  /** Deletes an upload with its parts unless its lease was renewed. */
  deleteExpiredUpload(em: EntityManager, id: number): Promise<DeletedUpload | null> {
    return this.deleteUploadIf(em, id, sql<boolean>`lease_until <= ${this.clock.now()}`);
  }

  /**
   * Inserts the row of a part, before its object is written, so that aborted parts can be found.
   * @returns its id; null if the upload was cleaned up
   */
  async insertPart(em: EntityManager, uploadId: number, objectKey: string, start: number): Promise<number | null> {
    const { rows } = await sql<{ id: number }>`
      insert into upload_parts (upload_id, object_key, start)
      select id, ${objectKey}, ${start} from uploads where id = ${uploadId} for key share
      returning id`.execute(query<Tables>(em));
    return rows[0] ? Number(rows[0].id) : null;
  }

  /**
   * Marks a part as received.
   * @param size in bytes
   * @returns false if the upload was cleaned up
   */
  async markPartReceived(em: EntityManager, id: number, size: number): Promise<boolean> {
    const updated = await query<Tables>(em)
      .updateTable('upload_parts')
      .set({ size })
      .where('id', '=', id)
      .executeTakeFirst();
    return updated.numUpdatedRows > 0n;
  }

  async findOtherObjects(em: EntityManager, uploadId: number): Promise<OtherObjects> {
    const { rows } = await sql<OtherObjects>`
      select exists (select from upload_multiparts where upload_id = ${uploadId}) as "hasMultipart",
        exists (select from upload_parts where upload_id = ${uploadId}) as "hasParts"`.execute(query<Tables>(em));
    return rows[0]!;
  }

  /** Returns the received parts in file order. */
  async findReceivedParts(em: EntityManager, uploadId: number): Promise<ReceivedPart[]> {
    const rows = await query<Tables>(em)
      .selectFrom('upload_parts')
      .select(['object_key as objectKey', 'start', 'size'])
      .where('upload_id', '=', uploadId)
      .where('size', 'is not', null)
      .orderBy('start')
      .execute();
    return rows.map(({ objectKey, start, size }) => ({ objectKey, start: Number(start), size: Number(size) }));
  }

  /**
   * Deletes the parts, received or not.
   * @param keptKey the key of an object that becomes a file
   * @returns the keys of the other objects
   */
  async deleteParts(em: EntityManager, uploadId: number, keptKey?: string): Promise<string[]> {
    const parts = await query<Tables>(em)
      .deleteFrom('upload_parts')
      .where('upload_id', '=', uploadId)
      .returning('object_key')
      .execute();
    return parts.map((part) => part.object_key).filter((key) => key !== keptKey);
  }

  /**
   * Deletes all parts but one.
   * @returns the keys of their objects
   */
  async deleteOtherParts(em: EntityManager, uploadId: number, keptId: number): Promise<string[]> {
    const parts = await query<Tables>(em)
      .deleteFrom('upload_parts')
      .where('upload_id', '=', uploadId)
      .where('id', '!=', keptId)
      .returning('object_key')
      .execute();
    return parts.map((part) => part.object_key);
  }

  /**
   * Deletes the parts that were not received, or begin at or after an offset.
   * @returns the keys of their objects
   */
  async deleteUncountedParts(em: EntityManager, uploadId: number, from: number): Promise<string[]> {
    const parts = await query<Tables>(em)
      .deleteFrom('upload_parts')
      .where('upload_id', '=', uploadId)
      .where((where) => where.or([where('size', 'is', null), where('start', '>=', from)]))
      .returning('object_key')
      .execute();
    return parts.map((part) => part.object_key);
  }

  /**
   * Deletes the received parts that end at or before an offset.
   * @returns the keys of their objects
   */
  async deletePartsBefore(em: EntityManager, uploadId: number, end: number): Promise<string[]> {
    const parts = await query<Tables>(em)
      .deleteFrom('upload_parts')
      .where('upload_id', '=', uploadId)
      .where(sql<boolean>`start + size <= ${end}`)
      .returning('object_key')
      .execute();
    return parts.map((part) => part.object_key);
  }

  /** Returns those of the keys under which an upload in progress is written. */
  async findUnfinished(em: EntityManager, keys: readonly string[]): Promise<string[]> {
    const rows = await query<Tables>(em)
      .selectFrom('uploads')
      .select('object_key')
      .where('object_key', 'in', keys)
      .unionAll((multiparts) =>
        multiparts.selectFrom('upload_multiparts').select('object_key').where('object_key', 'in', keys),
      )
      .execute();
    return rows.map((row) => row.object_key);
  }

  /** Parts are read before they are deleted with the row of the upload. */
  private async deleteUploadIf(
    em: EntityManager,
    id: number,
    condition: RawBuilder<boolean>,
  ): Promise<DeletedUpload | null> {
    const db = query<Tables>(em);
    await db.selectFrom('resumable_uploads').select('id').where('upload_id', '=', id).forUpdate().execute();
    const row = await db
      .deleteFrom('uploads')
      .where('id', '=', id)
      .where(condition)
      .returning(['reserved', 'object_key', 'owner_id'])
      .returning(
        sql<string[]>`array(select object_key::text from upload_parts where upload_id = uploads.id)`.as('parts'),
      )
      .returning(
        sql<Multipart[]>`(
          select coalesce(json_agg(json_build_object('objectKey', m.object_key, 'remoteId', m.remote_id)), '[]')
          from upload_multiparts m where m.upload_id = uploads.id
        )`.as('multiparts'),
      )
      .executeTakeFirst();
    if (!row) return null;
    const { owner_id: ownerId, reserved, object_key: objectKey, parts, multiparts } = row;
    const objectKeys = [objectKey, ...parts, ...multiparts.map((multipart) => multipart.objectKey)];
    return { ownerId: Number(ownerId), reserved: Number(reserved), objectKeys, multiparts };
  }
}
