import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { cursorTuple } from '../../../platform/http/lists/cursor.js';
import type { FileRequestSchema, FileSubmissionSchema } from '../entities/file-request.entity.js';
import type { FileSchema } from '../entities/file.entity.js';
import type { SubmissionTerms } from './file-request.policy.js';
import { isWithdrawableSql, sentFilesSql } from './file-request.sql.js';

type Tables = typeof FileRequestSchema | typeof FileSubmissionSchema | typeof FileSchema;

export interface RequestTerms extends SubmissionTerms {
  readonly isPrivate: boolean;
  /** Maximum size of one file, in bytes. */
  readonly maxFileBytes: number | null;
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
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly username: string | null;
  /** Sort keys of the person. */
  readonly senderName: string;
  readonly senderKey: number;
}

/** The folder of a request and the zone that it is in. */
export interface RequestFolder {
  readonly id: number;
  readonly zoneId: number;
}

/** People with the same name are kept apart by their id. Files of deleted accounts come last. */
const senderNameSql = sql`coalesce(u.first_name || coalesce(' ' || nullif(u.last_name, '.'), ''), u.username, '') collate "tr_numeric"`;
const senderKeySql = sql`coalesce(s.user_id, 0)`;
const isDeletedSql = sql`(s.user_id is null)::int`;

/** File requests, and who sent which file. Changes hold the lock of the zone. */
@Injectable()
export class FileRequestRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns what a folder accepts, with the name of a person and what they have sent; null if it requests no files.
   * Compares the deadline with the present time of the database, also late in a transaction.
   */
  async findTerms(em: EntityManager, folderId: number, userId: number): Promise<RequestTerms | null> {
    const { rows } = await sql<RequestTerms>`
      select r.closes_at is null or r.closes_at > clock_timestamp() as "isOpen", r.is_private as "isPrivate",
        r.max_files_per_person as "maxFilesPerPerson", r.max_file_bytes as "maxFileBytes",
        ${sentFilesSql(sql`r.folder_id`, userId)} as "sentFiles",
        u.first_name as "firstName", u.last_name as "lastName", u.username
      from file_requests r join users u on u.id = ${userId} where r.folder_id = ${folderId}`.execute(query<Tables>(em));
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
    { folderId, userId, isPrivate }: { folderId: number; userId: number; isPrivate: boolean },
    fileIds: readonly number[],
  ): Promise<void> {
    await query<Tables>(em)
      .insertInto('file_submissions')
      .values(
        fileIds.map((fileId) => ({
          file_id: fileId,
          folder_id: folderId,
          user_id: userId,
          is_private: isPrivate,
        })),
      )
      .execute();
  }

  /** Whether the user sent the file, it is still in the folder of the request, and that is open. */
  async isWithdrawable(fileId: number, userId: number): Promise<boolean> {
    const { rows } = await sql<{ is: boolean }>`
      select ${isWithdrawableSql('f', userId)} as is from files f where f.id = ${fileId}`.execute(
      query<Tables>(this.em),
    );
    return rows[0]?.is ?? false;
  }

  /**
   * Returns up to `limit` files that were sent to a folder, by person and then newest first. Leaves out those in the
   * trash and those that were moved to another zone.
   * @throws VALIDATION_FAILED for an invalid cursor
   */
  async listSubmissions({ id, zoneId }: RequestFolder, limit: number, cursor?: string): Promise<SubmissionRow[]> {
    const after = cursor
      ? sql`(${isDeletedSql}, ${senderNameSql}, ${senderKeySql}, -f.id) > ${cursorTuple(cursor, ['int', 'varchar', 'bigint', 'bigint'])}`
      : sql`true`;
    const { rows } = await sql<SubmissionRow>`
      select f.id, f.original_name as name, f.mime_type as "mimeType", f.size, f.created_at as "sentAt",
        s.user_id as "userId", u.first_name as "firstName", u.last_name as "lastName", u.username,
        ${senderNameSql} as "senderName", ${senderKeySql} as "senderKey"
      from file_submissions s join files f on f.id = s.file_id left join users u on u.id = s.user_id
      where s.folder_id = ${id} and f.zone_id = ${zoneId} and f.trashed_at is null and ${after}
      order by ${isDeletedSql}, ${senderNameSql}, ${senderKeySql}, -f.id limit ${limit}`.execute(
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
