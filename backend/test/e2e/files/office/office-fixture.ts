import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { SystemClock } from '../../../../src/platform/clock/clock.js';
import { AppConfig } from '../../../../src/platform/config/app-config.js';
import { RenderingLimits } from '../../../../src/platform/rendering/limits/rendering-limits.js';
import { findOffice } from '../../../../src/platform/rendering/office/find-office.js';
import { OfficeService, type OfficeContainer } from '../../../../src/platform/rendering/office/office.service.js';
import { FairSchedulerService } from '../../../../src/platform/rendering/scheduling/fair-scheduler.service.js';
import { LocalStorage } from '../../../../src/platform/storage/local/local-storage.js';
import { newObjectKey } from '../../../../src/platform/storage/storage.js';

/** This machine's LibreOffice; null without one. */
export const OFFICE_PATH = findOffice(process.env.SOFFICE_PATH ?? null);

/** For suites that need LibreOffice: skipped without one, which `npm test` reports first. */
export const describeWithOffice = OFFICE_PATH === null ? describe.skip : describe;

/** Whether this machine allows sandboxing LibreOffice. */
const isSandboxAvailable =
  spawnSync('unshare', ['-rnmpi', '--fork', '--kill-child', '--mount-proc', '--', 'true']).status === 0;
export const describeWithSandbox = isSandboxAvailable ? describe : describe.skip;
/** With the sandbox, if available, and without. */
export const sandboxModes = isSandboxAvailable ? [true, false] : [false];

const CONTAINERS: Readonly<Record<string, OfficeContainer>> = {
  doc: 'old',
  xls: 'old',
  ppt: 'old',
  rtf: 'old',
  txt: 'text',
};

/** LibreOffice with its own storage, and timeouts for a busy machine. */
export class OfficeFixture {
  private readonly folder = mkdtempSync(join(tmpdir(), 'zonary-office-desk-'));
  private readonly previousEnv = { temporary: process.env.TMPDIR, path: process.env.PATH };
  readonly limits = Object.assign(new RenderingLimits(), { officeTimeout: 600_000 });
  readonly scheduler = new FairSchedulerService(new SystemClock());
  private readonly storage: LocalStorage;
  readonly office: OfficeService;

  /**
   * @param program a script instead of LibreOffice
   * @param allowSandbox false simulates a machine without user namespaces
   */
  constructor(program?: string, allowSandbox = true) {
    const [files, temporary] = [join(this.folder, 'files'), join(this.folder, 'temporary')];
    for (const folder of [files, temporary]) mkdirSync(folder);
    this.storage = new LocalStorage(files, null);
    const programPath = program === undefined ? OFFICE_PATH : this.writeScript('soffice', program);
    if (!allowSandbox) {
      this.writeScript('unshare', 'exit 1');
      process.env.PATH = `${this.folder}:${this.previousEnv.path}`;
    }
    const config = AppConfig.from({
      DATA_DIR: join(this.folder, 'data'),
      ...(programPath ? { SOFFICE_PATH: programPath } : {}),
    });
    this.office = new OfficeService(config, this.storage, this.limits, this.scheduler);
    // A private temporary folder, so that leftovers can be attributed.
    process.env.TMPDIR = temporary;
  }

  pathOf(name: string): string {
    return join(this.folder, name);
  }

  listTempFiles(): string[] {
    return readdirSync(this.pathOf('temporary'));
  }

  /** Converts a document to PDF. */
  async convertToPdf(bytes: Buffer, extension: string, signal?: AbortSignal): Promise<Buffer> {
    return (await this.convert(bytes, extension, signal)).bytes;
  }

  /** Returns the PDF of a document, and the content that was hidden in it. */
  async convert(bytes: Buffer, extension: string, signal = new AbortController().signal) {
    const objectKey = newObjectKey('files');
    const { size } = await this.storage.write(objectKey, Readable.from([bytes]));
    const source = { objectKey, size, extension, owner: 1, container: CONTAINERS[extension] ?? 'archive' };
    return this.office.toPdf(source, signal, ({ path, hidden }) =>
      Promise.resolve({ bytes: readFileSync(path), hidden }),
    );
  }

  /** Returns "pdf", or why there is none. */
  async convertOutcome(bytes: Buffer, extension: string): Promise<string> {
    try {
      return (await this.convertToPdf(bytes, extension)).subarray(1, 4).toString().toLowerCase();
    } catch (error) {
      return (error as { failure?: string }).failure ?? String(error);
    }
  }

  /**
   * Lists the running processes started for this fixture, also those in other namespaces, by the folder in their
   * environment.
   */
  listProcesses(): string[] {
    return readdirSync('/proc').filter((id) => {
      try {
        return /^\d+$/.test(id) && readFileSync(`/proc/${id}/environ`).includes(`HOME=${this.pathOf('temporary')}`);
      } catch {
        // The process has exited meanwhile.
        return false;
      }
    });
  }

  async close(): Promise<void> {
    await this.office.onModuleDestroy();
    process.env.PATH = this.previousEnv.path;
    if (this.previousEnv.temporary === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = this.previousEnv.temporary;
    rmSync(this.folder, { recursive: true });
  }

  private writeScript(name: string, text: string): string {
    const path = this.pathOf(name);
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return path;
  }
}
