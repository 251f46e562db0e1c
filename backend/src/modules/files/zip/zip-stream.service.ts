import type { Writable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { Storage } from '../../../platform/storage/storage.js';
import { ContentDeliveryService, userReader, type Reader } from '../reading/content-delivery.service.js';
import { contentDisposition } from '../shared/content-headers.js';
import { toSafeName } from '../shared/zip-names.js';
import { FileAccessRepository, type AccessibleFile } from '../access/file-access.repository.js';
import { canDownload, type ZipPlan } from './zip-plan.service.js';
import { ZipWriter } from './zip-writer.js';

/** Files up to this size are read completely and stored uncompressed, because 10,000 small streams would be slow. */
const MAX_BUFFERED_BYTES = 64 * 1024;
/** Files whose access is checked, and which are counted, at a time. */
const BATCH_SIZE = 200;

/** Who gets an archive. */
export interface ZipRecipient {
  readonly zoneId: number;
  readonly reader: Reader;
  /** Returns those of the files that the recipient may read at this moment. */
  findFiles(ids: readonly number[]): Promise<AccessibleFile[]>;
}

/** Streams archives: files are read from storage one by one, nothing is cached, and backpressure pauses reading. */
@Injectable()
export class ZipStreamService {
  private readonly logger = new Logger(ZipStreamService.name);

  constructor(
    private readonly storage: Storage,
    private readonly access: FileAccessRepository,
    private readonly contentDelivery: ContentDeliveryService,
  ) {}

  /**
   * Sends an archive to a user, as the zone shows its files to them.
   * @throws STORAGE_UNAVAILABLE
   */
  sendToUser(plan: ZipPlan, { zoneId, userId }: { zoneId: number; userId: number }, response: Response): Promise<void> {
    const findFiles = (ids: readonly number[]) => this.access.findFiles(ids, userId, zoneId);
    return this.sendArchive(plan, { zoneId, reader: userReader(userId), findFiles }, response);
  }

  /**
   * Sends an archive as an attachment.
   * @throws STORAGE_UNAVAILABLE
   */
  async sendArchive(plan: ZipPlan, recipient: ZipRecipient, response: Response): Promise<void> {
    const headers = {
      'Content-Type': 'application/zip',
      'Content-Disposition': contentDisposition('attachment', `${toSafeName(plan.name)}.zip`),
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    };
    response.set(headers);
    try {
      await this.writeArchive(plan, recipient, response);
    } catch (error) {
      // Nothing has been sent yet, so an error response can be sent instead.
      for (const name of Object.keys(headers)) response.removeHeader(name);
      throw error;
    }
  }

  /**
   * Writes an archive. Access to each file is checked again shortly before it is read; files deleted in the meantime
   * are left out. If something fails after the first bytes, the target is destroyed, so that the client gets a broken
   * archive and never a complete one that lacks files. A disconnecting client is not an error.
   * @throws STORAGE_UNAVAILABLE if nothing has been written yet
   */
  private async writeArchive(plan: ZipPlan, recipient: ZipRecipient, target: Writable): Promise<void> {
    const archive = new ZipWriter(target);
    try {
      for (const { path, date } of plan.folders) await archive.addFolder(path, date);
      for (let at = 0; at < plan.files.length; at += BATCH_SIZE) {
        await this.addBatch(plan.files.slice(at, at + BATCH_SIZE), recipient, archive);
      }
      await archive.finishArchive();
    } catch (error) {
      if (archive.isClientGone) return;
      if (archive.written === 0) throw error;
      this.logger.error({ err: error, zoneId: recipient.zoneId }, 'Archive download was interrupted');
      target.destroy();
    }
  }

  private async addBatch(files: ZipPlan['files'], recipient: ZipRecipient, archive: ZipWriter): Promise<void> {
    const ids = files.map(({ id }) => id);
    const found = await recipient.findFiles(ids);
    const readable = new Map(found.filter(canDownload).map((file) => [file.id, file]));
    const sent = new Map<number, AccessibleFile>();
    try {
      for (const { id, path, date } of files) {
        const file = readable.get(id);
        if (!file) continue;
        if (file.size > MAX_BUFFERED_BYTES) {
          await archive.addStream(path, date, await this.storage.read(file.objectKey), file.size);
        } else {
          const bytes = file.size === 0 ? Buffer.alloc(0) : await this.storage.readWhole(file.objectKey, file.size);
          await archive.addBytes(path, date, bytes);
        }
        sent.set(id, file);
      }
    } finally {
      await this.contentDelivery.countOpenings([...sent.values()], 'download', recipient.reader);
    }
  }
}
