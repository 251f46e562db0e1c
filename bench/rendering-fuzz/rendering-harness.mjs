import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { root } from '../lib/product.mjs';

const WIDTH = 1200;
/** Number of rendered pages, as in the job after an upload. */
const PAGES = 3;
const LOOK_MS = 20;
/** Far above the product's limits. */
const OFFICE_MS = 600_000;

/** The product's rendering service with its own storage, and the cost of its processes. */
export class Desk {
  /** How often the rendering process ended, by reason. */
  killed = { late: 0, memory: 0, other: 0 };
  /** Its highest memory, in bytes. */
  peak = 0;
  #number = 0;
  #look = setInterval(() => this.#lookAtMemory(), LOOK_MS);

  static async open() {
    if (!existsSync(`${root}dist/backend/src/main.js`)) throw new Error('Build first: npm run build:backend');
    const { Logger } = await import('@nestjs/common');
    const { AppConfig } = await load('config/app-config');
    const { RenderingLimits } = await load('rendering/limits/rendering-limits');
    const { RenderingService } = await load('rendering/rendering.service');
    const { FairSchedulerService } = await load('rendering/scheduling/fair-scheduler.service');
    const { SystemClock } = await load('clock/clock');
    const { LocalStorage } = await load('storage/local-storage');
    const { OfficeService } = await load('rendering/office/office.service');
    const desk = new Desk();
    desk.folder = mkdtempSync(join(tmpdir(), 'zonary-pages-'));
    mkdirSync(join(desk.folder, 'files'));
    desk.storage = new LocalStorage(join(desk.folder, 'files'), null);
    const config = AppConfig.from({ DATA_DIR: join(desk.folder, 'data') });
    const scheduler = new FairSchedulerService(new SystemClock());
    desk.service = new RenderingService(config, desk.storage, new RenderingLimits(), scheduler);
    desk.office = new OfficeService(config, desk.storage, new RenderingLimits(), scheduler);
    // The service logs there why a process has ended.
    Logger.overrideLogger({ log() {}, error() {}, debug() {}, warn: (entry) => desk.#note(entry) });
    return desk;
  }

  /**
   * Renders the first pages of a file.
   * @returns the number of pages, the error if some are missing, and the milliseconds of the first and of all
   */
  async draw({ bytes, format, office }) {
    const begun = performance.now();
    const done = { pages: 0, reason: null, first: null, all: 0 };
    try {
      const pdf = office ? await this.#toPdf(bytes, office) : bytes;
      await this.#drawAll(pdf, office ? 'pdf' : format, begun, done);
    } catch (error) {
      if (error.fault === undefined) throw error;
      done.reason = error.fault;
    }
    return { ...done, all: performance.now() - begun };
  }

  /** The PDF of an Office document, converted by LibreOffice. */
  async #toPdf(bytes, office) {
    const objectKey = this.#newKey();
    const { size } = await this.storage.write(objectKey, Readable.from([bytes]));
    const source = { objectKey, size, owner: 1, ...office };
    try {
      return await this.office.toPdf(source, AbortSignal.timeout(OFFICE_MS), ({ path }) => readFile(path));
    } finally {
      await this.storage.delete(objectKey);
    }
  }

  async #drawAll(bytes, format, begun, done) {
    const objectKey = this.#newKey();
    const { size } = await this.storage.write(objectKey, Readable.from([bytes]));
    const source = { objectKey, size, format, owner: 1 };
    try {
      const { count } = await this.service.openDocument(source);
      for (; done.pages < Math.min(count, PAGES); done.pages++) {
        await this.service.renderPage(source, done.pages + 1, [WIDTH]);
        done.first ??= performance.now() - begun;
      }
      if (format === 'pdf') await this.service.extractText(source, 1);
    } finally {
      this.#lookAtMemory();
      await this.storage.delete(objectKey);
    }
  }

  #newKey() {
    return `files/${String(++this.#number).padStart(32, '0')}`;
  }

  async close() {
    await this.service.onModuleDestroy();
    await this.office.onModuleDestroy();
    // Nothing else delays this process's exit while the other one ends.
    clearInterval(this.#look);
    rmSync(this.folder, { recursive: true, force: true });
  }

  #note(entry) {
    if (entry?.why in this.killed) this.killed[entry.why]++;
  }

  #lookAtMemory() {
    this.peak = Math.max(this.peak, peakOf(this.service?.pid));
  }
}

const load = (path) => import(`${root}dist/backend/src/platform/${path}.js`);

/** Highest memory of a process in bytes, from Linux; 0 elsewhere, and after it has ended. */
function peakOf(pid) {
  if (pid === undefined) return 0;
  try {
    return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/**
 * The engine without the process around it: the same pages, rendered in this process.
 * @returns pages and milliseconds
 */
export async function drawAlone(files) {
  const engine = (name) => import(`${root}dist/backend/src/platform/rendering/${name}.mjs`);
  const { openPdf } = await engine('pdf/drawing-pdf');
  const { openHeic, openPicture, openSvg, openTiff } = await engine('drawing-pictures');
  const openers = { pdf: openPdf, picture: openPicture, tiff: openTiff, svg: openSvg, heic: openHeic };
  let [pages, spent] = [0, 0];
  for (const { path, format, pages: count } of files) {
    const begun = performance.now();
    const opened = await openers[format](path);
    for (let page = 1; page <= count; page++) await opened.draw(page, [WIDTH]);
    if (format === 'pdf') opened.text(1);
    opened.close();
    spent += performance.now() - begun;
    pages += count;
  }
  return { pages, spent };
}
