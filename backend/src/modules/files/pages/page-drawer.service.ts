import { Injectable, Logger } from '@nestjs/common';
import { DrawingFailure } from '../../../platform/drawing/drawing.errors.js';
import { DrawingService, type DrawingSource } from '../../../platform/drawing/drawing.service.js';
import { isPassing } from '../../../platform/errors/app-error.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { DrawingTurns } from '../../../platform/drawing/turns/drawing-turns.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { drawFirstPages } from '../files.jobs.js';
import { ThumbnailMaker } from '../thumbnails/thumbnail-maker.service.js';
import { sourceOf, type DocumentFile } from './document-file.js';
import { FileDocuments } from './file-documents.service.js';
import { FilePages } from './file-pages.service.js';
import { OfficeDocuments } from './office-documents.service.js';
import { TextMaker } from './text-maker.service.js';

/** Pages that are drawn before anybody asks for one, and how wide. */
const FIRST = 3;
const WIDTHS = [600, 1200];
/** The picture in lists, of the first page. */
const THUMBNAIL = 480;

interface Payload {
  readonly fileId: number;
  readonly place?: number;
}

/** Draws pages of documents, by a job after the upload: a request never waits for it. */
@Injectable()
export class PageDrawer {
  private readonly logger = new Logger(PageDrawer.name);

  constructor(
    private readonly documents: FileDocuments,
    private readonly pages: FilePages,
    private readonly drawing: DrawingService,
    private readonly thumbnails: ThumbnailMaker,
    private readonly texts: TextMaker,
    private readonly office: OfficeDocuments,
    private readonly turns: DrawingTurns,
  ) {}

  /**
   * Draws what is missing of the first pages, so that it goes on where a worker that was killed has stopped. A document
   * of which a PDF is made before comes back after that. One that cannot be drawn is tried once; while the storage is
   * away it is tried for as long as that takes. Owners whose documents took much lately wait behind others.
   * @throws STORAGE_UNAVAILABLE, DRAWING_BUSY
   */
  @OnJob(drawFirstPages)
  async drawFirst({ fileId, place = 0 }: Payload, { signal, isLastAttempt }: JobContext): Promise<void> {
    const file = await this.documents.find(fileId);
    if (!file || file.state === 'failed') return;
    if (!file.source) return this.office.order(file);
    const due = this.turns.placeOf(file.owner);
    if (due > place) return this.documents.putBack(file, due);
    try {
      await this.drawOf(file, file.source, signal);
    } catch (error) {
      if (isLastAttempt && isPassing(error)) return this.documents.putBack(file, due, this.turns.later());
      if (!(error instanceof DrawingFailure)) throw error;
      this.logger.log({ fileId, fault: error.fault }, 'A document that cannot be drawn');
      await this.documents.failed(file, error.fault);
    }
  }

  private async drawOf(file: DocumentFile, source: DrawingSource, signal: AbortSignal): Promise<void> {
    const opened = await this.drawing.open(source);
    await this.documents.opened(file, opened);
    await this.drawPages(file, Math.min(FIRST, opened.count), signal);
    await this.texts.readOutline(file);
    await this.documents.ready(file);
  }

  /**
   * A broken page leaves the others as they are.
   * @throws DrawingFailure when there is no other
   */
  private async drawPages(file: DocumentFile, count: number, signal: AbortSignal): Promise<void> {
    const broken: DrawingFailure[] = [];
    for (let page = 1; page <= count; page++) {
      signal.throwIfAborted();
      try {
        await this.drawMissing(file, page);
      } catch (error) {
        if (!(error instanceof DrawingFailure)) throw error;
        await this.pages.noteBroken(file, page, error.fault);
        broken.push(error);
      }
    }
    if (broken.length === count) throw broken[0]!;
  }

  private async drawMissing(file: DocumentFile, page: number): Promise<void> {
    const there = await this.pages.widthsOf(file.fileId, page);
    const missing = WIDTHS.filter((width) => !there.includes(width));
    const wantsThumbnail = page === 1 && !file.hasThumbnail;
    const widths = wantsThumbnail ? [...missing, THUMBNAIL] : missing;
    if (widths.length === 0) return;
    const drawn = await this.drawing.draw(sourceOf(file), page, widths);
    for (const [at, picture] of drawn.entries()) {
      if (wantsThumbnail && at === missing.length) await this.thumbnails.keep(file.fileId, picture.bytes);
      else await this.pages.keep(file, page, widths[at]!, picture.bytes);
    }
  }
}
