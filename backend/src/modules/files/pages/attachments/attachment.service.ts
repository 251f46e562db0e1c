import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../../platform/clock/clock.js';
import { renderingErrors, RenderError } from '../../../../platform/rendering/rendering.errors.js';
import { RenderingService } from '../../../../platform/rendering/rendering.service.js';
import { RateLimitService, type RateRule } from '../../../../platform/http/limits/rate-limit.service.js';
import type { AccessibleFile } from '../../access/file-access.repository.js';
import { canAccessOriginal } from '../../access/file.policy.js';
import { fileErrors } from '../../files.errors.js';
import { requireSource } from '../document-file.js';
import { unlockedSource, type UnlockedDocument } from '../locked/locked-document.service.js';
import { ReadableDocumentService } from '../readable-document.service.js';
import { safeAttachmentName } from './attachment-list.js';

/** Attachments that a user may have extracted. */
const ATTACHMENT_RATE: RateRule = { name: 'attachments', limit: 60, window: MINUTE };
/** Cost of a failed extraction, which may have taken as long as many successful ones. */
const FAILURE_COST = 20;
/** Maximum number of concurrent attachment downloads per user. */
const MAX_CONCURRENT = 4;

/** An extracted attachment as a temporary file. */
export interface SentAttachment {
  readonly name: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** Extracts attached files from PDFs. */
@Injectable()
export class AttachmentService {
  /** Number of downloads in progress per user, in this process. */
  private readonly inProgress = new Map<number, number>();

  constructor(
    private readonly readableDocument: ReadableDocumentService,
    private readonly rendering: RenderingService,
    private readonly limits: RateLimitService,
  ) {}

  /**
   * Sends an attachment, which counts as a part of the original.
   * @param number position in the attachment list, starting at 1
   * @param unlocked the document, if it is password-protected and unlocked in this session
   * @param send receives the attachment as a file, which is deleted afterwards
   * @throws DOWNLOAD_NOT_ALLOWED, ATTACHMENT_NOT_FOUND, ATTACHMENT_FAILED; DOCUMENT_NOT_READY, DOCUMENT_FAILED,
   * DOCUMENT_LOCKED; PAGE_NOT_FOUND for files without pages; TOO_MANY_REQUESTS; DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  async sendAttachment(
    file: AccessibleFile,
    number: number,
    { unlocked, userId }: { unlocked: UnlockedDocument | null; userId: number },
    send: (attachment: SentAttachment) => Promise<void>,
  ): Promise<void> {
    if (!canAccessOriginal({ ...file, readOnly: file.mountId !== null })) throw fileErrors.DOWNLOAD_NOT_ALLOWED();
    const source =
      unlocked === null
        ? requireSource(await this.readableDocument.findReadable(file.id))
        : unlockedSource(unlocked, unlocked.password);
    await this.limits.consume(ATTACHMENT_RATE, userId);
    await this.withSlot(userId, async () => {
      try {
        await this.rendering.withAttachment(source, number, ({ name, path, size }) =>
          send({ name: safeAttachmentName(name, number), path, size }),
        );
      } catch (error) {
        if (!(error instanceof RenderError)) throw error;
        if (error.failure === 'no-page') throw fileErrors.ATTACHMENT_NOT_FOUND();
        await this.limits.consumeUpTo(ATTACHMENT_RATE, userId, FAILURE_COST);
        throw fileErrors.ATTACHMENT_FAILED();
      }
    });
  }

  /** Limits concurrent downloads, because a slow client occupies up to 100 MB of the temporary folder. */
  private async withSlot(userId: number, work: () => Promise<void>): Promise<void> {
    const count = this.inProgress.get(userId) ?? 0;
    if (count >= MAX_CONCURRENT) throw renderingErrors.DRAWING_BUSY();
    this.inProgress.set(userId, count + 1);
    try {
      await work();
    } finally {
      const remaining = this.inProgress.get(userId)! - 1;
      if (remaining === 0) this.inProgress.delete(userId);
      else this.inProgress.set(userId, remaining);
    }
  }
}
