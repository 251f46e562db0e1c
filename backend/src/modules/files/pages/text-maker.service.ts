import { Injectable, Logger } from '@nestjs/common';
import { DrawingFailure } from '../../../platform/drawing/drawing.errors.js';
import { DrawingService } from '../../../platform/drawing/drawing.service.js';
import { isPassing } from '../../../platform/errors/app-error.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { DrawingTurns } from '../../../platform/drawing/turns/drawing-turns.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { readTexts } from '../files.jobs.js';
import { sourceOf, type DocumentFile } from './document-file.js';
import { FileDocuments } from './file-documents.service.js';
import { FileTexts, type KeptText } from './file-texts.service.js';

/** Pages that are read by one job. */
const CHUNK = 50;
/** Pages that may fail before the rest is left to whoever asks for it: each of them may have taken ten seconds. */
const FAULTS = 10;

interface Payload {
  readonly fileId: number;
  readonly faults: number;
  readonly place?: number;
}

/** Reads the texts of documents, by jobs after the first pages are drawn. */
@Injectable()
export class TextMaker {
  private readonly logger = new Logger(TextMaker.name);

  constructor(
    private readonly documents: FileDocuments,
    private readonly texts: FileTexts,
    private readonly drawing: DrawingService,
    private readonly turns: DrawingTurns,
  ) {}

  /**
   * Reads the next pages that are missing, so that it goes on where a worker that was killed has stopped, and tells when
   * all are there. A page that fails ends the chunk: others wait for the queue. Owners whose documents took much lately
   * wait behind others. While the storage is away it is tried for as long as that takes.
   * @throws STORAGE_UNAVAILABLE, DRAWING_BUSY
   */
  @OnJob(readTexts)
  async readNext({ fileId, faults, place = 0 }: Payload, { signal, isLastAttempt }: JobContext): Promise<void> {
    const file = await this.documents.find(fileId);
    if (file?.state !== 'ready') return;
    const due = this.turns.placeOf(file.owner);
    if (due > place) return this.texts.putBack(file, faults, due);
    try {
      await this.readChunk(file, faults, signal);
    } catch (error) {
      if (!isLastAttempt || !isPassing(error)) throw error;
      await this.texts.putBack(file, faults, due, this.turns.later());
    }
  }

  private async readChunk(file: DocumentFile, faults: number, signal: AbortSignal): Promise<void> {
    await this.readOutline(file);
    const missing = await this.texts.missing(file, CHUNK + 1);
    let isWhole = true;
    for (const page of missing.slice(0, CHUNK)) {
      signal.throwIfAborted();
      isWhole = (await this.read(file, page)).isRead;
      if (!isWhole) break;
    }
    const failed = faults + (isWhole ? 0 : 1);
    const isLast = isWhole && missing.length <= CHUNK;
    if (isLast || failed >= FAULTS) await this.texts.finish(file);
    else await this.texts.goOn(file, failed, this.turns.placeOf(file.owner));
  }

  /**
   * Reads a page and keeps what it says; one that cannot be read says nothing from then on.
   * @returns what is kept; null when the file was purged meanwhile, or has other contents
   * @throws STORAGE_UNAVAILABLE, DRAWING_BUSY
   */
  async read(file: DocumentFile, page: number): Promise<{ kept: KeptText | null; isRead: boolean }> {
    try {
      const { words, links, hasHidden } = await this.drawing.text(sourceOf(file), page);
      if (hasHidden) await this.documents.noteHiddenLayers(file);
      return { kept: await this.texts.keep(file, page, { words, links }), isRead: true };
    } catch (error) {
      if (!(error instanceof DrawingFailure)) throw error;
      this.logger.log({ fileId: file.fileId, page, fault: error.fault }, 'A page that cannot be read');
      return { kept: await this.texts.keep(file, page, { words: [], links: [] }), isRead: false };
    }
  }

  /** Reads the outline of a document, once; one that cannot be read is none. */
  async readOutline(file: DocumentFile): Promise<void> {
    if ((await this.documents.contentOf(file.fileId)).outline !== null) return;
    try {
      await this.documents.outlined(file, await this.drawing.outline(sourceOf(file)));
    } catch (error) {
      if (!(error instanceof DrawingFailure)) throw error;
      await this.documents.outlined(file, []);
    }
  }
}
