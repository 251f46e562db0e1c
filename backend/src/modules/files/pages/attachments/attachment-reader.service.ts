import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../../platform/clock/clock.js';
import { drawingErrors, DrawingFailure } from '../../../../platform/drawing/drawing.errors.js';
import { DrawingService } from '../../../../platform/drawing/drawing.service.js';
import { RateLimits, type RateRule } from '../../../../platform/http/limits/rate-limits.service.js';
import type { ViewedFile } from '../../access/file-access.service.js';
import { mayHaveOriginal } from '../../access/file.policy.js';
import { fileErrors } from '../../files.errors.js';
import { sourceOf } from '../document-file.js';
import { unlockedBy, type UnlockedDocument } from '../locked/locked-documents.service.js';
import { ReadableDocuments } from '../readable-documents.service.js';
import { attachmentName } from './attachment-list.js';

/** Attachments that a person may have taken out of documents. */
const TAKEN: RateRule = { name: 'attachments', limit: 60, window: MINUTE };
/** What one counts that could not be taken out: it may have taken the time of many. */
const A_FAILURE = 20;
/** Attachments that one person has on the way at the same time. */
const AT_ONCE = 4;

/** An attachment as a file. */
export interface SentAttachment {
  readonly name: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** Takes files out of the PDFs that they are attached to. */
@Injectable()
export class AttachmentReader {
  /** How many each person has on the way from this process. */
  private readonly holding = new Map<number, number>();

  constructor(
    private readonly readable: ReadableDocuments,
    private readonly drawing: DrawingService,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Gives out an attachment, which is a part of the original.
   * @param number its place in the list, from 1
   * @param unlocked the document, when it is locked and this session has opened it
   * @param send the attachment as a file, which is gone afterwards
   * @throws DOWNLOAD_NOT_ALLOWED, ATTACHMENT_NOT_FOUND, ATTACHMENT_FAILED; DOCUMENT_NOT_READY, DOCUMENT_FAILED,
   * DOCUMENT_LOCKED, PAGE_NOT_FOUND of files without pages; TOO_MANY_REQUESTS; DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  async read(
    file: ViewedFile,
    number: number,
    { unlocked, userId }: { unlocked: UnlockedDocument | null; userId: number },
    send: (attachment: SentAttachment) => Promise<void>,
  ): Promise<void> {
    if (!mayHaveOriginal({ ...file, readOnly: file.mountId !== null })) throw fileErrors.DOWNLOAD_NOT_ALLOWED();
    const source =
      unlocked === null ? sourceOf(await this.readable.find(file.id)) : unlockedBy(unlocked, unlocked.password);
    await this.limits.spend(TAKEN, userId);
    await this.held(userId, async () => {
      try {
        await this.drawing.attachment(source, number, ({ name, path, size }) =>
          send({ name: attachmentName(name, number), path, size }),
        );
      } catch (error) {
        if (!(error instanceof DrawingFailure)) throw error;
        if (error.fault === 'no-page') throw fileErrors.ATTACHMENT_NOT_FOUND();
        await this.limits.spendUpTo(TAKEN, userId, A_FAILURE);
        throw fileErrors.ATTACHMENT_FAILED();
      }
    });
  }

  /** A slow reader holds up to 100 MB of the temporary folder. */
  private async held(userId: number, work: () => Promise<void>): Promise<void> {
    const held = this.holding.get(userId) ?? 0;
    if (held >= AT_ONCE) throw drawingErrors.DRAWING_BUSY();
    this.holding.set(userId, held + 1);
    try {
      await work();
    } finally {
      const left = this.holding.get(userId)! - 1;
      if (left === 0) this.holding.delete(userId);
      else this.holding.set(userId, left);
    }
  }
}
