import { Injectable, Logger } from '@nestjs/common';
import { buffer } from 'node:stream/consumers';
import { AppConfig } from '../../../platform/config/app-config.js';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import { Storage, type ByteRange, type OpenObject } from '../../../platform/storage/storage.js';
import { detectTextEncoding } from '../../../platform/text/detect-text-encoding.js';
import { ActivityRepository, type FileAccess } from '../../activity/activity.repository.js';
import type { ViewingKind } from '../../activity/entities/viewing.entity.js';
import { contentDisposition } from '../shared/content-headers.js';
import { isInlineSafe, SNIFFED_BYTES } from '../shared/content-type.js';
import { SIGNED_URL_LIFETIME } from './signed-url.service.js';
import type { AccessibleFile } from '../access/file-access.repository.js';
import { canAccessOriginal, isRecorded } from '../access/file.policy.js';
import { fileErrors } from '../files.errors.js';

export interface DeliveryHeaders {
  readonly disposition: 'inline' | 'attachment';
  /** Identifies the bytes, which a replacement changes; a new name doesn't. */
  readonly etag: string;
}

/** Who opens a file, for the counts. */
export interface Reader {
  /** Null for a guest of a link. */
  readonly userId: number | null;
  /** Identifies the reader, whose openings of a file within half an hour count once. */
  readonly viewerKey: string;
  /** Adds newly counted openings to counts of the reader's own. */
  readonly onCounted?: (kind: ViewingKind, count: number) => Promise<void>;
}

export const userReader = (userId: number): Reader => ({ userId, viewerKey: `u:${userId}` });

/** Delivers the bytes of files and counts views and downloads. */
@Injectable()
export class ContentDeliveryService {
  private readonly logger = new Logger(ContentDeliveryService.name);

  constructor(
    private readonly config: AppConfig,
    private readonly storage: Storage,
    private readonly activity: ActivityRepository,
  ) {}

  /**
   * Decides how a file is sent. Viewers without the right to the original get nothing, not even inline. Content that
   * could run scripts in a browser is never shown inline.
   * @throws DOWNLOAD_NOT_ALLOWED
   */
  resolveDelivery(file: AccessibleFile, kind: ViewingKind): DeliveryHeaders {
    if (!canAccessOriginal({ ...file, readOnly: file.mountId !== null })) throw fileErrors.DOWNLOAD_NOT_ALLOWED();
    const inline = kind === 'view' && isInlineSafe(file.mimeType);
    return { disposition: inline ? 'inline' : 'attachment', etag: `"${file.sha256.slice(0, 32)}"` };
  }

  /**
   * Returns the Content-Type of a file. Inline text states its charset, because a browser would guess it.
   * @throws STORAGE_UNAVAILABLE
   */
  async getContentType(
    { objectKey, mimeType, size }: AccessibleFile,
    { disposition }: DeliveryHeaders,
  ): Promise<string> {
    if (mimeType !== 'text/plain' || disposition !== 'inline' || size === 0) return mimeType;
    const end = Math.min(size, SNIFFED_BYTES) - 1;
    const head = await buffer(await this.storage.read(objectKey, { start: 0, end }));
    return `${mimeType}; charset=${detectTextEncoding(head, end === size - 1)}`;
  }

  /**
   * Opens all bytes or a range. A range that starts at the first byte counts as a view, at most once in half an hour
   * regardless of how many ranges follow.
   * @throws STORAGE_UNAVAILABLE
   */
  async openContent(file: AccessibleFile, kind: ViewingKind, reader: Reader, range: ByteRange): Promise<OpenObject> {
    const bytes = await this.storage.openRange(file.objectKey, range);
    if (range.start === 0) await this.countOpenings([file], kind, reader);
    return bytes;
  }

  /**
   * Returns the response header that lets the web server in front send a file. Counted like `openContent`.
   * @returns null without SENDFILE, or if the object isn't where the web server looks for it
   * @throws STORAGE_UNAVAILABLE if the object has another size: the web server would send an incomplete file as complete
   */
  async getSendfileHeader(
    file: AccessibleFile,
    kind: ViewingKind,
    reader: Reader,
    range: ByteRange | null,
  ): Promise<readonly [name: string, value: string] | null> {
    const { sendfile } = this.config;
    if (sendfile === null) return null;
    const object = await this.storage.statConfigured(file.objectKey);
    if (object === null) return null;
    if (object.size !== file.size) throw storageErrors.STORAGE_UNAVAILABLE();
    if (range === null || range.start === 0) await this.countOpenings([file], kind, reader);
    return [sendfile.header, sendfile.prefix + file.objectKey];
  }

  /**
   * Returns a URL at which the storage itself serves an attachment for a few minutes, or null if it does not. Counted
   * when the URL is issued, also for a range, because the URL leads to the whole file. Inline content is always served by
   * the application, with its own headers.
   */
  async getStorageUrl(file: AccessibleFile, kind: ViewingKind, reader: Reader): Promise<string | null> {
    const { disposition } = this.resolveDelivery(file, kind);
    if (disposition === 'inline') return null;
    const address = await this.storage.signedUrl(file.objectKey, {
      disposition: contentDisposition(disposition, file.originalName),
      contentType: file.mimeType,
      lifetime: SIGNED_URL_LIFETIME,
    });
    if (address !== null) await this.countOpenings([file], kind, reader);
    return address;
  }

  /**
   * Counts the files opened by members or guests in one call; views by owners and zone admins don't count, and those
   * in zones that don't record reading aren't stored. A failure to count is logged and does not fail the request.
   */
  async countOpenings(files: readonly AccessibleFile[], kind: ViewingKind, reader: Reader): Promise<void> {
    const read = files.filter(isRecorded);
    try {
      const counted = await this.activity.countOpenings(read.map((file) => toOpening(file, kind, reader)));
      if (counted > 0) await reader.onCounted?.(kind, counted);
    } catch (error) {
      this.logger.error({ err: error, files: read.map(({ id }) => id).slice(0, 10) }, "Couldn't count viewings");
    }
  }
}

function toOpening(file: AccessibleFile, kind: ViewingKind, { userId, viewerKey }: Reader): FileAccess {
  const { id: fileId, ownerId, zoneId, zoneName, originalName: fileName } = file;
  const type = kind === 'view' ? 'file.viewed' : 'file.downloaded';
  const entry = { type, ownerId, zoneId, userId, fileId, params: { zoneName, fileName } } as const;
  return { fileId, kind, viewerKey, entry };
}
