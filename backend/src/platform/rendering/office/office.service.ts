import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { SECOND } from '../../clock/clock.js';
import { AppConfig } from '../../config/app-config.js';
import { Storage } from '../../storage/storage.js';
import { storageErrors } from '../../storage/storage.errors.js';
import { downloadToTemp } from '../download-to-temp.js';
import { RenderError, drawingErrors } from '../rendering.errors.js';
import { RenderingLimits } from '../limits/rendering-limits.js';
import { removeStaleTempFolders } from '../temp-cleanup.js';
import { FairSchedulerService } from '../scheduling/fair-scheduler.service.js';
import { findOffice } from './find-office.js';
import { readEntries, withFileBytes } from './zip-archive.js';
import {
  requiredOpenFormat,
  removeHiddenContent,
  type HiddenContent,
  type OpenDocumentFormat,
} from './hidden-content.js';
import { writeOfficeProfile } from './office-profile.js';
import { CpuTimeLimit, cpuTimeOfGroup, type CpuLimitVerdict } from '../limits/cpu-time.js';
import { isPasswordProtected } from './password-protection.js';
import { assertNoExternalReferences } from './external-references.js';
import { convertToUtf8 } from './text-to-utf8.js';
import { detectSandboxCapabilities, sandboxPrefix, type SandboxCapabilities } from './sandbox-command.js';

/** The share of a processor below which a program hangs, rather than being kept from working by others. */
const HANG_CPU_SHARE = 0.02;

/** An Office document of the storage. */
export interface OfficeSource {
  readonly objectKey: string;
  /** Bytes. */
  readonly size: number;
  /** By which LibreOffice tells its kind. */
  readonly extension: string;
  readonly container: OfficeContainer;
  /** Whose it is. */
  readonly owner: number;
}

/** How its bytes are put together: a text is words and nothing else. */
export type OfficeContainer = 'archive' | 'old' | 'text';

/** What came of one. */
export interface OfficePdf {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** What was taken out of it; null when there was nothing. */
  readonly hidden: HiddenContent | null;
}

/** Where one document is worked on. */
interface ConversionWorkspace {
  readonly folder: string;
  readonly sandbox: SandboxCapabilities;
  readonly signal: AbortSignal;
}

/**
 * Has Office documents turned into PDF by LibreOffice, where it is installed: in a profile and a folder of its own that
 * are gone afterwards, with limits of memory and time, and, where the system allows that, without a network and without
 * any other file of this machine. Elsewhere a document that may name one is not shown.
 */
