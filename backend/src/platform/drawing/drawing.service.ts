import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { Storage } from '../storage/storage.js';
import { storageErrors } from '../storage/storage.errors.js';
import { bringDocument } from './bring-document.js';
import { DrawingFailure, drawingErrors } from './drawing.errors.js';
import { DrawingLimits } from './limits/drawing-limits.js';
import { DrawingProcess, ProcessEnded } from './drawing-process.js';
import type { Attachment, DrawingFormat, DrawnPage, Opened, OutlineEntry, ReadPage } from './drawing-protocol.js';
import { DrawingLine } from './turns/drawing-line.js';
import { DrawingTurns } from './turns/drawing-turns.service.js';

/** A document of the storage. */
export interface DrawingSource {
  readonly objectKey: string;
  /** Bytes. */
  readonly size: number;
  readonly format: DrawingFormat;
  /** Whose it is: documents of others do not wait for those of one. */
  readonly owner: number;
  /** What it is locked with. */
  readonly password?: string;
}

interface OpenDocument extends Opened {
  readonly number: number;
}

/** What a wish does with the process, once its document is open there. */
type Work<T> = (process: DrawingProcess, document: OpenDocument) => Promise<T>;

/**
 * Has pages of PDF and of pictures drawn, in a process apart, one wish after the other, the owners of documents by turns: a document that anybody may have made can stop or
 * kill what reads it, and costs one such process then, never this one. It is started at the first wish, ended a while
 * after the last, and replaced when it ends.
 */
@Injectable()
export class DrawingService implements OnModuleDestroy {
  private readonly logger = new Logger('Drawing');
  private process: DrawingProcess | null = null;
  /** Those that are open in the process, the one that was used last at the end. */
  private readonly documents = new Map<string, OpenDocument>();
  private numbers = 0;
  private wishes = 0;
  private readonly line: DrawingLine;
  private idle: NodeJS.Timeout | undefined;
  private readonly closing = new AbortController();

  constructor(
    private readonly config: AppConfig,
    private readonly storage: Storage,
    private readonly limits: DrawingLimits,
    turns: DrawingTurns,
  ) {
    this.line = new DrawingLine(turns, limits);
  }

  /** Of the process that draws now; undefined while there is none. */
  get pid(): number | undefined {
    return this.process?.pid;
  }

  /**
   * How many pages a document has, their sizes, and what is attached to it.
   * @throws DrawingFailure for what it is; DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  open(source: DrawingSource): Promise<Opened> {
    return this.do(source, (_process, { count, sizes, attachments }) => Promise.resolve({ count, sizes, attachments }));
  }

  /**
   * Draws a page.
   * @param page from 1
   * @param widths in pixels, of one picture each: at most 2000, and 16,383 high, of 16 million pixels at most
   * @throws DrawingFailure for what it is; DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  draw(source: DrawingSource, page: number, widths: readonly number[]): Promise<DrawnPage[]> {
    return this.do(source, async (process, { number }) => {
      const wish = { kind: 'draw', document: number, page, widths } as const;
      const drawn = await process.ask<DrawnPage[]>(wish, this.limits.page);
      return drawn.map((picture) => ({ ...picture, bytes: Buffer.from(picture.bytes) }));
    });
  }

  /**
   * What a page says and where, and its links.
   * @param page from 1
   * @throws DrawingFailure for what it is; DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  text(source: DrawingSource, page: number): Promise<ReadPage> {
    return this.do(source, (process, { number }) =>
      process.ask<ReadPage>({ kind: 'text', document: number, page }, this.limits.page),
    );
  }

  /**
   * The outline of a document; empty where it has none.
   * @throws DrawingFailure for what it is; DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  outline(source: DrawingSource): Promise<OutlineEntry[]> {
    return this.do(source, (process, { number }) =>
      process.ask<OutlineEntry[]>({ kind: 'outline', document: number }, this.limits.page),
    );
  }

  /**
   * Takes a file out of a document that it is attached to.
   * @param attachment its number in the list, from 1
   * @param use the file, which is gone afterwards
   * @throws DrawingFailure for what it is; DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  async attachment<T>(
    source: DrawingSource,
    attachment: number,
    use: (file: Attachment & { readonly path: string }) => Promise<T>,
  ): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), 'zonary-drawing-'));
    try {
      const path = join(folder, 'attachment');
      const taken = await this.do(source, (process, { number }) =>
        process.ask<Attachment>({ kind: 'attachment', document: number, attachment, path }, this.limits.page),
      );
      return await use({ ...taken, path });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Refuses what waits, and ends the process. */
  async onModuleDestroy(): Promise<void> {
    this.closing.abort();
    await this.end();
    await this.line.idle();
  }

