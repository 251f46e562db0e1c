import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../../platform/clock/clock.js';
import { query } from '../../../../platform/database/query.js';
import { cursorTuple } from '../../../../platform/http/lists/cursor.js';
import type { ResumableUploadDto } from '../../dto/upload.dto.js';
import type { NameConflictRule } from '../file-upload.service.js';
import type { FileSchema } from '../../entities/file.entity.js';
import type { FolderSchema } from '../../entities/folder.entity.js';
import type { ResumableUploadSchema, UploadSchema } from '../../entities/upload.entity.js';

type Tables = typeof ResumableUploadSchema | typeof UploadSchema | typeof FileSchema | typeof FolderSchema;

export interface NewResumableUpload {
  /** Random. */
  readonly id: string;
  readonly uploadId: number;
  readonly userId: number;
  readonly zoneId: number;
  readonly folderId: number | null;
  readonly name: string;
  readonly onConflict: NameConflictRule;
  readonly replaces: number | null;
  readonly ifVersion: number | null;
  /** Announced size in bytes. */
  readonly length: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** The offset that a request expects; the first of two requests that continue an upload wins. */
interface ExpectedOffset {
  readonly id: string;
  readonly received: number;
  readonly reservation: { readonly id: number };
}

/** What a request that writes expects: nobody has continued the upload or taken it over. */
interface ExpectedState extends ExpectedOffset {
  readonly generation: number;
}

/** Base path of resumable uploads. */
export const TUS_PATH = '/api/uploads';

/** Columns of `ResumableUploadDto`. */
const dtoColumns = [
  ...(['id', 'name', 'zone_id as zoneId', 'folder_id as folderId', 'length'] as const),
  'replaces_id as replaces' as const,
  ...(['file_id as fileId', 'created_at as createdAt', 'expires_at as expiresAt'] as const),
  sql<string>`${`${TUS_PATH}/`}::text || id`.as('location'),
  // The last part is shorter than the others.
  sql<number>`greatest(received, (select least(length, part_bytes * (
      select count(*) from upload_multipart_parts p where p.upload_id = m.upload_id))
    from upload_multiparts m where m.upload_id = resumable_uploads.upload_id and is_direct))`.as('received'),
  sql<boolean>`upload_id is not null and received = 0 and length > 0 and not exists (
    select from upload_multiparts m where m.upload_id = resumable_uploads.upload_id and not is_direct)`.as(
    'acceptsParts',
  ),
  sql<ResumableUploadDto['state']>`case when file_id is not null then 'stored' else coalesce((
    select case when not is_completing then 'receiving' when sha256 is null then 'checking' else 'checked' end
    from upload_multiparts m where m.upload_id = resumable_uploads.upload_id and is_direct), 'receiving') end`.as(
    'state',
  ),
];

/** Resumable uploads, active (`upload_id` is set) or completed (`file_id` is set). */
@Injectable()
export class ResumableUploadRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Locks the folder or the replaced file of a new upload until the commit, so that a move to another zone takes the
   * upload along.
   * @returns false if it isn't in the zone any more
   */
  async lockDestination(
    em: EntityManager,
    { zoneId, folderId, replaces }: Pick<NewResumableUpload, 'zoneId' | 'folderId' | 'replaces'>,
  ): Promise<boolean> {
    const id = replaces ?? folderId;
    if (id === null) return true;
    const row = await query<Tables>(em)
      .selectFrom(replaces === null ? 'folders' : 'files')
      .select('id')
      .where('id', '=', id)
      .where('zone_id', '=', zoneId)
      .where('trashed_at', 'is', null)
      .forShare()
      .executeTakeFirst();
    return row !== undefined;
  }

  async insertUpload(em: EntityManager, upload: NewResumableUpload): Promise<void> {
    await query<Tables>(em)
      .insertInto('resumable_uploads')
      .values({
        id: upload.id,
        name: upload.name,
        on_conflict: upload.onConflict,
        replaces_id: upload.replaces,
        if_version: upload.ifVersion,
        length: upload.length,
        received: 0,
        upload_id: upload.uploadId,
        user_id: upload.userId,
        zone_id: upload.zoneId,
        folder_id: upload.folderId,
        expires_at: upload.expiresAt,
        created_at: upload.createdAt,
      })
      .execute();
  }

  /** Returns an active or completed upload of the user with its reservation; null if it has expired. */
  async findUpload(id: string, userId: number) {
    const row = await this.uploadsQuery().where('r.id', '=', id).where('r.user_id', '=', userId).executeTakeFirst();
    return row ?? null;
  }

  /** Returns the active upload with this reservation; null if there is none, or it has expired. */
  async findByReservation(uploadId: number) {
    return (await this.uploadsQuery().where('r.upload_id', '=', uploadId).executeTakeFirst()) ?? null;
  }

  /**
   * Returns up to `limit` active uploads of the user, newest first.
   * @throws VALIDATION_FAILED for an invalid cursor
   */
  listActive(userId: number, limit: number, cursor?: string): Promise<ResumableUploadDto[]> {
    const last = cursor ? cursorTuple(cursor, ['timestamptz', 'uuid']) : null;
    return this.activeUploadsQuery(userId)
      .select(dtoColumns)
      .where(last ? sql<boolean>`(created_at, id) < ${last}` : sql<boolean>`true`)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
  }

  async countActive(userId: number): Promise<number> {
    const count = this.activeUploadsQuery(userId).select(sql<number>`count(*)`.as('total'));
    return Number((await count.executeTakeFirstOrThrow()).total);
  }

  /** Returns an active or completed upload of the user for display; null if it has expired. */
  async findDto(id: string, userId: number): Promise<ResumableUploadDto | null> {
    const row = await this.ownUploadsQuery(userId).select(dtoColumns).where('id', '=', id).executeTakeFirst();
    return row ?? null;
  }

