import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { RenderFailure, OpenedDocument, OutlineEntry } from '../../../platform/rendering/rendering-protocol.js';
import { OfficeService } from '../../../platform/rendering/office/office.service.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { Storage } from '../../../platform/storage/storage.js';
import type { ZoneSchema } from '../../zones/entities/zone.entity.js';
import type { HiddenPartsDto } from '../dto/document.dto.js';
import type { FileBrokenPageSchema, FileDocumentSchema, FilePdfSchema } from '../entities/document.entity.js';
import type { FileSchema, FileThumbnailSchema } from '../entities/file.entity.js';
import { renderFirstPages } from '../files.jobs.js';
import { DOCUMENT_TYPES, RENDERED_TYPES, formatOf, hasText, officeKindOf } from '../shared/document-types.js';
import type { DocumentFile } from './document-file.js';
import { PageStoreService } from './page-store.service.js';
import { PageTextStoreService } from './page-text-store.service.js';

type Tables =
  | typeof FileSchema
  | typeof ZoneSchema
  | typeof FileThumbnailSchema
  | typeof FileDocumentSchema
  | typeof FilePdfSchema
  | typeof FileBrokenPageSchema;

/** Content of a document besides its pages. */
interface DocumentContent {
  readonly sizes: readonly (readonly [width: number, height: number])[] | null;
  readonly outline: readonly OutlineEntry[] | null;
  readonly attachments: readonly string[] | null;
  readonly hidden: HiddenPartsDto | null;
}

