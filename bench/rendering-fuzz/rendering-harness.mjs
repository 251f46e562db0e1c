import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { root } from '../lib/product.mjs';

const WIDTH = 1200;
/** Number of rendered pages, as in the job after an upload. */
const MAX_PAGES = 3;
const MEMORY_INTERVAL_MS = 20;
/** Far above the product's limits. */
const OFFICE_TIMEOUT_MS = 600_000;

/** The product's rendering service with its own storage; records exits and memory of its processes. */
export class RenderingHarness {
  /** Number of exits of the rendering process by reason (see `RenderingProcessEndedError`). */
  processExits = { late: 0, starved: 0, killed: 0, memory: 0, other: 0 };
  /** Peak memory of the rendering process, in bytes. */
  peakBytes = 0;
  #keyCount = 0;
  #memoryTimer = setInterval(() => this.#recordMemory(), MEMORY_INTERVAL_MS);

  static async open() {
    if (!existsSync(`${root}dist/backend/src/main.js`)) throw new Error('Build first: npm run build:backend');
    const { Logger } = await import('@nestjs/common');
    const { AppConfig } = await load('config/app-config');
    const { RenderingLimits } = await load('rendering/limits/rendering-limits');
    const { RenderingService } = await load('rendering/rendering.service');
    const { FairSchedulerService } = await load('rendering/scheduling/fair-scheduler.service');
    const { SystemClock } = await load('clock/clock');
    const { LocalStorage } = await load('storage/local/local-storage');
    const { OfficeService } = await load('rendering/office/office.service');
    const harness = new RenderingHarness();
    harness.folder = mkdtempSync(join(tmpdir(), 'zonary-rendering-'));
    mkdirSync(join(harness.folder, 'files'));
    harness.storage = new LocalStorage(join(harness.folder, 'files'), null);
    const config = AppConfig.from({ DATA_DIR: join(harness.folder, 'data') });
    const scheduler = new FairSchedulerService(new SystemClock());
    harness.service = new RenderingService(config, harness.storage, new RenderingLimits(), scheduler);
    harness.office = new OfficeService(config, harness.storage, new RenderingLimits(), scheduler);
    // The service logs a warning with the reason when a process has ended.
    Logger.overrideLogger({ log() {}, error() {}, debug() {}, warn: (entry) => harness.#recordExit(entry) });
    return harness;
  }

  /**
   * Renders the first pages of a file.
   * @returns the number of rendered pages, why some are missing (null if none are), and the milliseconds of the first
   * and of all
   */
  async render({ bytes, format, office }) {
    const startedAt = performance.now();
    const result = { pages: 0, reason: null, first: null, all: 0 };
    try {
      const pdf = office ? await this.#toPdf(bytes, office) : bytes;
      await this.#renderPages(pdf, office ? 'pdf' : format, startedAt, result);
    } catch (error) {
      if (error.failure === undefined) throw error;
      result.reason = error.failure;
    }
    return { ...result, all: performance.now() - startedAt };
  }

  /** Converts an Office document to PDF with LibreOffice. */
  async #toPdf(bytes, office) {
    const objectKey = this.#newKey();
    const { size } = await this.storage.write(objectKey, Readable.from([bytes]));
    const source = { objectKey, size, owner: 1, ...office };
    try {
      return await this.office.toPdf(source, AbortSignal.timeout(OFFICE_TIMEOUT_MS), ({ path }) => readFile(path));
    } finally {
      await this.storage.delete(objectKey);
    }
  }

  async #renderPages(bytes, format, startedAt, result) {
    const objectKey = this.#newKey();
    const { size } = await this.storage.write(objectKey, Readable.from([bytes]));
    const source = { objectKey, size, format, owner: 1 };
    try {
      const { count } = await this.service.openDocument(source);
      for (; result.pages < Math.min(count, MAX_PAGES); result.pages++) {
        await this.service.renderPage(source, result.pages + 1, [WIDTH]);
        result.first ??= performance.now() - startedAt;
      }
      if (format === 'pdf') await this.service.extractText(source, 1);
    } finally {
      this.#recordMemory();
      await this.storage.delete(objectKey);
    }
  }

  #newKey() {
    return `files/${String(++this.#keyCount).padStart(32, '0')}`;
  }

  async close() {
    await this.service.onModuleDestroy();
    await this.office.onModuleDestroy();
    // The timer keeps this process running until the rendering process has ended.
    clearInterval(this.#memoryTimer);
    rmSync(this.folder, { recursive: true, force: true });
  }

  #recordExit(entry) {
    if (entry?.why in this.processExits) this.processExits[entry.why]++;
  }

  #recordMemory() {
    this.peakBytes = Math.max(this.peakBytes, peakMemoryOf(this.service?.pid));
  }
}

const load = (path) => import(`${root}dist/compiled/src/platform/${path}.js`);

/** Returns the peak memory of a process in bytes (Linux); 0 on other systems, and after the process has ended. */
function peakMemoryOf(pid) {
  if (pid === undefined) return 0;
  try {
    return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/**
 * Renders the same pages with the engine in this process, without the rendering process.
 * @returns the number of pages, and the milliseconds
 */
export async function renderWithoutProcess(files) {
  const loadEngine = (name) => import(`${root}dist/compiled/src/platform/rendering/${name}.mjs`);
  const { openPdf } = await loadEngine('pdf/pdf-renderer');
  const { openHeic, openPicture, openSvg, openTiff } = await loadEngine('image-renderer');
  const openers = { pdf: openPdf, picture: openPicture, tiff: openTiff, svg: openSvg, heic: openHeic };
  let [pages, milliseconds] = [0, 0];
  for (const { path, format, pages: count } of files) {
    const startedAt = performance.now();
    const document = await openers[format](path);
    for (let page = 1; page <= count; page++) await document.renderPage(page, [WIDTH]);
    if (format === 'pdf') document.extractText(1);
    document.close();
    milliseconds += performance.now() - startedAt;
    pages += count;
  }
  return { pages, milliseconds };
}
