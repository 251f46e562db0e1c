import { Readable } from 'node:stream';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { inTransaction } from '../../../platform/database/transaction.js';
import { loadSharp, type ImageLibrary } from '../../../platform/rendering/load-sharp.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { digestOf } from '../../../platform/security/secrets.js';
import { newObjectKey, Storage } from '../../../platform/storage/storage.js';
import type { AccessibleFile } from '../access/file-access.repository.js';
import { fileErrors } from '../files.errors.js';
import { deleteObjects, renderFirstPages, generateThumbnails } from '../files.jobs.js';
import { isRenderedAfterUpload } from '../shared/document-types.js';
import type { FileContents } from '../shared/file-contents.js';
import { createThumbnail, UnreadableImageError } from './thumbnail-image.js';
import { ThumbnailRepository } from './thumbnail.repository.js';

/** Key prefix of thumbnail objects. */
export const THUMBNAIL_KEY_PREFIX = 'thumbnails';

/** Images per query, and thumbnails per job. */
const BATCH_SIZE = 500;
const IMAGES_PER_JOB = 20;

export interface Thumbnail {
  readonly objectKey: string;
  /** Bytes. */
  readonly size: number;
  readonly etag: string;
}

/**
 * Manages the thumbnails of files. Thumbnails of images are generated in a job after the upload. Anyone who may read
 * the file may see them.
 */
@Injectable()
export class ThumbnailService {
  private readonly logger = new Logger(ThumbnailService.name);

  constructor(
    private readonly em: EntityManager,
    private readonly thumbnails: ThumbnailRepository,
    private readonly storage: Storage,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Returns the thumbnail of a file that the viewer may read.
   * @throws THUMBNAIL_NOT_FOUND if there is none, or not yet
   */
  async findThumbnail({ id }: AccessibleFile): Promise<Thumbnail> {
    const row = await this.thumbnails.findThumbnail(id);
    if (!row) throw fileErrors.THUMBNAIL_NOT_FOUND();
    return { ...row, etag: `"${digestOf(row.objectKey).slice(0, 32)}"` };
  }

  /** @throws STORAGE_UNAVAILABLE */
  openThumbnail({ objectKey }: Thumbnail): Promise<Readable> {
    return this.storage.read(objectKey);
  }

  /**
   * Generates the thumbnail of a file that has none. An unreadable image remains without one.
   * @throws STORAGE_UNAVAILABLE
   */
  async generateThumbnail(fileId: number): Promise<void> {
    const objectKey = await this.thumbnails.findImageWithoutThumbnail(fileId);
    if (objectKey === null) return;
    // Load the library before opening the image: while it loads, an error of the stream would go unhandled.
    const sharp = await loadSharp();
    const bytes = await this.renderThumbnail(fileId, sharp, await this.storage.read(objectKey));
    if (bytes) await this.saveThumbnail({ fileId, objectKey }, bytes);
  }

  /** Deletes the thumbnail of a file whose contents were replaced. */
  async deleteThumbnail(em: EntityManager, fileId: number): Promise<void> {
    const objectKeys = await this.thumbnails.deleteThumbnails(em, fileId);
    if (objectKeys.length > 0) await this.jobs.enqueue(em, deleteObjects, { objectKeys });
  }

  /** Deletes the row of a thumbnail whose object is lost, and enqueues its generation. */
  async regenerateLost(fileId: number, objectKey: string): Promise<void> {
    await inTransaction(this.em, async (em) => {
      if (await this.thumbnails.deleteThumbnail(em, fileId, objectKey)) await this.enqueueGeneration(em, fileId);
    });
  }

  /**
   * Enqueues thumbnails for all images without one: images uploaded before thumbnails existed, and images that could
   * not be read, which a newer library version may support.
   */
  async enqueueMissing(signal: AbortSignal): Promise<void> {
    for (let last = 0; !signal.aborted;) {
      const ids = await this.thumbnails.findImagesWithoutThumbnail(last, BATCH_SIZE, this.storage.types);
      if (ids.length === 0) return;
      last = ids.at(-1)!;
      const payloads = Array.from({ length: Math.ceil(ids.length / IMAGES_PER_JOB) }, (_, index) => ({
        fileIds: ids.slice(index * IMAGES_PER_JOB, (index + 1) * IMAGES_PER_JOB),
      }));
      await this.jobs.enqueueMany(this.em.fork(), generateThumbnails, payloads);
    }
  }

  /** Generates thumbnails one at a time, because each image is held in memory. */
  @OnJob(generateThumbnails)
  async generateThumbnails({ fileIds }: { fileIds: number[] }, { signal }: JobContext): Promise<void> {
    for (const id of fileIds) {
      signal.throwIfAborted();
      await this.generateThumbnail(id);
    }
  }

  /** Enqueues the job that generates the thumbnail for the file's type. */
  private async enqueueGeneration(em: EntityManager, fileId: number): Promise<void> {
    const file = await this.thumbnails.findFileType(em, fileId);
    if (!file) return;
    if (isRenderedAfterUpload(file)) await this.jobs.enqueue(em, renderFirstPages, { fileId });
    else await this.jobs.enqueue(em, generateThumbnails, { fileIds: [fileId] });
  }

  private async renderThumbnail(fileId: number, sharp: ImageLibrary, source: Readable): Promise<Buffer | null> {
    try {
      return await createThumbnail(sharp, source);
    } catch (error) {
      if (!(error instanceof UnreadableImageError)) throw error;
      this.logger.log({ fileId }, "Couldn't generate a thumbnail of an image");
      return null;
    } finally {
      source.destroy();
    }
  }

  /**
   * Stores a thumbnail. The object is written first and deleted again if the file was purged or replaced in the
   * meantime, or another worker finished first.
   * @param drawnFrom the contents that the thumbnail shows
   */
  async saveThumbnail(drawnFrom: FileContents, bytes: Buffer): Promise<void> {
    const objectKey = newObjectKey(THUMBNAIL_KEY_PREFIX);
    const { size } = await this.storage.write(objectKey, Readable.from([bytes]));
    if (!(await this.thumbnails.insertThumbnail(drawnFrom, objectKey, size))) await this.storage.delete(objectKey);
  }
}
