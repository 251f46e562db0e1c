import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { AccessibleFile } from '../../files/access/file-access.repository.js';
import { FileAccessService } from '../../files/access/file-access.service.js';
import { fileErrors } from '../../files/files.errors.js';
import { LockedDocumentService, type UnlockedDocument } from '../../files/pages/locked/locked-document.service.js';
import { ReadableDocumentService } from '../../files/pages/readable-document.service.js';
import { creditEntries, creditLimit, PAGE_READ_TIME, PageSet, type PageTime } from './reading.policy.js';
import { ReadingRepository } from './reading.repository.js';

/** How many ids of batches are remembered for each user. With one batch every 15 seconds, those of 15 minutes. */
const REMEMBERED_BATCHES = 60;

export interface ReadingBatch {
  /** Id of the batch, a UUID. */
  readonly batch: string;
  /** Number of the content that was read. */
  readonly version: number;
  readonly entries: readonly PageTime[];
}

/** Records which pages members read, and for how long. */
@Injectable()
export class ReadingService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly access: FileAccessService,
    private readonly reading: ReadingRepository,
    private readonly readableDocument: ReadableDocumentService,
    private readonly lockedDocument: LockedDocumentService,
  ) {}

  /**
   * Records a batch of a member. Nothing is recorded for owners and zone admins, in zones that don't record reading, for
   * members who haven't agreed to it, and for a batch that was recorded before. All batches of a user together get at
   * most the time that has passed.
   * @param unlocked the document, if it has a password that the session has entered
   * @returns false if nothing is recorded for this reader of the file
   * @throws FILE_CHANGED if the file has another content; PAGE_NOT_FOUND if it doesn't have one of the pages;
   * DOCUMENT_NOT_READY, DOCUMENT_FAILED, DOCUMENT_LOCKED
   */
  async recordBatch(
    file: AccessibleFile,
    userId: number,
    batch: ReadingBatch,
    unlocked: UnlockedDocument | null,
  ): Promise<boolean> {
    if (!(await this.access.isReadingRecorded(file, userId))) return false;
    if (batch.version !== file.version) throw fileErrors.FILE_CHANGED();
    const pageCount = unlocked
      ? await this.lockedDocument.countPages(unlocked, userId)
      : (await this.readableDocument.findReadable(file.id)).pageCount;
    if (batch.entries.some(({ page }) => page > pageCount)) throw fileErrors.PAGE_NOT_FOUND();
    await inTransaction(this.em, (em) => this.recordOnce(em, file, userId, batch));
    return true;
  }

  private async recordOnce(
    em: EntityManager,
    { id: fileId, version, zoneId }: AccessibleFile,
    userId: number,
    { batch, entries }: ReadingBatch,
  ): Promise<void> {
    const recent = await this.reading.lockRecentBatches(em, userId);
    // PostgreSQL returns UUIDs in lower case.
    const batchId = batch.toLowerCase();
    if (!recent || recent.ids.includes(batchId)) return;
    // Read after the lock, so that waiting requests don't get the same time.
    const now = this.clock.now();
    await this.reading.saveRecentBatches(em, userId, {
      lastAt: now,
      ids: [...recent.ids, batchId].slice(-REMEMBERED_BATCHES),
    });
    const credited = creditEntries(entries, creditLimit(recent.lastAt, now));
    if (credited.length === 0) return;
    const reader = { fileId, version, userId };
    const pages = PageSet.fromHex(await this.reading.findPagesHex(em, reader));
    const reads = credited.map(({ page, ms }) => ({
      page,
      ms,
      isFirst: ms >= PAGE_READ_TIME && pages.add(page),
    }));
    await this.reading.addReads(em, reader, { zoneId, at: now, reads, pagesHex: pages.toHex() });
  }
}