  private get isClosed(): boolean {
    return this.closing.signal.aborted;
  }

  /** Does a wish when it is its turn. */
  private async do<T>(source: DrawingSource, work: Work<T>): Promise<T> {
    if (source.size === 0) throw new DrawingFailure('empty');
    if (source.size > (source.format === 'svg' ? this.limits.svg : this.limits.bytes))
      throw new DrawingFailure('too-large');
    this.wishes++;
    clearTimeout(this.idle);
    try {
      return await this.repeated(source, work);
    } finally {
      this.wishes--;
      if (this.wishes === 0 && !this.isClosed)
        this.idle = setTimeout(() => void this.endIdle(), this.limits.idle).unref();
    }
  }

  /**
   * Once more when it took too long: only what does so twice is too slow for good. Others have their turn in between.
   */
  private async repeated<T>(source: DrawingSource, work: Work<T>): Promise<T> {
    try {
      return await this.line.do(source.owner, () => this.twice(source, work));
    } catch (error) {
      if (!(error instanceof DrawingFailure) || error.fault !== 'too-slow') throw error;
      return this.line.do(source.owner, () => this.twice(source, work));
    }
  }

  /**
   * Once more when the process ended in the middle, which another document may have been to blame for; but not when it took
   * too long. What the machine is to blame for says nothing of the document.
   */
  private async twice<T>(source: DrawingSource, work: Work<T>): Promise<T> {
    for (let tries = 2; ; tries--) {
      if (this.isClosed) throw drawingErrors.DRAWING_BUSY();
      try {
        return await this.once(source, work);
      } catch (error) {
        if (!(error instanceof ProcessEnded)) throw error;
        await this.end();
        if (this.isClosed) continue;
        this.logger.warn({ why: error.why, tries: tries - 1 }, 'The process that draws has ended');
        if (error.why === 'late') throw new DrawingFailure('too-slow');
        if (error.why === 'starved') throw drawingErrors.DRAWING_BUSY();
        if (tries === 1 && error.why === 'killed') throw drawingErrors.DRAWING_BUSY();
        if (tries === 1) throw new DrawingFailure(error.why === 'memory' ? 'too-large' : 'damaged');
      }
    }
  }

  private async once<T>(source: DrawingSource, work: Work<T>): Promise<T> {
    const process = await this.running();
    // With another password it is another document: who does not know it must not meet what somebody else has opened.
    const key = JSON.stringify([source.objectKey, source.password ?? null]);
    const document = this.documents.get(key) ?? (await this.fetch(process, source));
    this.documents.delete(key);
    this.documents.set(key, document);
    await this.closeOldest(process);
    return work(process, document);
  }

  private async running(): Promise<DrawingProcess> {
    if (this.process) return this.process;
    const { process, limited } = await this.start();
    if (!limited) this.logger.warn('The memory of the process that draws cannot be limited here: prlimit is missing');
    this.process = process;
    // It may have been started while this service ended.
    if (this.isClosed) throw new ProcessEnded('other');
    return process;
  }

  private async start(): Promise<{ process: DrawingProcess; limited: boolean }> {
    try {
      return await DrawingProcess.start(this.config.drawingMemory, this.limits.start);
    } catch (error) {
      // Nothing of the document has been read yet.
      if (error instanceof ProcessEnded) throw new ProcessEnded('starved');
      throw error;
    }
  }

  /** Brings a document to the process, by a file that only it and we can read, and that is gone once it is open. */
  private async fetch(process: DrawingProcess, source: DrawingSource): Promise<OpenDocument> {
    const { format, password } = source;
    const folder = await mkdtemp(join(tmpdir(), 'zonary-drawing-'));
    const path = join(folder, 'document');
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(this.limits.fetch), this.closing.signal]);
      await bringDocument(this.storage, source, path, signal);
      const number = ++this.numbers;
      const wish = { kind: 'open', document: number, format, path, password } as const;
      return { number, ...(await process.ask<Opened>(wish, this.limits.open)) };
    } catch (error) {
      if ((error as Error).name !== 'AbortError') throw error;
      throw this.isClosed ? drawingErrors.DRAWING_BUSY() : storageErrors.STORAGE_UNAVAILABLE();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async closeOldest(process: DrawingProcess): Promise<void> {
    for (const [key, { number }] of [...this.documents].slice(0, -this.limits.documents)) {
      this.documents.delete(key);
      await process.ask({ kind: 'close', document: number }, this.limits.open);
    }
  }

  private async endIdle(): Promise<void> {
    if (this.wishes === 0) await this.end();
  }

  private async end(): Promise<void> {
    clearTimeout(this.idle);
    const { process } = this;
    this.process = null;
    this.documents.clear();
    await process?.end();
  }
}
