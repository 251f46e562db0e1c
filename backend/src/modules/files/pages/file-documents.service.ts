import { Readable } from 'node:stream';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { DrawingFault, Opened } from '../../../platform/drawing/drawing-protocol.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { newKey, Storage } from '../../../platform/storage/storage.js';
import type { DocumentState, FileDocumentSchema, FilePageSchema } from '../entities/document.entity.js';
import type { FileSchema, FileThumbnailSchema } from '../entities/file.entity.js';
import { deleteObjects, drawFirstPages } from '../files.jobs.js';
import { DOCUMENT_TYPE } from '../shared/documents.js';

type Tables = typeof FileSchema | typeof FileThumbnailSchema | typeof FileDocumentSchema | typeof FilePageSchema;

/** The family of keys of pages. */
export const PAGES = 'pages';
/** Documents looked for in one query. */
const SOUGHT = 500;
/** Rows that one statement removes, and objects that one job does. */
const A_STATEMENT = 5000;
const A_JOB = 500;

/** A file of which pages are drawn, and what there is of them. */
export interface DocumentFile {
  readonly fileId: number;
  readonly objectKey: string;
  readonly size: number;
  readonly state: DocumentState | null;
  readonly pageCount: number | null;
  readonly hasThumbnail: boolean;
}

