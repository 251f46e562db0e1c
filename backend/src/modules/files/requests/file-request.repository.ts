import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { cursorTuple } from '../../../platform/http/lists/cursor.js';
import type { FileRequestSchema, FileSubmissionSchema } from '../entities/file-request.entity.js';
import type { FileSchema } from '../entities/file.entity.js';
import { isGuest, type GuestViewer } from '../../zones/access/visible-files.sql.js';
import type { SubmissionTerms } from './file-request.policy.js';
import { isWithdrawableSql, sentFilesSql } from './file-request.sql.js';

type Tables = typeof FileRequestSchema | typeof FileSubmissionSchema | typeof FileSchema;

/** A guest of a link who sends files. */
export interface SendingGuest extends GuestViewer {
  /** As stated, not verified. */
  readonly email: string | null;
}

/** The id of a user, or a guest of a link. */
export type Sender = number | SendingGuest;

export interface RequestTerms extends SubmissionTerms {
  readonly isPrivate: boolean;
  /** Maximum size of one file, in bytes. */
  readonly maxFileBytes: number | null;
  /** Null for guests. */
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly username: string | null;
}

export interface NewFileRequest {
  readonly folderId: number;
  readonly isPrivate: boolean;
  readonly instructions: string | null;
  readonly closesAt: Date | null;
  readonly maxFilesPerPerson: number | null;
  readonly maxFileBytes: number | null;
  readonly createdById: number;
}

export interface SubmissionRow {
  readonly id: number;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sentAt: Date;
  readonly userId: number | null;
  /** Null for members and for deleted accounts. */
  readonly guestKey: string | null;
  readonly guestEmail: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly username: string | null;
  /** Sort keys of the person. */
  readonly senderName: string;
  readonly senderKey: string;
}

/** The folder of a request and the zone that it is in. */
export interface RequestFolder {
  readonly id: number;
  readonly zoneId: number;
}

/** People with the same name are kept apart by their key. Files of deleted accounts come last. */
const senderNameSql = sql`coalesce(u.first_name || coalesce(' ' || nullif(u.last_name, '.'), ''), u.username, s.guest_email, '') collate "tr_numeric"`;
const senderKeySql = sql`coalesce(s.user_id::text, s.guest_key::text, '')`;
/** Members first, then guests. */
const senderKindSql = sql`case when s.user_id is not null then 0 when s.guest_key is not null then 1 else 2 end`;

