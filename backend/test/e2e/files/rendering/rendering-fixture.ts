import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { SystemClock } from '../../../../src/platform/clock/clock.js';
import { AppConfig } from '../../../../src/platform/config/app-config.js';
import { RenderingLimits } from '../../../../src/platform/rendering/limits/rendering-limits.js';
import type { RenderFormat } from '../../../../src/platform/rendering/rendering-protocol.js';
import { FairSchedulerService } from '../../../../src/platform/rendering/scheduling/fair-scheduler.service.js';
import { RenderingService, type RenderSource } from '../../../../src/platform/rendering/rendering.service.js';
import { LocalStorage } from '../../../../src/platform/storage/local/local-storage.js';
import { newObjectKey } from '../../../../src/platform/storage/storage.js';
import { waitUntil } from '../../../support/wait-until.js';

/** A rendering service with its own storage, and timeouts for a busy machine. */
export class RenderingFixture {
  private readonly folder = mkdtempSync(join(tmpdir(), 'zonary-rendering-spec-'));
  private readonly previousTmpDir = process.env.TMPDIR;
  readonly limits = Object.assign(new RenderingLimits(), {
    startTimeout: 120_000,
    openTimeout: 120_000,
    pageTimeout: 120_000,
  });
  readonly scheduler = new FairSchedulerService(new SystemClock());
  readonly storage: LocalStorage;
  readonly service: RenderingService;

  /** @param megabytes memory limit of the rendering process */
  constructor(megabytes = 768) {
    const files = join(this.folder, 'files');
    mkdirSync(files);
    this.storage = new LocalStorage(files, null);
    const config = AppConfig.from({ DATA_DIR: join(this.folder, 'data'), DRAWING_MEMORY: String(megabytes) });
    this.service = new RenderingService(config, this.storage, this.limits, this.scheduler);
    // A private temporary folder, so that leftovers can be attributed.
    process.env.TMPDIR = this.tempDir;
    mkdirSync(this.tempDir);
  }

  get tempDir(): string {
    return join(this.folder, 'temporary');
  }

  listTempFiles(): string[] {
    return readdirSync(this.tempDir);
  }

  async storeDocument(
    bytes: Buffer,
    password?: string,
    format: RenderFormat = 'pdf',
    owner = 1,
  ): Promise<RenderSource> {
    const objectKey = newObjectKey('files');
    const { size } = await this.storage.write(objectKey, Readable.from([bytes]));
    return { objectKey, size, format, owner, ...(password === undefined ? {} : { password }) };
  }

  /** Returns the first page's width and height, or the reason it can't be rendered. */
  async renderOutcome(bytes: Buffer, format: RenderFormat = 'pdf'): Promise<string> {
    try {
      const [page] = await this.service.renderPage(await this.storeDocument(bytes, undefined, format), 1, [600]);
      return `${page!.width}x${page!.height}`;
    } catch (error) {
      return (error as { failure?: string }).failure ?? String(error);
    }
  }

  /**
   * Returns why an attempt failed. Repeats attempts rejected because the server was too busy: on a loaded machine the
   * process may get no CPU time until the limit.
   */
  async findFault(attempt: () => Promise<unknown>): Promise<string> {
    for (;;) {
      try {
        await attempt();
        return 'none';
      } catch (error) {
        const { failure, code } = error as { failure?: string; code?: string };
        if (code !== 'DRAWING_BUSY') return failure ?? String(error);
      }
    }
  }

  async close(): Promise<void> {
    await this.service.onModuleDestroy();
    if (this.previousTmpDir === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = this.previousTmpDir;
    rmSync(this.folder, { recursive: true });
  }
}

export const isProcessRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Waits until a process is stopped, because SIGSTOP is delivered asynchronously. */
export async function suspendProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  await waitUntil('the process is stopped', () => /^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')));
}
