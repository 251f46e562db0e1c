import { createReadStream } from 'node:fs';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { DrawingFailure } from '../../../platform/drawing/drawing.errors.js';
import type { DrawingSource } from '../../../platform/drawing/drawing.service.js';
import { Office, type OfficePdf } from '../../../platform/drawing/office/office.service.js';
import { DrawingTurns } from '../../../platform/drawing/turns/drawing-turns.service.js';
import { isPassing } from '../../../platform/errors/app-error.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { newKey, Storage } from '../../../platform/storage/storage.js';
import type { FileDocumentSchema, FilePdfSchema } from '../entities/document.entity.js';
import type { FileSchema } from '../entities/file.entity.js';
import { convertDocument } from '../files.jobs.js';
import type { DocumentFile } from './document-file.js';
import { FileDocuments } from './file-documents.service.js';
import { FilePages, PAGES } from './file-pages.service.js';

type Tables = typeof FileSchema | typeof FileDocumentSchema | typeof FilePdfSchema;

interface Payload {
  readonly fileId: number;
  readonly place?: number;
  readonly isRepeat?: boolean;
}

interface OrderOptions {
  readonly runAt?: Date;
  /** It took too long before. */
  readonly isRepeat?: boolean;
}

/** The PDF that pages of Office documents are drawn of: made by LibreOffice, kept beside the pages. */
@Injectable()
export class OfficeDocuments {
  private readonly logger = new Logger(OfficeDocuments.name);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly storage: Storage,
    private readonly office: Office,
    private readonly pages: FilePages,
    private readonly documents: FileDocuments,
    private readonly turns: DrawingTurns,
    private readonly jobs: Jobs,
  ) {}

  /** Has the PDF of a document made by a job that waits so far back, `runAt` then at the earliest. */
  async order({ fileId }: DocumentFile, place = 0, { runAt, isRepeat }: OrderOptions = {}): Promise<void> {
    await this.jobs.enqueue(this.em, convertDocument, { fileId, place, isRepeat }, { priority: place, runAt });
  }

  /**
   * Makes the PDF of a document and has its pages drawn. What concerns turns, tries and a storage that is away is as with
   * drawing (`PageDrawer`).
   * @throws STORAGE_UNAVAILABLE, DRAWING_BUSY
   */
  @OnJob(convertDocument)
  async convert({ fileId, place = 0, isRepeat }: Payload, { signal, isLastAttempt }: JobContext): Promise<void> {
    const file = await this.documents.find(fileId);
    if (!file || file.state === 'failed') return;
    const due = this.turns.placeOf(file.owner);
    try {
      if (!file.source && due > place) await this.order(file, due, { isRepeat });
      else if (file.source ?? (await this.prepare(file, signal))) await this.documents.putBack(file, due);
    } catch (error) {
      if (isLastAttempt && isPassing(error)) return this.order(file, due, { runAt: this.turns.later(), isRepeat });
      if (!(error instanceof DrawingFailure)) throw error;
      // Only what takes too long twice is too slow for good.
      if (error.fault === 'too-slow' && !isRepeat) return this.order(file, due, { isRepeat: true });
      this.logger.log({ fileId, fault: error.fault }, 'A document of which no PDF can be made');
      await this.documents.failed(file, error.fault);
    }
  }

  /**
   * Makes the PDF of a document.
   * @returns null when the file was purged meanwhile, or has other contents
   * @throws DrawingFailure for what the document is, or for want of LibreOffice; DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  private async prepare(file: DocumentFile, signal: AbortSignal): Promise<DrawingSource | null> {
    const { objectKey: original, size, owner, office } = file;
    if (!office) throw new DrawingFailure('damaged');
    if (!this.office.isThere) throw new DrawingFailure('no-office');
    return this.office.toPdf({ objectKey: original, size, owner, ...office }, signal, async (pdf) => {
      const objectKey = newKey(PAGES);
      await this.storage.write(objectKey, createReadStream(pdf.path));
      const kept = await this.keep(file, objectKey, pdf);
      if (kept?.objectKey !== objectKey) await this.storage.delete(objectKey);
      return kept;
    });
  }

  /** Has the PDF made again when its object is lost. @returns whether it is */
  async renewLost({ fileId, office, source }: DocumentFile): Promise<boolean> {
    if (!office || !source || (await this.storage.stat(source.objectKey)) !== null) return false;
    await this.pages.renew(fileId, source.objectKey);
    return true;
  }

  /** Notes it, unless somebody was faster. */
  private async keep(file: DocumentFile, key: string, { size, hidden }: OfficePdf): Promise<DrawingSource | null> {
    return inTransaction(this.em, async (em) => {
      const db = query<Tables>(em);
      await sql`
        insert into file_documents (file_id, content_key, state, updated_at)
        select id, object_key, 'waiting', ${this.clock.now()}::timestamptz
        from files where id = ${file.fileId} and object_key = ${file.objectKey} for key share
        on conflict (file_id) do update set state = 'waiting', failure = null where file_documents.state = 'none'`.execute(
        db,
      );
      await sql`
        insert into file_pdfs (file_id, object_key, size)
        select file_id, ${key}, ${size}::int from file_documents
        where file_id = ${file.fileId} and content_key = ${file.objectKey} for key share
        on conflict do nothing`.execute(db);
      await db
        .updateTable('file_documents')
        .set({ hidden_sheets: hidden?.sheets ?? 0, hidden_deletions: hidden?.deletions ?? false })
        .where('file_id', '=', file.fileId)
        .where('content_key', '=', file.objectKey)
        .execute();
      const row = await db
        .selectFrom('file_pdfs')
        .select(['object_key', 'size'])
        .where('file_id', '=', file.fileId)
        .executeTakeFirst();
      return row ? { objectKey: row.object_key, size: row.size, format: 'pdf', owner: file.owner } : null;
    });
  }
}
