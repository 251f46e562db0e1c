import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { Storage } from '../storage/storage.js';
import { storageErrors } from '../storage/storage.errors.js';
import { downloadToTemp } from './download-to-temp.js';
import { RenderError, renderingErrors } from './rendering.errors.js';
import { RenderingLimits } from './limits/rendering-limits.js';
import { RenderingProcess, RenderingProcessEndedError } from './rendering-process.js';
import type {
  Attachment,
  RenderFormat,
  RenderedPage,
  OpenedDocument,
  OutlineEntry,
  ExtractedPage,
} from './rendering-protocol.js';
import { RenderQueue } from './scheduling/render-queue.js';
import { FairSchedulerService } from './scheduling/fair-scheduler.service.js';

/** A document in the storage. */
export interface RenderSource {
  readonly objectKey: string;
  /** In bytes. */
  readonly size: number;
  readonly format: RenderFormat;
  /** Id of the owner, for fair scheduling between owners. */
  readonly owner: number;
  /** Password of the document. */
  readonly password?: string;
}

interface OpenDocument extends OpenedDocument {
  readonly number: number;
}

/** The work of a request, once its document is open in the process. */
type RenderTask<T> = (process: RenderingProcess, document: OpenDocument) => Promise<T>;

/**
 * Renders pages of PDFs and pictures in a separate process, one request at a time, scheduled fairly between owners.
 * Documents are untrusted: one that crashes or blocks its renderer costs only that process, never this one. The process
 * is started on demand, stopped when idle, and replaced when it ends.
 */
@Injectable()
export class RenderingService implements OnModuleDestroy {
  private readonly logger = new Logger('Rendering');
  private process: RenderingProcess | null = null;
  /** Documents open in the process, most recently used last. */
  private readonly documents = new Map<string, OpenDocument>();
  private lastDocumentNumber = 0;
  private pendingRequests = 0;
  private readonly queue: RenderQueue;
  private idleTimer: NodeJS.Timeout | undefined;
  private readonly closing = new AbortController();

  constructor(
    private readonly config: AppConfig,
    private readonly storage: Storage,
    private readonly limits: RenderingLimits,
    scheduler: FairSchedulerService,
  ) {
    this.queue = new RenderQueue(scheduler, limits);
  }

  /** Process id of the rendering process; undefined while there is none. */
  get pid(): number | undefined {
    return this.process?.pid;
  }

  /**
   * Returns the number of pages, their sizes, and the names of attached files.
   * @throws RenderError for problems of the document; DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  openDocument(source: RenderSource): Promise<OpenedDocument> {
    return this.enqueue(source, (_process, { count, sizes, attachments }) =>
      Promise.resolve({ count, sizes, attachments }),
    );
  }

  /**
   * Renders a page.
   * @param page from 1
   * @param widths width of each picture, in pixels: at most 2,000; the height is at most 16,383, and the area 16
   *   million pixels
   * @throws RenderError for problems of the document; DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  renderPage(source: RenderSource, page: number, widths: readonly number[]): Promise<RenderedPage[]> {
    return this.enqueue(source, async (process, { number }) => {
      const command = { kind: 'render', document: number, page, widths } as const;
      const pages = await process.request<RenderedPage[]>(command, this.limits.pageTimeout);
      return pages.map((picture) => ({ ...picture, bytes: Buffer.from(picture.bytes) }));
    });
  }

  /**
   * Extracts the text of a page with positions, and its links.
   * @param page from 1
   * @throws RenderError for problems of the document; DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  extractText(source: RenderSource, page: number): Promise<ExtractedPage> {
    return this.enqueue(source, (process, { number }) =>
      process.request<ExtractedPage>({ kind: 'text', document: number, page }, this.limits.pageTimeout),
    );
  }

  /**
   * Returns the outline of a document; empty when it has none.
   * @throws RenderError for problems of the document; DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  readOutline(source: RenderSource): Promise<OutlineEntry[]> {
    return this.enqueue(source, (process, { number }) =>
      process.request<OutlineEntry[]>({ kind: 'outline', document: number }, this.limits.pageTimeout),
    );
  }

  /**
   * Extracts a file attached to a document.
   * @param attachment its number in the list, from 1
   * @param use processes the file, which is deleted afterwards
   * @throws RenderError for problems of the document; DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  async withAttachment<T>(
    source: RenderSource,
    attachment: number,
    use: (file: Attachment & { readonly path: string }) => Promise<T>,
  ): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), 'zonary-rendering-'));
    try {
      const path = join(folder, 'attachment');
      const extracted = await this.enqueue(source, (process, { number }) =>
        process.request<Attachment>(
          { kind: 'attachment', document: number, attachment, path },
          this.limits.pageTimeout,
        ),
      );
      return await use({ ...extracted, path });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Rejects waiting requests, and ends the process. */
  async onModuleDestroy(): Promise<void> {
    this.closing.abort();
    await this.endProcess();
    await this.queue.whenIdle();
  }

  private get isClosed(): boolean {
    return this.closing.signal.aborted;
  }

