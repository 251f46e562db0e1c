import { Injectable, Logger } from '@nestjs/common';
import { buffer } from 'node:stream/consumers';
import { Storage, type ByteRange, type OpenObject } from '../../../platform/storage/storage.js';
import { textEncoding } from '../../../platform/text/text-encoding.js';
import { ActivityService, type Opening } from '../../activity/activity.service.js';
import type { ViewingKind } from '../../activity/entities/viewing.entity.js';
import { contentDisposition } from '../shared/content-headers.js';
import { isInline, SNIFFED_BYTES } from '../shared/content-type.js';
import { ADDRESS_LIFETIME } from './file-addresses.service.js';
import type { ViewedFile } from '../access/file-access.service.js';
import { countsAsReader, mayHaveOriginal } from '../access/file.policy.js';
import { fileErrors } from '../files.errors.js';

/** What is sent of a file to somebody who may read it. */
export interface Delivery {
  readonly disposition: 'inline' | 'attachment';
  /** The version of the bytes; they never change under a file's id, its name may. */
  readonly etag: string;
}

/** Hands out the bytes of files, and counts that. */
@Injectable()
export class ContentReader {
  private readonly logger = new Logger(ContentReader.name);

  constructor(
    private readonly storage: Storage,
    private readonly activity: ActivityService,
  ) {}

  /**
   * Decides how a file is sent: to nobody who may not have the original, not even to look at it. What could run in a
   * browser is never shown inline, whatever was asked.
   * @throws DOWNLOAD_NOT_ALLOWED
   */
  delivery(file: ViewedFile, kind: ViewingKind): Delivery {
    if (!mayHaveOriginal({ ...file, readOnly: file.mountId !== null })) throw fileErrors.DOWNLOAD_NOT_ALLOWED();
    const inline = kind === 'view' && isInline(file.mimeType);
    return { disposition: inline ? 'inline' : 'attachment', etag: `"${file.sha256.slice(0, 32)}"` };
  }

  /**
   * The Content-Type under which a file is sent. A text that is shown says how it is written: a browser would guess.
   * @throws STORAGE_UNAVAILABLE
   */
  async typeOf({ objectKey, mimeType, size }: ViewedFile, { disposition }: Delivery): Promise<string> {
    if (mimeType !== 'text/plain' || disposition !== 'inline' || size === 0) return mimeType;
    const end = Math.min(size, SNIFFED_BYTES) - 1;
    const head = await buffer(await this.storage.read(objectKey, { start: 0, end }));
    return `${mimeType}; charset=${textEncoding(head, end === size - 1)}`;
  }

  /**
   * Opens the bytes, all of them or a range. From the first byte on it counts as a viewing, once in half an hour,
   * however many ranges follow.
   * @throws STORAGE_UNAVAILABLE
   */
  async open(file: ViewedFile, kind: ViewingKind, userId: number, range: ByteRange): Promise<OpenObject> {
    const bytes = await this.storage.openRange(file.objectKey, range);
    if (range.start === 0) await this.count([file], kind, userId);
    return bytes;
  }

  /**
   * Where the storage itself hands out an attachment, for a few minutes; null when it does not. Counted when it is
   * given out. What is shown inline always passes through us, with our headers.
   */
  async addressOf(
    file: ViewedFile,
    kind: ViewingKind,
    userId: number,
    range: ByteRange | null,
  ): Promise<string | null> {
    const { disposition } = this.delivery(file, kind);
    if (disposition === 'inline') return null;
    const address = await this.storage.signedUrl(file.objectKey, {
      disposition: contentDisposition(disposition, file.originalName),
      contentType: file.mimeType,
      lifetime: ADDRESS_LIFETIME,
    });
    if (address !== null && (range === null || range.start === 0)) await this.count([file], kind, userId);
    return address;
  }

  /**
   * Counts files that a reader has opened, in one go; what owners and zone admins open themselves is no opening. Reading
   * does not fail because it could not be counted.
   */
  async count(files: readonly ViewedFile[], kind: ViewingKind, userId: number): Promise<void> {
    const read = files.filter(({ role }) => countsAsReader(role));
    try {
      await this.activity.countOpenings(read.map((file) => openingOf(file, kind, userId)));
    } catch (error) {
      this.logger.error({ err: error, files: read.map(({ id }) => id).slice(0, 10) }, 'Viewings could not be counted');
    }
  }
}

function openingOf(file: ViewedFile, kind: ViewingKind, userId: number): Opening {
  const { id: fileId, ownerId, zoneId, zoneName, originalName: fileName } = file;
  const type = kind === 'view' ? 'file.viewed' : 'file.downloaded';
  const entry = { type, ownerId, zoneId, userId, fileId, params: { zoneName, fileName } } as const;
  return { fileId, kind, viewerKey: `u:${userId}`, entry };
}