/** Documents per query. */
const BATCH_SIZE = 500;
/** Stores the metadata of documents. Their pages are in `PageStoreService`. */
@Injectable()
export class DocumentService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly storage: Storage,
    private readonly jobs: JobsService,
    private readonly pageStore: PageStoreService,
    private readonly pageTextStore: PageTextStoreService,
    private readonly office: OfficeService,
  ) {}

  /**
   * Returns a document whose bytes are in the current storage, or null if the file is not a document or no longer
   * exists. Deletes everything that was generated from previous contents.
   */
  async findDocument(fileId: number): Promise<DocumentFile | null> {
    const row = await query<Tables>(this.em)
      .selectFrom('files as f')
      .innerJoin('zones as z', 'z.id', 'f.zone_id')
      .leftJoin('file_documents as d', 'd.file_id', 'f.id')
      .leftJoin('file_thumbnails as t', 't.file_id', 'f.id')
      .leftJoin('file_pdfs as p', 'p.file_id', 'f.id')
      .select([
        'z.owner_id',
        'f.object_key',
        'f.size',
        'f.mime_type',
        'd.content_key',
        'd.state',
        'd.failure',
        'd.page_count',
        'd.texts',
      ])
      .select(['t.file_id as thumbnail_of', 'p.object_key as pdf_key', 'p.size as pdf_size'])
      .where('f.id', '=', fileId)
      .where('f.mime_type', 'in', DOCUMENT_TYPES)
      .where('f.storage_type', '=', this.storage.type)
      .executeTakeFirst();
    if (!row) return null;
    const { object_key: objectKey, mime_type: mimeType, pdf_key: pdfKey, pdf_size: pdfSize } = row;
    const [format, size, owner] = [formatOf(mimeType), Number(row.size), Number(row.owner_id)];
    const file = { fileId, owner, objectKey, size, format, office: officeKindOf(mimeType) };
    const ownSource = format === 'office' ? null : { objectKey, size, format, owner };
    if (row.content_key !== null && row.content_key !== objectKey) {
      await this.deleteStale(file);
      const emptyState = { state: null, failure: null, pageCount: null, hasThumbnail: false, texts: 'none' } as const;
      return { ...file, source: ownSource, ...emptyState };
    }
    const { state, failure, page_count: pageCount, texts } = row;
    const pdf = pdfKey === null ? null : ({ objectKey: pdfKey, size: pdfSize!, format: 'pdf', owner } as const);
    const recorded = { state, failure, pageCount, hasThumbnail: row.thumbnail_of !== null, texts: texts ?? 'none' };
    return { ...file, source: ownSource ?? pdf, ...recorded };
  }

  /**
   * Returns the width and height of all pages in points, the outline and the attachments (each null until read), and
   * what is hidden in the document.
   */
  async getContent(fileId: number): Promise<DocumentContent> {
    const row = await query<Tables>(this.em)
      .selectFrom('file_documents')
      .select(['sizes', 'outline', 'attachments', 'hidden_sheets', 'hidden_deletions', 'hidden_layers'])
      .where('file_id', '=', fileId)
      .executeTakeFirst();
    if (!row) return { sizes: null, outline: null, attachments: null, hidden: null };
    const { sizes, outline, attachments } = row;
    const hidden = { sheets: row.hidden_sheets, deletions: row.hidden_deletions, layers: row.hidden_layers };
    const hasHidden = hidden.sheets > 0 || hidden.deletions || hidden.layers;
    return { sizes, outline, attachments, hidden: hasHidden ? hidden : null };
  }

  /** Records that a document has text in hidden layers. */
  async recordHiddenLayers({ fileId, objectKey }: DocumentFile): Promise<void> {
    await query<Tables>(this.em)
      .updateTable('file_documents')
      .set({ hidden_layers: true })
      .where('file_id', '=', fileId)
      .where('content_key', '=', objectKey)
      .execute();
  }

  async saveOutline({ fileId, objectKey }: DocumentFile, outline: readonly OutlineEntry[]): Promise<void> {
    await sql`
      update file_documents set outline = ${JSON.stringify(outline)}::jsonb
      where file_id = ${fileId} and content_key = ${objectKey}`.execute(query<Tables>(this.em));
  }

  /**
   * Enqueues the rendering of the first pages of a document about which nothing is known yet. Concurrent calls enqueue
   * only one job.
   */
  async enqueueRendering({ fileId, objectKey }: DocumentFile): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const { rows } = await sql`
        insert into file_documents (file_id, content_key, state, updated_at)
        select id, object_key, 'waiting', ${this.clock.now()}::timestamptz
        from files where id = ${fileId} and object_key = ${objectKey} for key share
        on conflict do nothing returning file_id`.execute(query<Tables>(em));
      if (rows.length > 0) await this.jobs.enqueue(em, renderFirstPages, { fileId });
    });
  }

  /**
   * Enqueues the rendering again with a lower priority.
   * @param queuePenalty lowers the priority; see `FairSchedulerService`
   * @param runAt earliest start
   */
  async requeueRendering({ fileId }: DocumentFile, queuePenalty: number, runAt?: Date): Promise<void> {
    await this.jobs.enqueue(
      this.em,
      renderFirstPages,
      { fileId, place: queuePenalty },
      { priority: queuePenalty, runAt },
    );
  }

  /**
   * Retries failed renderings and text extractions, and clears the list of broken pages. Pages that are ready stay as
   * they are.
   */
  async retryRendering({ fileId }: Pick<DocumentFile, 'fileId'>): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const db = query<Tables>(em);
      await db
        .updateTable('file_documents')
        .set({ state: 'waiting', failure: null, updated_at: this.clock.now() })
        .where('file_id', '=', fileId)
        .where('state', 'in', ['failed', 'none'])
        .execute();
      await this.pageTextStore.deleteEmptyTexts(em, fileId);
      await db.deleteFrom('file_broken_pages').where('file_id', '=', fileId).execute();
      await this.jobs.enqueue(em, renderFirstPages, { fileId });
    });
  }

  /**
   * Records the number and sizes of pages and the attachments. The state stays `waiting` until the first pages are
   * rendered.
   */
  async recordOpened(
    { fileId, objectKey }: DocumentFile,
    { count, sizes, attachments }: OpenedDocument,
  ): Promise<void> {
    await sql`
      insert into file_documents (file_id, content_key, state, page_count, sizes, attachments, updated_at)
      select id, object_key, 'waiting', ${count}::int, ${JSON.stringify(sizes)}::jsonb,
        ${JSON.stringify(attachments)}::jsonb, ${this.clock.now()}::timestamptz
      from files where id = ${fileId} and object_key = ${objectKey} for key share
      on conflict (file_id) do update set page_count = excluded.page_count, sizes = excluded.sizes,
        attachments = excluded.attachments, updated_at = excluded.updated_at`.execute(query<Tables>(this.em));
  }

  /** Marks the first pages as rendered and enqueues the extraction of all texts, unless the document has no text. */
  async markReady(file: DocumentFile): Promise<void> {
    const now = this.clock.now();
    await inTransaction(this.em, async (em) => {
      await sql`
        update file_documents set state = 'ready', texts = case when ${hasText(file)} then texts else 'ready' end,
          first_at = coalesce(first_at, ${now}::timestamptz), updated_at = ${now}::timestamptz
        where file_id = ${file.fileId} and content_key = ${file.objectKey} and state = 'waiting'`.execute(
        query<Tables>(em),
      );
      if (hasText(file)) await this.pageTextStore.enqueueExtraction(em, file);
    });
  }

  /** Marks the document as not renderable, because of its contents or because LibreOffice is not installed. */
  async markFailed({ fileId, objectKey }: DocumentFile, failure: RenderFailure): Promise<void> {
    const state = failure === 'no-office' ? 'none' : 'failed';
    await sql`
      insert into file_documents (file_id, content_key, state, failure, updated_at)
      select id, object_key, ${state}, ${failure}, ${this.clock.now()}::timestamptz
      from files where id = ${fileId} and object_key = ${objectKey} for key share
      on conflict (file_id) do update set state = excluded.state, failure = excluded.failure, updated_at = excluded.updated_at`.execute(
      query<Tables>(this.em),
    );
  }

  /** Enqueues the rendering of documents that were uploaded before rendering existed, or whose job was abandoned. */
  async enqueueMissing(signal: AbortSignal): Promise<void> {
    for (let last = 0; !signal.aborted;) {
      const ids = await this.findWaiting(last);
      if (ids.length === 0) return;
      last = ids.at(-1)!;
      const payloads = ids.map((fileId) => ({ fileId }));
      await this.jobs.enqueueMany(this.em.fork(), renderFirstPages, payloads);
    }
  }

  /** Deletes everything that was generated from contents that the file no longer has. */
  private async deleteStale({ fileId, objectKey }: Pick<DocumentFile, 'fileId' | 'objectKey'>): Promise<void> {
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
      await this.pageStore.deletePages(em, [fileId]);
      const pictures = await db
        .deleteFrom('file_thumbnails')
        .where('file_id', '=', fileId)
        .returning('object_key')
        .execute();
      await this.pageStore.enqueueObjectDeletion(
        em,
        pictures.map((row) => row.object_key),
      );
      await db.deleteFrom('file_documents').where('file_id', '=', fileId).execute();
    });
  }

  /** Returns the next ids of documents about which nothing, or not enough, is known. */
  private async findWaiting(after: number): Promise<number[]> {
    const rows = await query<Tables>(this.em.fork())
      .selectFrom('files as f')
      .leftJoin('file_documents as d', 'd.file_id', 'f.id')
      .select('f.id')
      .where('f.id', '>', after)
      .where('f.size', '>', 0)
      .where('f.storage_type', '=', this.storage.type)
      .where((file) =>
        file.or([
          file('d.state', '=', 'waiting'),
          // LibreOffice may have been installed since.
          ...(this.office.isInstalled ? [file('d.failure', '=', 'no-office')] : []),
          file.and([file('d.file_id', 'is', null), file('f.mime_type', 'in', RENDERED_TYPES)]),
        ]),
      )
      .orderBy('f.id')
      .limit(BATCH_SIZE)
      .execute();
    return rows.map(({ id }) => Number(id));
  }
}
