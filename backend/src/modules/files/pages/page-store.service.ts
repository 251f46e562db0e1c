import { Readable } from 'node:stream';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../../platform/database/transaction.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { newObjectKey, Storage } from '../../../platform/storage/storage.js';
import { deleteObjects, renderFirstPages } from '../files.jobs.js';
import type { DocumentFile } from './document-file.js';
import { PageRepository, type StoredPage } from './page.repository.js';

/** Key prefix of page objects. */
export const PAGE_KEY_PREFIX = 'pages';
/** Objects deleted per job. */
const OBJECTS_PER_JOB = 500;

/** Stores rendered pages: the objects, and the rows that reference them. */
@Injectable()
export class PageStoreService {
  constructor(
    private readonly em: EntityManager,
    private readonly pages: PageRepository,
    private readonly storage: Storage,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Stores a page. The object is written first and deleted again if another rendering finished earlier.
   * @returns the page that is stored in the end; null if the file was purged in the meantime or has other contents
   */
  async savePage(file: DocumentFile, page: number, width: number, bytes: Buffer): Promise<StoredPage | null> {
    const objectKey = newObjectKey(PAGE_KEY_PREFIX);
    const { size } = await this.storage.write(objectKey, Readable.from([bytes]));
    if (await this.pages.insertPage(file, page, width, { objectKey, size })) return { objectKey, size };
    await this.storage.delete(objectKey);
    return this.pages.findPage(file.fileId, page, width);
  }

  /** Deletes the row of a lost page, or of a lost PDF from which pages are rendered, and enqueues the rendering. */
  async rerenderLost(fileId: number, objectKey: string): Promise<void> {
    await inTransaction(this.em, async (em) => {
      if (!(await this.pages.deletePageOrPdf(em, fileId, objectKey))) return;
      await this.jobs.enqueue(em, renderFirstPages, { fileId });
    });
  }

  /** Deletes the pages and texts of files that are being deleted, and enqueues the deletion of their objects. */
  async deletePages(em: EntityManager, fileIds: readonly number[]): Promise<void> {
    for await (const objectKeys of this.pages.deletePages(em, fileIds))
      await this.enqueueObjectDeletion(em, objectKeys);
  }

  /** Enqueues the deletion of objects after the commit, a few hundred per job. */
  async enqueueObjectDeletion(em: EntityManager, keys: readonly string[]): Promise<void> {
    const payloads = Array.from({ length: Math.ceil(keys.length / OBJECTS_PER_JOB) }, (_, index) => ({
      objectKeys: keys.slice(index * OBJECTS_PER_JOB, (index + 1) * OBJECTS_PER_JOB),
    }));
    await this.jobs.enqueueMany(em, deleteObjects, payloads);
  }
}