/** File requests, and who sent which file. Changes hold the lock of the zone. */
@Injectable()
export class FileRequestRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns what a folder accepts, with the name of a user and what they have sent; null if it requests no files.
   * Compares the deadline with the present time of the database, also late in a transaction.
   */
  async findTerms(em: EntityManager, folderId: number, sender: Sender): Promise<RequestTerms | null> {
    const { rows } = await sql<RequestTerms>`
      select r.closes_at is null or r.closes_at > clock_timestamp() as "isOpen", r.is_private as "isPrivate",
        r.max_files_per_person as "maxFilesPerPerson", r.max_file_bytes as "maxFileBytes",
        ${sentFilesSql(sql`r.folder_id`, sender)} as "sentFiles",
        u.first_name as "firstName", u.last_name as "lastName", u.username
      from file_requests r left join users u on u.id = ${isGuest(sender) ? null : sender}::bigint where r.folder_id = ${folderId}`.execute(
      query<Tables>(em),
    );
    return rows[0] ?? null;
  }

  async saveRequest(em: EntityManager, request: NewFileRequest): Promise<void> {
    const terms = {
      is_private: request.isPrivate,
      instructions: request.instructions,
      closes_at: request.closesAt,
      max_files_per_person: request.maxFilesPerPerson,
      max_file_bytes: request.maxFileBytes,
    };
    await query<Tables>(em)
      .insertInto('file_requests')
      .values({
        folder_id: request.folderId,
        ...terms,
        created_by_id: request.createdById,
        created_at: this.clock.now(),
      })
      .onConflict((conflict) => conflict.column('folder_id').doUpdateSet(terms))
      .execute();
  }

  /** @returns false if the folder requests no files */
  async deleteRequest(em: EntityManager, folderId: number): Promise<boolean> {
    const deleted = await query<Tables>(em)
      .deleteFrom('file_requests')
      .where('folder_id', '=', folderId)
      .executeTakeFirst();
    return deleted.numDeletedRows > 0n;
  }

  /** Records who sent files. */
  async insertSubmissions(
    em: EntityManager,
    { folderId, sender, isPrivate }: { folderId: number; sender: Sender; isPrivate: boolean },
    fileIds: readonly number[],
  ): Promise<void> {
    await query<Tables>(em)
      .insertInto('file_submissions')
      .values(
        fileIds.map((fileId) => ({
          file_id: fileId,
          folder_id: folderId,
          ...(isGuest(sender) ? { guest_key: sender.guestKey, guest_email: sender.email } : { user_id: sender }),
          is_private: isPrivate,
        })),
      )
      .execute();
  }

  /** Whether the person sent the file, it is still in the folder of the request, and that is open. */
  async isWithdrawable(em: EntityManager, fileId: number, sender: number | GuestViewer): Promise<boolean> {
    const { rows } = await sql<{ is: boolean }>`
      select ${isWithdrawableSql('f', sender)} as is from files f where f.id = ${fileId}`.execute(query<Tables>(em));
    return rows[0]?.is ?? false;
  }

  /** Returns those of the files that a guest sent. */
  async findSentIds(fileIds: readonly number[], { guestKey }: GuestViewer): Promise<Set<number>> {
    const rows = await query<Tables>(this.em)
      .selectFrom('file_submissions')
      .select('file_id')
      .where(sql<boolean>`file_id = any(${[...fileIds]}::bigint[])`)
      .where('guest_key', '=', guestKey)
      .execute();
    return new Set(rows.map((row) => Number(row.file_id)));
  }

  /** Whether a folder requests files, also after the deadline. */
  async isRequesting(em: EntityManager, folderId: number): Promise<boolean> {
    const request = await query<Tables>(em)
      .selectFrom('file_requests')
      .select('folder_id')
      .where('folder_id', '=', folderId)
      .executeTakeFirst();
    return request !== undefined;
  }

  /**
   * Keeps submissions in the trash private that are restored to the root or will be, because the folder of the request is
   * in the trash, deleted or in another zone. Call it while the files still refer to that folder.
   */
  async keepAtRoot(
    em: EntityManager,
    { by, ids }: { readonly by: 'file_id' | 'folder_id'; readonly ids: readonly number[] },
  ): Promise<void> {
    await sql`
      update file_submissions s set root_zone_id = f.zone_id from files f
      where s.${sql.ref(by)} = any(${[...ids]}::bigint[]) and f.id = s.file_id and f.folder_id = s.folder_id
        and f.trashed_at is not null`.execute(query<Tables>(em));
  }

  /** Publishes private submissions at the root that a manager moves, wherever they are moved later. */
  async clearAtRoot(em: EntityManager, fileIds: readonly number[]): Promise<void> {
    if (fileIds.length === 0) return;
    await sql`update file_submissions set root_zone_id = null
      where file_id = any(${[...fileIds]}::bigint[]) and root_zone_id is not null`.execute(query<Tables>(em));
  }

  /**
   * Returns up to `limit` files that were sent to a folder, by person and then newest first. Leaves out those in the
   * trash and those that were moved to another zone.
   * @throws VALIDATION_FAILED for an invalid cursor
   */
  async listSubmissions({ id, zoneId }: RequestFolder, limit: number, cursor?: string): Promise<SubmissionRow[]> {
    const after = cursor
      ? sql`(${senderKindSql}, ${senderNameSql}, ${senderKeySql}, -f.id) > ${cursorTuple(cursor, ['int', 'varchar', 'varchar', 'bigint'])}`
      : sql`true`;
    const { rows } = await sql<SubmissionRow>`
      select f.id, f.original_name as name, f.mime_type as "mimeType", f.size, f.created_at as "sentAt",
        s.user_id as "userId", s.guest_key as "guestKey", s.guest_email as "guestEmail", u.first_name as "firstName", u.last_name as "lastName", u.username,
        ${senderNameSql} as "senderName", ${senderKeySql} as "senderKey"
      from file_submissions s join files f on f.id = s.file_id left join users u on u.id = s.user_id
      where s.folder_id = ${id} and f.zone_id = ${zoneId} and f.trashed_at is null and ${after}
      order by ${senderKindSql}, ${senderNameSql}, ${senderKeySql}, -f.id limit ${limit}`.execute(
      query<Tables>(this.em),
    );
    return rows;
  }

  async countSubmissions({ id, zoneId }: RequestFolder): Promise<number> {
    const { rows } = await sql<{ total: number }>`
      select count(*)::int as total from file_submissions s join files f on f.id = s.file_id
      where s.folder_id = ${id} and f.zone_id = ${zoneId} and f.trashed_at is null`.execute(query<Tables>(this.em));
    return rows[0]!.total;
  }
}