  /**
   * Claims an upload for writing. If a former writer has not released it, the generation is raised, which excludes it.
   * @returns the generation; null if another request has continued the upload, or a clean-up has removed it
   */
  async claimUpload(em: EntityManager, { id, received, reservation }: ExpectedOffset): Promise<number | null> {
    const row = await query<Tables>(em)
      .updateTable('resumable_uploads')
      .set({ generation: sql<number>`generation + is_writing::int`, is_writing: true })
      .where('id', '=', id)
      .where('upload_id', '=', reservation.id)
      .where('received', '=', received)
      .returning('generation')
      .executeTakeFirst();
    return row ? row.generation : null;
  }

  /** Ends a claim: nothing is being written any more. */
  async releaseUpload(em: EntityManager, { id, generation }: Pick<ExpectedState, 'id' | 'generation'>): Promise<void> {
    await query<Tables>(em)
      .updateTable('resumable_uploads')
      .set({ is_writing: false })
      .where('id', '=', id)
      .where('generation', '=', generation)
      .execute();
  }

  /** Locks the upload against a takeover; false if another request has taken over, or a clean-up has removed it. */
  async lockGeneration(
    em: EntityManager,
    { id, generation }: Pick<ExpectedState, 'id' | 'generation'>,
  ): Promise<boolean> {
    const row = await query<Tables>(em)
      .selectFrom('resumable_uploads')
      .select('id')
      .where('id', '=', id)
      .where('generation', '=', generation)
      .where('upload_id', 'is not', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Moves the offset and renews the lease; false if another request has continued the upload. */
  async advanceOffset(
    em: EntityManager,
    { id, received, reservation, generation }: ExpectedState,
    newOffset: number,
    expiresAt: Date,
  ): Promise<boolean> {
    const { numUpdatedRows } = await query<Tables>(em)
      .with('advanced', (db) =>
        db
          .updateTable('resumable_uploads')
          .set({ received: newOffset, expires_at: expiresAt })
          .where('id', '=', id)
          .where('upload_id', '=', reservation.id)
          .where('received', '=', received)
          .where('generation', '=', generation)
          .returning('upload_id'),
      )
      .updateTable('uploads')
      .from('advanced')
      .set({ lease_until: expiresAt })
      .whereRef('uploads.id', '=', 'advanced.upload_id')
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /**
   * Detaches the upload from its reservation.
   * @returns the zone into which it goes, and whether it has parts; null if another request, or a clean-up, was first
   */
  async detachReservation(
    em: EntityManager,
    { id, received, reservation, generation }: ExpectedState,
    expiresAt: Date,
  ): Promise<{ zoneId: number; hasParts: boolean } | null> {
    const row = await query<Tables>(em)
      .updateTable('resumable_uploads')
      .where('id', '=', id)
      .where('received', '=', received)
      .where('generation', '=', generation)
      .set({ upload_id: null, expires_at: expiresAt })
      .where('upload_id', '=', reservation.id)
      .returning('zone_id as zoneId')
      .returning(sql<boolean>`exists (select from upload_parts p where p.upload_id = ${reservation.id})`.as('hasParts'))
      .executeTakeFirst();
    return row ?? null;
  }

  /** Extends an upload whose parts a browser sends. */
  async extendExpiry(em: EntityManager, id: string, expiresAt: Date): Promise<void> {
    await query<Tables>(em)
      .updateTable('resumable_uploads')
      .set({ expires_at: expiresAt })
      .where('id', '=', id)
      .execute();
  }

  /** Records the file that an upload has become. */
  async markCompleted(
    em: EntityManager,
    { id, received }: Pick<ExpectedState, 'id' | 'received'>,
    { length, fileId }: { length: number; fileId: number },
  ): Promise<void> {
    await query<Tables>(em)
      .updateTable('resumable_uploads')
      .where('id', '=', id)
      .where('received', '=', received)
      .set({ received: length, file_id: fileId })
      .execute();
  }

  async deleteUpload(em: EntityManager, id: string): Promise<void> {
    await query<Tables>(em).deleteFrom('resumable_uploads').where('id', '=', id).execute();
  }

  /** Deletes expired rows of completed uploads; active ones are deleted with their reservation. */
  async deleteCompleted(): Promise<void> {
    await query<Tables>(this.em.fork())
      .deleteFrom('resumable_uploads')
      .where('upload_id', 'is', null)
      .where('expires_at', '<=', this.clock.now())
      .execute();
  }

  private uploadsQuery() {
    return query<Tables>(this.em.fork())
      .selectFrom('resumable_uploads as r')
      .leftJoin('uploads as u', 'u.id', 'r.upload_id')
      .select(['r.id as id', 'r.user_id as userId', 'r.zone_id as zoneId', 'r.folder_id as folderId', 'r.name as name'])
      .select(['r.replaces_id as replaces', 'r.if_version as ifVersion'])
      .select([
        'r.on_conflict as onConflict',
        'r.length as length',
        'r.received as received',
        'r.created_at as createdAt',
        'r.expires_at as expiresAt',
      ])
      .select(['r.file_id as fileId', 'u.id as uploadId', 'u.object_key as objectKey', 'u.owner_id as ownerId'])
      .where('r.expires_at', '>', this.clock.now());
  }

  private activeUploadsQuery(userId: number) {
    return this.ownUploadsQuery(userId).where('upload_id', 'is not', null);
  }

  private ownUploadsQuery(userId: number) {
    return query<Tables>(this.em)
      .selectFrom('resumable_uploads')
      .where('user_id', '=', userId)
      .where('expires_at', '>', this.clock.now());
  }
}