  /** Runs a request when it is its turn. */
  private async enqueue<T>(source: RenderSource, work: RenderTask<T>): Promise<T> {
    if (source.size === 0) throw new RenderError('empty');
    if (source.size > (source.format === 'svg' ? this.limits.maxSvgBytes : this.limits.maxBytes))
      throw new RenderError('too-large');
    this.pendingRequests++;
    clearTimeout(this.idleTimer);
    try {
      return await this.runWithTimeoutRetry(source, work);
    } finally {
      this.pendingRequests--;
      if (this.pendingRequests === 0 && !this.isClosed)
        this.idleTimer = setTimeout(() => void this.endIdle(), this.limits.idleTimeout).unref();
    }
  }

  /**
   * Retries a request once after a timeout: only a document that times out twice is permanently too slow. Other
   * requests run in between.
   */
  private async runWithTimeoutRetry<T>(source: RenderSource, work: RenderTask<T>): Promise<T> {
    try {
      return await this.queue.run(source.owner, () => this.runWithCrashRetry(source, work));
    } catch (error) {
      if (!(error instanceof RenderError) || error.failure !== 'too-slow') throw error;
      return this.queue.run(source.owner, () => this.runWithCrashRetry(source, work));
    }
  }

  /**
   * Retries a request once after a crash, which another document may have caused; not after a timeout. Failures caused
   * by the machine say nothing about the document.
   */
  private async runWithCrashRetry<T>(source: RenderSource, work: RenderTask<T>): Promise<T> {
    for (let tries = 2; ; tries--) {
      if (this.isClosed) throw renderingErrors.DRAWING_BUSY();
      try {
        return await this.runInProcess(source, work);
      } catch (error) {
        if (!(error instanceof RenderingProcessEndedError)) throw error;
        await this.endProcess();
        if (this.isClosed) continue;
        this.logger.warn({ why: error.reason, tries: tries - 1 }, 'The rendering process exited');
        if (error.reason === 'late') throw new RenderError('too-slow');
        if (error.reason === 'starved') throw renderingErrors.DRAWING_BUSY();
        if (tries === 1 && error.reason === 'killed') throw renderingErrors.DRAWING_BUSY();
        if (tries === 1) throw new RenderError(error.reason === 'memory' ? 'too-large' : 'damaged');
      }
    }
  }

  private async runInProcess<T>(source: RenderSource, work: RenderTask<T>): Promise<T> {
    const process = await this.ensureProcess();
    // The password is part of the key: those who don't know it must not get a document that another person has opened.
    const key = JSON.stringify([source.objectKey, source.password ?? null]);
    const document = this.documents.get(key) ?? (await this.loadDocument(process, source));
    this.documents.delete(key);
    this.documents.set(key, document);
    await this.closeOldestDocuments(process);
    return work(process, document);
  }

  private async ensureProcess(): Promise<RenderingProcess> {
    if (this.process) return this.process;
    const { process, isMemoryLimited } = await this.startProcess();
    if (!isMemoryLimited) this.logger.warn("Can't limit the renderer's memory: prlimit is missing");
    this.process = process;
    // The service may have been stopped during the start.
    if (this.isClosed) throw new RenderingProcessEndedError('other');
    return process;
  }

  private async startProcess(): Promise<{ process: RenderingProcess; isMemoryLimited: boolean }> {
    try {
      return await RenderingProcess.start(this.config.renderingMemory, this.limits.startTimeout);
    } catch (error) {
      // The document has not been read yet.
      if (error instanceof RenderingProcessEndedError) throw new RenderingProcessEndedError('starved');
      throw error;
    }
  }

  /** Passes a document to the process in a private temporary file, which is deleted as soon as it is open. */
  private async loadDocument(process: RenderingProcess, source: RenderSource): Promise<OpenDocument> {
    const { format, password } = source;
    const folder = await mkdtemp(join(tmpdir(), 'zonary-rendering-'));
    const path = join(folder, 'document');
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(this.limits.fetchTimeout), this.closing.signal]);
      await downloadToTemp(this.storage, source, path, signal);
      const number = ++this.lastDocumentNumber;
      const command = { kind: 'open', document: number, format, path, password } as const;
      return { number, ...(await process.request<OpenedDocument>(command, this.limits.openTimeout)) };
    } catch (error) {
      if ((error as Error).name !== 'AbortError') throw error;
      throw this.isClosed ? renderingErrors.DRAWING_BUSY() : storageErrors.STORAGE_UNAVAILABLE();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async closeOldestDocuments(process: RenderingProcess): Promise<void> {
    for (const [key, { number }] of [...this.documents].slice(0, -this.limits.maxOpenDocuments)) {
      this.documents.delete(key);
      await process.request({ kind: 'close', document: number }, this.limits.openTimeout);
    }
  }

  private async endIdle(): Promise<void> {
    if (this.pendingRequests === 0) await this.endProcess();
  }

  private async endProcess(): Promise<void> {
    clearTimeout(this.idleTimer);
    const { process } = this;
    this.process = null;
    this.documents.clear();
    await process?.kill();
  }
}
