import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../../platform/clock/clock.js';
import { DrawingFailure } from '../../../../platform/drawing/drawing.errors.js';
import type { Attachment } from '../../../../platform/drawing/drawing-protocol.js';
import { DrawingService } from '../../../../platform/drawing/drawing.service.js';
import { RateLimits, type RateRule } from '../../../../platform/http/limits/rate-limits.service.js';
import type { ViewedFile } from '../../access/file-access.service.js';
import { mayHaveOriginal } from '../../access/file.policy.js';
import { fileErrors } from '../../files.errors.js';
import { sourceOf } from '../document-file.js';
import { unlockedBy, type UnlockedDocument } from '../locked/locked-documents.service.js';
import { PersonTurns } from '../person-turns.service.js';
import { ReadableDocuments } from '../readable-documents.service.js';
import { attachmentName } from './attachment-list.js';

/** Attachments that a person may have taken out of documents. */
const TAKEN: RateRule = { name: 'attachments', limit: 60, window: MINUTE };

/** Takes files out of the PDFs that they are attached to. */
@Injectable()
export class AttachmentReader {
  constructor(
    private readonly readable: ReadableDocuments,
    private readonly drawing: DrawingService,
    private readonly limits: RateLimits,
    private readonly turns: PersonTurns,
  ) {}

  /**
   * Reads an attachment, which is a part of the original.
   * @param number its place in the list, from 1
   * @param unlocked the document, when it is locked and this session has opened it
   * @throws DOWNLOAD_NOT_ALLOWED, ATTACHMENT_NOT_FOUND, ATTACHMENT_FAILED; DOCUMENT_NOT_READY, DOCUMENT_FAILED,
   * DOCUMENT_LOCKED, PAGE_NOT_FOUND of files without pages; TOO_MANY_REQUESTS; DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  async read(file: ViewedFile, number: number, unlocked: UnlockedDocument | null, userId: number): Promise<Attachment> {
    if (!mayHaveOriginal({ ...file, readOnly: file.mountId !== null })) throw fileErrors.DOWNLOAD_NOT_ALLOWED();
    const source =
      unlocked === null ? sourceOf(await this.readable.find(file.id)) : unlockedBy(unlocked, unlocked.password);
    try {
      const { name, bytes } = await this.turns.take(userId, async () => {
        await this.limits.spend(TAKEN, userId);
        return this.drawing.attachment(source, number);
      });
      return { name: attachmentName(name, number), bytes };
    } catch (error) {
      if (!(error instanceof DrawingFailure)) throw error;
      throw error.fault === 'no-page' ? fileErrors.ATTACHMENT_NOT_FOUND() : fileErrors.ATTACHMENT_FAILED();
    }
  }
}