@Injectable()
export class OfficeService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('Office');
  private readonly program: string | null;
  private readonly closing = new AbortController();
  private readonly pending = new Set<Promise<unknown>>();
  private sandbox: Promise<SandboxCapabilities> | undefined;
  /** What is never seen by it: the product and what it keeps. */
  private readonly hidden: readonly string[];

  constructor(
    config: AppConfig,
    private readonly storage: Storage,
    private readonly limits: RenderingLimits,
    private readonly scheduler: FairSchedulerService,
  ) {
    this.program = findOffice(config.sofficePath);
    const files = config.storageUrl.startsWith('file:') ? [fileURLToPath(config.storageUrl)] : [];
    this.hidden = [process.cwd(), config.dataDir, ...files];
  }

  /** Whether LibreOffice is installed. */
  get isInstalled(): boolean {
    return this.program !== null;
  }

  /**
   * Makes a PDF of a document.
   * @param use the PDF, which is gone afterwards
   * @throws RenderError for what the document is; DRAWING_BUSY when this process ends, STORAGE_UNAVAILABLE
   */
  async toPdf<T>(source: OfficeSource, signal: AbortSignal, use: (pdf: OfficePdf) => Promise<T>): Promise<T> {
    if (source.size > this.limits.maxBytes) throw new RenderError('too-large');
    const conversion = this.toPdfInFolder(source, signal, use);
    this.pending.add(conversion);
    try {
      return await conversion;
    } finally {
      this.pending.delete(conversion);
    }
  }

  private async toPdfInFolder<T>(
    source: OfficeSource,
    signal: AbortSignal,
    use: (pdf: OfficePdf) => Promise<T>,
  ): Promise<T> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'zonary-office-')));
    try {
      const path = join(folder, `document.${source.extension}`);
      await this.download(source, path, signal);
      const wrapping = await this.detectSandbox(folder);
      const converting = () => this.convert({ folder, sandbox: wrapping, signal }, path);
      return await use(
        await withPasswordCheck(path, async () => {
          await assertSafeDocument(path, source.container, wrapping.isIsolated);
          return this.scheduler.measure(source.owner, converting);
        }),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** What a process that was killed could not take away holds whole documents. */
  async onModuleInit(): Promise<void> {
    try {
      await removeStaleTempFolders();
    } catch (error) {
      this.logger.warn(error, 'What is left of documents in the temporary folder could not be taken away');
    }
  }

  /** Ends what is under way, and waits until its folders are removed: they hold whole documents. */
  async onModuleDestroy(): Promise<void> {
    this.closing.abort();
    await Promise.allSettled(this.pending);
  }

  private async download(source: OfficeSource, path: string, signal: AbortSignal): Promise<void> {
    const abort = AbortSignal.any([AbortSignal.timeout(this.limits.fetchTimeout), this.closing.signal, signal]);
    try {
      await downloadToTemp(this.storage, source, path, abort);
    } catch (error) {
      if (!abort.aborted) throw error;
      throw this.closing.signal.aborted || signal.aborted
        ? drawingErrors.DRAWING_BUSY()
        : storageErrors.STORAGE_UNAVAILABLE();
    }
  }

  /** What nobody sees who opens the document is taken out of it before; LibreOffice would print it. */
  private async convert(desk: ConversionWorkspace, path: string): Promise<OfficePdf> {
    await writeOfficeProfile(join(desk.folder, 'profile'));
    for (const name of ['home', 'tmp', 'out']) await mkdir(join(desk.folder, name), { mode: 0o700 });
    const form = await requiredOpenFormat(path);
    const edited = form === null ? path : (await this.runOffice(desk, path, form)).path;
    const hidden = await removeHiddenContent(edited);
    return { ...(await this.runOffice(desk, hidden === null ? path : edited, 'pdf')), hidden };
  }

  /** Has LibreOffice make a document of another form. */
  private async runOffice(
    { folder, sandbox, signal }: ConversionWorkspace,
    path: string,
    form: OpenDocumentFormat | 'pdf',
  ): Promise<Omit<OfficePdf, 'hidden'>> {
    const [program, memory] = [this.program!, this.limits.officeMemory];
    // One byte more than is taken, so that what was cut off there is told from what is whole.
    const file = this.limits.maxBytes + 1;
    // Later than by us, who do it better.
    const time = new CpuTimeLimit(this.limits.officeTimeout).maxWallClock + 10 * SECOND;
    const around = sandboxPrefix(sandbox, {
      folder,
      program,
      hidden: this.hidden,
      memory,
      maxFileBytes: file,
      timeout: time,
    });
    const [command, ...before] = [...around, program];
    const out = join(folder, 'out');
    const child = spawn(command!, [...before, ...officeArguments(join(folder, 'profile'), out, path, form)], {
      cwd: folder,
      // No secret of ours, and nothing that leads it into the folders of people.
      env: { PATH: process.env.PATH, HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp'), LANG: 'C.UTF-8' },
      // What it prints could hold something of a document.
      stdio: 'ignore',
      // A group of its own: what starts is a script that starts the program.
      detached: true,
    });
    const verdict = await this.waitForExit(child, signal);
    if (this.closing.signal.aborted || signal.aborted) throw drawingErrors.DRAWING_BUSY();
    // Its code tells little: it is 0 also when nothing came of it.
    const made = join(out, `document.${form}`);
    const size = await stat(made).then(
      ({ size: bytes }) => bytes,
      () => 0,
    );
    if (verdict === 'starved') throw drawingErrors.DRAWING_BUSY();
    if (verdict === 'late') throw new RenderError('too-slow');
    if (size === 0) throw new RenderError('damaged');
    if (size > this.limits.maxBytes) throw new RenderError('too-large');
    return { path: made, size };
  }

  /** Waits for its end, or ends it with all that it started. @returns why it was ended */
  private async waitForExit(child: ChildProcess, signal: AbortSignal): Promise<CpuLimitVerdict | undefined> {
    let verdict: CpuLimitVerdict | undefined;
    const kill = () => killProcessGroup(child.pid);
    const limit = new CpuTimeLimit(this.limits.officeTimeout);
    const startedAt = performance.now();
    let timer: NodeJS.Timeout;
    let first: { elapsed: number; used: number | null } | undefined;
    const checkLimit = () => {
      const [elapsed, used] = [performance.now() - startedAt, cpuTimeOfGroup(child.pid)];
      first ??= { elapsed, used };
      const result = limit.check(elapsed, used);
      if (typeof result === 'number') {
        timer = setTimeout(checkLimit, result);
        return;
      }
      // It may also wait for something that never comes, and then takes no more time of the processor once it has started.
      const hangs = used !== null && used - first.used! < (elapsed - first.elapsed) * HANG_CPU_SHARE;
      verdict = hangs ? 'late' : result;
      kill();
    };
    timer = setTimeout(checkLimit, this.limits.officeTimeout);
    const stopping = AbortSignal.any([this.closing.signal, signal]);
    stopping.addEventListener('abort', kill);
    if (stopping.aborted) kill();
    try {
      await once(child, 'exit');
    } finally {
      clearTimeout(timer);
      stopping.removeEventListener('abort', kill);
      kill();
    }
    return verdict;
  }

  /** What the system allows: asked once. */
  private detectSandbox(folder: string): Promise<SandboxCapabilities> {
    this.sandbox ??= (async () => {
      const found = await detectSandboxCapabilities(folder, this.program!);
      if (!found.isIsolated)
        this.logger.warn(
          'Office documents that may name others are not shown: unshare does not work (docs/operations/documents.md)',
        );
      if (!found.isMemoryLimited)
        this.logger.warn('The memory of LibreOffice cannot be limited here: prlimit is missing');
      return found;
    })();
    return this.sandbox;
  }
}

/**
 * Refuses what unfolds to too much, and, unless LibreOffice sees nothing but the document, what may name anything else.
 * @throws RenderError
 */
async function assertSafeDocument(path: string, form: OfficeContainer, isApart: boolean): Promise<void> {
  if (form === 'text') return convertToUtf8(path);
  // Old forms cannot be read for sure without LibreOffice.
  if (form === 'old' && !isApart) throw new RenderError('outside');
  if (form === 'archive')
    await withFileBytes(
      path,
      async (bytes) => void (await (isApart ? readEntries(bytes) : assertNoExternalReferences(bytes))),
    );
}

/**
 * Makes a PDF, and tells a document with a password from a damaged one. It is looked at only after it failed: some passwords
 * are the default ones of Office, with which LibreOffice opens the document.
 */
async function withPasswordCheck<T>(path: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof RenderError) || error.fault !== 'damaged') throw error;
    throw (await withFileBytes(path, isPasswordProtected)) ? new RenderError('unsupported') : error;
  }
}

/** So that words are never taken for a page of the web, or for formulas. */
const TEXT_FILTER = '--infilter=Text (encoded):UTF8,LF,,';

const officeArguments = (profile: string, out: string, path: string, form: OpenDocumentFormat | 'pdf') => [
  `-env:UserInstallation=${pathToFileURL(profile).href}`,
  ...['--headless', '--norestore', '--nolockcheck', ...(path.endsWith('.txt') ? [TEXT_FILTER] : [])],
  ...['--convert-to', form, '--outdir', out, path],
];

function killProcessGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // All of it has ended already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