/** What is known of documents and their pages: rows, and the objects that they name. */
@Injectable()
export class FileDocuments {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly storage: Storage,
    private readonly jobs: Jobs,
  ) {}

  /** A document whose bytes lie here; null of what is none, or gone. What was made of other contents is forgotten. */
  async find(fileId: number): Promise<DocumentFile | null> {
    const row = await query<Tables>(this.em)
      .selectFrom('files as f')
      .leftJoin('file_documents as d', 'd.file_id', 'f.id')
      .leftJoin('file_thumbnails as t', 't.file_id', 'f.id')
      .select(['f.object_key', 'f.size', 'd.content_key', 'd.state', 'd.page_count', 't.file_id as thumbnail_of'])
      .where('f.id', '=', fileId)
      .where('f.mime_type', '=', DOCUMENT_TYPE)
      .where('f.storage_type', '=', this.storage.type)
      .executeTakeFirst();
    if (!row) return null;
    const file = { fileId, objectKey: row.object_key, size: Number(row.size) };
    if (row.content_key !== null && row.content_key !== row.object_key) {
      await this.forget(file);
      return { ...file, state: null, pageCount: null, hasThumbnail: false };
    }
    return { ...file, state: row.state, pageCount: row.page_count, hasThumbnail: row.thumbnail_of !== null };
  }

  /** Notes how many pages it has. It waits until its first pages are there. */
  async opened({ fileId, objectKey }: DocumentFile, { count, sizes }: Opened): Promise<void> {
    await sql`
      insert into file_documents (file_id, content_key, state, page_count, sizes, updated_at)
      select id, object_key, 'waiting', ${count}::int, ${JSON.stringify(sizes)}::jsonb, ${this.clock.now()}::timestamptz
      from files where id = ${fileId} and object_key = ${objectKey} for key share
      on conflict (file_id) do update set page_count = excluded.page_count, sizes = excluded.sizes,
        updated_at = excluded.updated_at`.execute(query<Tables>(this.em));
  }

  /** Its first pages are there. */
  async ready({ fileId, objectKey }: DocumentFile): Promise<void> {
    const now = this.clock.now();
    await sql`
      update file_documents set state = 'ready', first_at = coalesce(first_at, ${now}::timestamptz), updated_at = ${now}::timestamptz
      where file_id = ${fileId} and content_key = ${objectKey} and state = 'waiting'`.execute(query<Tables>(this.em));
  }

  /** It cannot be drawn, for what it is. */
  async failed({ fileId, objectKey }: DocumentFile, fault: DrawingFault): Promise<void> {
    await sql`
      insert into file_documents (file_id, content_key, state, failure, updated_at)
      select id, object_key, 'failed', ${fault}, ${this.clock.now()}::timestamptz
      from files where id = ${fileId} and object_key = ${objectKey} for key share
      on conflict (file_id) do update set state = 'failed', failure = excluded.failure, updated_at = excluded.updated_at`.execute(
      query<Tables>(this.em),
    );
  }

  /** The widths in which a page is there. */
  async widthsOf({ fileId }: DocumentFile, page: number): Promise<number[]> {
    const rows = await query<Tables>(this.em)
      .selectFrom('file_pages')
      .select('width')
      .where('file_id', '=', fileId)
      .where('page', '=', page)
      .execute();
    return rows.map(({ width }) => width);
  }

  /** The object first; when the file was purged meanwhile, or somebody was faster, it goes again. */
  async keep({ fileId, objectKey }: DocumentFile, page: number, width: number, bytes: Buffer): Promise<void> {
    const key = newKey(PAGES);
    const { size } = await this.storage.write(key, Readable.from([bytes]));
    const { rows } = await sql`
      insert into file_pages (file_id, page, width, object_key, size)
      select f.id, ${page}::int, ${width}::smallint, ${key}, ${size}::int
      from files f join file_documents d on d.file_id = f.id
      where f.id = ${fileId} and d.content_key = ${objectKey} for key share of f
      on conflict do nothing returning file_id`.execute(query<Tables>(this.em));
    if (rows.length === 0) await this.storage.delete(key);
  }

  /** Has a page drawn again whose object is lost. */
  async renew(fileId: number, objectKey: string): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const lost = await query<Tables>(em)
        .deleteFrom('file_pages')
        .where('file_id', '=', fileId)
        .where('object_key', '=', objectKey)
        .executeTakeFirst();
      if (lost.numDeletedRows > 0n) await this.jobs.enqueue(em, drawFirstPages, { fileId });
    });
  }

  /** Has the first pages drawn of all documents that came before there were any, or whose job was given up. */
  async orderMissing(signal: AbortSignal): Promise<void> {
    for (let last = 0; !signal.aborted;) {
      const ids = await this.waiting(last);
      if (ids.length === 0) return;
      last = ids.at(-1)!;
      const payloads = ids.map((fileId) => ({ fileId }));
      await this.jobs.enqueueMany(this.em.fork(), drawFirstPages, payloads);
    }
  }

  /** Removes the pages of files that go, and has their objects removed: a document may have ten thousand. */
  async remove(em: EntityManager, fileIds: readonly number[]): Promise<void> {
    const ids = sql`${fileIds}::bigint[]`;
    for (let removed = A_STATEMENT; removed === A_STATEMENT;) {
      const { rows } = await sql<{ object_key: string }>`
        delete from file_pages where (file_id, page, width) in (
          select file_id, page, width from file_pages where file_id = any(${ids}) limit ${A_STATEMENT}
        ) returning object_key`.execute(query<Tables>(em));
      removed = rows.length;
      await this.removeObjects(
        em,
        rows.map((row) => row.object_key),
      );
    }
  }

  /** Has objects removed after the commit, a few hundred by a job. */
  async removeObjects(em: EntityManager, keys: readonly string[]): Promise<void> {
    const payloads = Array.from({ length: Math.ceil(keys.length / A_JOB) }, (_, at) => ({
      objectKeys: keys.slice(at * A_JOB, (at + 1) * A_JOB),
    }));
    await this.jobs.enqueueMany(em, deleteObjects, payloads);
  }

  /** Removes what was made of contents that a file no longer has. */
  private async forget({ fileId, objectKey }: Pick<DocumentFile, 'fileId' | 'objectKey'>): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const db = query<Tables>(em);
      const old = await db
        .selectFrom('file_documents')
        .select('file_id')
        .where('file_id', '=', fileId)
        .where('content_key', '<>', objectKey)
        .forUpdate()
        .executeTakeFirst();
      if (!old) return;
      await this.remove(em, [fileId]);
      const pictures = await db
        .deleteFrom('file_thumbnails')
        .where('file_id', '=', fileId)
        .returning('object_key')
        .execute();
      await this.removeObjects(
        em,
        pictures.map((row) => row.object_key),
      );
      await db.deleteFrom('file_documents').where('file_id', '=', fileId).execute();
    });
  }

  /** The next documents of which nothing is known yet, or not enough, by their ids. */
  private async waiting(after: number): Promise<number[]> {
    const rows = await query<Tables>(this.em.fork())
      .selectFrom('files as f')
      .leftJoin('file_documents as d', 'd.file_id', 'f.id')
      .select('f.id')
      .where('f.id', '>', after)
      .where('f.mime_type', '=', DOCUMENT_TYPE)
      .where('f.size', '>', 0)
      .where('f.storage_type', '=', this.storage.type)
      .where((or) => or.or([or('d.file_id', 'is', null), or('d.state', '=', 'waiting')]))
      .orderBy('f.id')
      .limit(SOUGHT)
      .execute();
    return rows.map(({ id }) => Number(id));
  }
}
