import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { FileDocumentSchema } from '../entities/document.entity.js';
import type { FileSchema, FileThumbnailSchema } from '../entities/file.entity.js';
import type { ReadingPositionSchema } from '../entities/reading-position.entity.js';

type Tables = typeof ReadingPositionSchema | typeof FileSchema | typeof FileDocumentSchema | typeof FileThumbnailSchema;

/** A position in a document (`page`) or in audio or video (`seconds`). */
export interface Position {
  readonly page: number | null;
  readonly fraction: number;
  readonly seconds: number | null;
}

export interface UnfinishedRow {
  readonly fileId: number;
  readonly version: number;
  readonly page: number;
  readonly pageCount: number;
  readonly hasThumbnail: boolean;
  readonly readAt: Date;
}

/** Where people stopped reading. Callers check their access to the files. */
@Injectable()
export class ReadingPositionRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores the position of a user in a file. A page is compared with the pages of the file's current content in the
   * same statement.
   * @returns `rejected` if the file has no such page, or its pages aren't known
   */
  async savePosition(
    userId: number,
    fileId: number,
    { page, fraction, seconds }: Position,
  ): Promise<'inserted' | 'updated' | 'rejected'> {
    const { rows } = await sql<{ inserted: boolean }>`
      insert into reading_positions (user_id, file_id, page, fraction, seconds, updated_at)
      select ${userId}::bigint, f.id, ${page}::int, ${fraction}::float8, ${seconds}::int,
        ${this.clock.now()}::timestamptz
      from files f left join file_documents d on d.file_id = f.id and d.content_key = f.object_key
      where f.id = ${fileId} and (${page}::int is null or ${page}::int <= d.page_count)
      on conflict (user_id, file_id) do update set page = excluded.page, fraction = excluded.fraction,
        seconds = excluded.seconds, updated_at = excluded.updated_at
      returning xmax = 0 as inserted`.execute(query<Tables>(this.em));
    if (!rows[0]) return 'rejected';
    return rows[0].inserted ? 'inserted' : 'updated';
  }

  /** Deletes all positions of a user except the latest ones. */
  async deleteOldest(userId: number, kept: number): Promise<void> {
    // Skips locked rows, so that it never waits for another position of the same user.
    await sql`
      delete from reading_positions where user_id = ${userId} and file_id in (
        select file_id from reading_positions where user_id = ${userId}
        order by updated_at desc, file_id desc offset ${kept} for update skip locked
      )`.execute(query<Tables>(this.em));
  }

  /**
   * Returns the position of a user in a file, or null. If the file was replaced by one with fewer pages, that is its
   * last page; while the pages of the new content aren't known, there is none.
   */
  async findPosition(userId: number, fileId: number): Promise<(Position & { readonly updatedAt: Date }) | null> {
    const { rows } = await sql<Position & { updatedAt: Date }>`
      select least(p.page, d.page_count) as page,
        case when p.page > d.page_count then 0 else p.fraction end as fraction, p.seconds, p.updated_at as "updatedAt"
      from reading_positions p join files f on f.id = p.file_id
      left join file_documents d on d.file_id = f.id and d.content_key = f.object_key
      where p.user_id = ${userId} and p.file_id = ${fileId} and (p.page is null or d.page_count is not null)`.execute(
      query<Tables>(this.em),
    );
    return rows[0] ?? null;
  }

  /** Returns the documents in which the user is beyond the first page and before the last one, latest first. */
  async findUnfinished(userId: number): Promise<UnfinishedRow[]> {
    const { rows } = await sql<UnfinishedRow>`
      select f.id as "fileId", f.version, p.page, d.page_count as "pageCount", t.file_id is not null as "hasThumbnail",
        p.updated_at as "readAt"
      from reading_positions p join files f on f.id = p.file_id and f.trashed_at is null
      join file_documents d on d.file_id = f.id and d.content_key = f.object_key
      left join file_thumbnails t on t.file_id = f.id
      where p.user_id = ${userId} and p.page > 1 and p.page < d.page_count
      order by p.updated_at desc, p.file_id desc`.execute(query<Tables>(this.em));
    return rows;
  }
}
