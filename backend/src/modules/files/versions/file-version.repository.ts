import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { cursorTuple } from '../../../platform/http/lists/cursor.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import type { FileSchema } from '../entities/file.entity.js';
import type { FileVersionSchema } from '../entities/file-version.entity.js';

type Tables = typeof FileSchema | typeof FileVersionSchema | typeof UserSchema;

export interface FileVersionRow {
  readonly number: number;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  readonly uploadedById: number | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly username: string | null;
  readonly uploadedAt: Date;
  readonly replacedAt: Date | null;
}

export interface StoredVersion {
  readonly objectKey: string;
  /** Bytes. */
  readonly size: number;
}

export interface VersionContent extends StoredVersion {
  readonly originalName: string;
  readonly mimeType: string;
  readonly sha256: string;
  readonly isCurrent: boolean;
}

export interface FileOfZone {
  readonly id: number;
  readonly zoneId: number;
  readonly ownerId: number;
}

/** Earlier versions with their place: 1 for the newest of a file. */
const rankedSql = (condition: RawBuilder<unknown>) => sql`
  select id, file_id, created_at, row_number() over (partition by file_id order by number desc) as place
  from file_versions where ${condition}`;

/** All contents of a file, the current one included. */
const contentsSql = (fileId: number) => sql`
  select version as number, original_name, mime_type, size, sha256, object_key, uploaded_by_id,
    coalesce(replaced_at, created_at) as uploaded_at, null::timestamptz as replaced_at from files where id = ${fileId}
  union all
  select number, original_name, mime_type, size, sha256, object_key, uploaded_by_id, uploaded_at, created_at
  from file_versions where file_id = ${fileId}`;

/** The contents of files, the current and the earlier ones. Replacing adds them, see `FileRepository`. */
@Injectable()
export class FileVersionRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns up to `limit` contents of a file, newest first.
   * @throws VALIDATION_FAILED for an invalid cursor
   */
  async listVersions(fileId: number, limit: number, cursor?: string): Promise<FileVersionRow[]> {
    const before = cursor ? sql`(c.number) < ${cursorTuple(cursor, ['int'])}` : sql`true`;
    const { rows } = await sql<FileVersionRow>`
      select c.number, c.original_name as name, c.mime_type as "mimeType", c.size, c.uploaded_by_id as "uploadedById",
        u.first_name as "firstName", u.last_name as "lastName", u.username, c.uploaded_at as "uploadedAt",
        c.replaced_at as "replacedAt"
      from (${contentsSql(fileId)}) c left join users u on u.id = c.uploaded_by_id
      where ${before} order by c.number desc limit ${limit}`.execute(query<Tables>(this.em));
    return rows;
  }

  async countVersions(fileId: number): Promise<number> {
    const { rows } = await sql<{ total: number }>`
      select count(*) as total from (${contentsSql(fileId)}) c`.execute(query<Tables>(this.em));
    return rows[0]!.total;
  }

  /** Returns the current or an earlier content of a file; null if there is none with this number. */
  async findContent(fileId: number, number: number): Promise<VersionContent | null> {
    const { rows } = await sql<VersionContent>`
      select c.original_name as "originalName", c.mime_type as "mimeType", c.size, c.sha256,
        c.object_key as "objectKey", c.replaced_at is null as "isCurrent"
      from (${contentsSql(fileId)}) c where c.number = ${number}`.execute(query<Tables>(this.em));
    return rows[0] ?? null;
  }

  /**
   * Returns up to `limit` files with versions beyond what their zones keep, by id. Files in the trash are left out:
   * their entries state the bytes that purging frees.
   */
  async findFilesWithExpired(afterId: number, limit: number): Promise<FileOfZone[]> {
    const { rows } = await sql<FileOfZone>`
      select distinct f.id, f.zone_id as "zoneId", z.owner_id as "ownerId"
      from (${rankedSql(sql`file_id > ${afterId}`)}) v join files f on f.id = v.file_id join zones z on z.id = f.zone_id
      where f.trashed_at is null and z.deleted_at is null and ${this.isExpiredSql()}
      order by f.id limit ${limit}`.execute(query<Tables>(this.em.fork()));
    return rows;
  }

  /** Deletes the versions of a file beyond what its zone keeps; of two that exceed the number, the older one goes. */
  async deleteExpired(em: EntityManager, fileId: number): Promise<StoredVersion[]> {
    const { rows } = await sql<StoredVersion>`
      delete from file_versions where id in (
        select v.id from (${rankedSql(sql`file_id = ${fileId}`)}) v join files f on f.id = v.file_id
        join zones z on z.id = f.zone_id where ${this.isExpiredSql()}
      ) returning object_key as "objectKey", size`.execute(query<Tables>(em));
    return rows;
  }

  /** Deletes an earlier version; null if there is none with this number. */
  async deleteVersion(em: EntityManager, fileId: number, number: number): Promise<StoredVersion | null> {
    const deleted = await query<Tables>(em)
      .deleteFrom('file_versions')
      .where('file_id', '=', fileId)
      .where('number', '=', number)
      .returning(['object_key as objectKey', 'size'])
      .executeTakeFirst();
    return deleted ? { objectKey: deleted.objectKey, size: Number(deleted.size) } : null;
  }

  /** Whether a ranked version `v` is beyond what its zone `z` keeps. */
  private isExpiredSql(): RawBuilder<boolean> {
    return sql<boolean>`(v.place > z.versions_kept or v.created_at < ${this.clock.now()}::timestamptz - make_interval(days => z.versions_days))`;
  }
}
