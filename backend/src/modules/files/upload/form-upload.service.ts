import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { normaliseForComparison } from '../../../platform/text/normalise-for-search.js';
import { fileErrors } from '../files.errors.js';
import { assertAccepted } from '../requests/file-request.service.js';
import { normaliseName } from '../shared/file-name.js';
import { ItemTreeRepository } from '../shared/item-tree.repository.js';
import { FileRepository } from './file.repository.js';
import { FileSizeLimitService } from './file-size-limit.service.js';
import { FileUploadService, type StoredFile, type UploadDestination } from './file-upload.service.js';
import { FileReplacementService } from './file-replacement.service.js';
import { RequestReservations } from './request-reservations.js';
import type { IncomingFile } from './upload-form.js';
import { UploadReservationService } from './upload-reservation.service.js';

export interface FormUploadDestination extends UploadDestination {
  /** Upper bound in bytes for the whole request, from Content-Length if present. */
  readonly contentLength: number | null;
}

/** Uploads the files of a form, which are stored either completely or not at all. */
@Injectable()
export class FormUploadService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly files: FileRepository,
    private readonly tree: ItemTreeRepository,
    private readonly uploadReservation: UploadReservationService,
    private readonly fileUpload: FileUploadService,
    private readonly fileSizeLimit: FileSizeLimitService,
    private readonly fileReplacement: FileReplacementService,
  ) {}

  /**
   * Stores the files of a request in a folder of a zone. A request repeated with the same key, for example because its
   * response was lost, returns the existing files.
   * @returns their ids in upload order (in unspecified order for a repeated request)
   * @throws INVALID_NAME, DUPLICATE_NAMES, FILE_TOO_LARGE, PLAN_LIMIT, FOLDER_NOT_FOUND, STORAGE_UNAVAILABLE,
   * FILE_REQUEST_CLOSED, FILE_REQUEST_LIMIT; nothing of the request is stored then
   */
  async uploadFiles(target: FormUploadDestination, files: AsyncIterable<IncomingFile>): Promise<number[]> {
    const em = this.em.fork();
    const existingIds = await this.findUploaded(em, target);
    if (existingIds.length > 0) return existingIds;
    const { location, submission } = target;
    if (submission) assertAccepted(submission, 1);
    const maxFileBytes = await this.fileSizeLimit.getLimit(location.ownerId, submission?.maxFileBytes);
    const reserved = new RequestReservations(
      em,
      this.uploadReservation,
      this.clock,
      maxFileBytes,
      target.contentLength,
    );
    try {
      const stored = await this.storeAll(em, target, files, reserved);
      if (stored.length === 0) throw fileErrors.NO_FILES();
      return await inTransaction(em, (em) => this.fileReplacement.saveFiles(em, target, stored));
    } catch (error) {
      await this.uploadReservation.abandonFailed(this.em, reserved.opened, error);
      // The same request may have run twice at once, and the other one finished first.
      const stored = await this.findUploaded(this.em.fork(), target);
      if (stored.length > 0) return stored;
      throw error;
    }
  }

  private async findUploaded(em: EntityManager, { userId, location, key }: FormUploadDestination): Promise<number[]> {
    if (key === undefined || userId === null) return [];
    return this.files.findByUploadKey(em, userId, location.zoneId, key);
  }

  /**
   * Reads all files. After a name clash the remaining files are read but not stored, so that the error lists all
   * clashes.
   */
  private async storeAll(
    em: EntityManager,
    { location: { zoneId, folderId, ownerId }, onConflict }: FormUploadDestination,
    files: AsyncIterable<IncomingFile>,
    reserved: RequestReservations,
  ): Promise<StoredFile[]> {
    const stored: StoredFile[] = [];
    const clashes: string[] = [];
    const keys = new Set<string>();
    for await (const file of files) {
      const name = normaliseName(file.name, 'files');
      if (onConflict === 'refuse') {
        const taken = await this.tree.findTakenNames(em, zoneId, folderId, [name]);
        if (taken.length > 0 || keys.has(normaliseForComparison(name))) clashes.push(name);
        keys.add(normaliseForComparison(name));
      }
      if (clashes.length > 0) file.skip();
      else stored.push(await this.fileUpload.storeReserved(reserved, ownerId, name, file.content));
    }
    if (clashes.length > 0) throw fileErrors.DUPLICATE_NAMES({}, { names: clashes });
    return stored;
  }
}
