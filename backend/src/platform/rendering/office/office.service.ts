import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { SECOND } from '../../clock/clock.js';
import { AppConfig } from '../../config/app-config.js';
import { Storage } from '../../storage/storage.js';
import { storageErrors } from '../../storage/storage.errors.js';
import { downloadToTemp } from '../download-to-temp.js';
import { RenderError, renderingErrors } from '../rendering.errors.js';
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

/** CPU share below which a program counts as hanging rather than being starved by others. */
const HANG_CPU_SHARE = 0.02;

/** An Office document in the storage. */
export interface OfficeSource {
  readonly objectKey: string;
  /** In bytes. */
  readonly size: number;
  /** LibreOffice detects the type by the extension. */
  readonly extension: string;
  readonly container: OfficeContainer;
  /** Id of the document's owner. */
  readonly owner: number;
}

/** Container format; `text` is plain text. */
export type OfficeContainer = 'archive' | 'old' | 'text';

/** A converted document. */
export interface OfficePdf {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** The hidden content that was removed; null when there was none. */
  readonly hidden: HiddenContent | null;
}

/** The environment of one conversion. */
interface ConversionWorkspace {
  readonly folder: string;
  readonly sandbox: SandboxCapabilities;
  readonly signal: AbortSignal;
}

/**
 * Converts Office documents to PDF with LibreOffice, if installed. Each conversion has its own temporary profile and
 * folder, with memory and time limits. Where the system allows it, LibreOffice has no network and no access to other
 * files of this machine. Elsewhere, documents that may refer to such files are rejected.
 */
@Injectable()
export class OfficeService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('Office');
  private readonly program: string | null;
  private readonly closing = new AbortController();
  private readonly pending = new Set<Promise<unknown>>();
  private sandbox: Promise<SandboxCapabilities> | undefined;
  private readonly dataDir: string;

  constructor(
    config: AppConfig,
    private readonly storage: Storage,
    private readonly limits: RenderingLimits,
    private readonly scheduler: FairSchedulerService,
  ) {
    this.program = findOffice(config.sofficePath);
    this.dataDir = config.dataDir;
  }

  get isInstalled(): boolean {
    return this.program !== null;
  }

  /**
   * Converts a document to PDF.
   * @param use processes the PDF, which is deleted afterwards
   * @throws RenderError for problems of the document; DRAWING_BUSY when this process is stopping, STORAGE_UNAVAILABLE
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

  /** The folders of killed processes contain whole documents. */
  async onModuleInit(): Promise<void> {
    try {
      await removeStaleTempFolders();
    } catch (error) {
      this.logger.warn(error, "Couldn't delete leftover documents in the temporary folder");
    }
  }

  /** Aborts running conversions, and waits until their folders are deleted, because they contain whole documents. */
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
        ? renderingErrors.DRAWING_BUSY()
        : storageErrors.STORAGE_UNAVAILABLE();
    }
  }

  /** Removes hidden content before the conversion, because LibreOffice would print it. */
  private async convert(desk: ConversionWorkspace, path: string): Promise<OfficePdf> {
    await writeOfficeProfile(join(desk.folder, 'profile'));
    for (const name of ['home', 'tmp', 'out']) await mkdir(join(desk.folder, name), { mode: 0o700 });
    const form = await requiredOpenFormat(path);
    const edited = form === null ? path : (await this.runOffice(desk, path, form)).path;
    const hidden = await removeHiddenContent(edited);
    return { ...(await this.runOffice(desk, hidden === null ? path : edited, 'pdf')), hidden };
  }

  /** Runs LibreOffice to convert a document into another format. */
  private async runOffice(
    { folder, sandbox, signal }: ConversionWorkspace,
    path: string,
    form: OpenDocumentFormat | 'pdf',
  ): Promise<Omit<OfficePdf, 'hidden'>> {
    const [program, memory] = [this.program!, this.limits.officeMemory];
    // One byte more than allowed, to distinguish a truncated file from a complete one.
    const maxFileBytes = this.limits.maxBytes + 1;
    // Longer than our own timeout, which gives better diagnostics.
    const timeout = new CpuTimeLimit(this.limits.officeTimeout).maxWallClock + 10 * SECOND;
    const commandPrefix = sandboxPrefix(sandbox, {
      folder,
      program,
      // The product and its data.
      hidden: [process.cwd(), this.dataDir, ...this.storage.folders],
      memory,
      maxFileBytes,
      timeout,
    });
    const [command, ...commandArguments] = [...commandPrefix, program];
    const out = join(folder, 'out');
    const child = spawn(command!, [...commandArguments, ...officeArguments(join(folder, 'profile'), out, path, form)], {
      cwd: folder,
      // No secrets, and nothing that leads it to users' home folders.
      env: { PATH: process.env.PATH, HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp'), LANG: 'C.UTF-8' },
      // Its output could contain document content.
      stdio: 'ignore',
      // In its own process group, because the command is a script that starts the actual program.
      detached: true,
    });
    const verdict = await this.waitForExit(child, signal);
    if (this.closing.signal.aborted || signal.aborted) throw renderingErrors.DRAWING_BUSY();
    // The exit code isn't reliable: it is also 0 when nothing was created.
    const pdfPath = join(out, `document.${form}`);
    const size = await stat(pdfPath).then(
      ({ size: bytes }) => bytes,
      () => 0,
    );
    if (verdict === 'starved') throw renderingErrors.DRAWING_BUSY();
    if (verdict === 'late') throw new RenderError('too-slow');
    if (size === 0) throw new RenderError('damaged');
    if (size > this.limits.maxBytes) throw new RenderError('too-large');
    return { path: pdfPath, size };
  }

  /** Waits for the process to exit, or kills it with all its children. @returns why it was killed */
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
      // It may also wait for something that never happens; after the start it then uses no more CPU time.
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

  /** Detects the sandbox capabilities once. */
  private detectSandbox(folder: string): Promise<SandboxCapabilities> {
    this.sandbox ??= (async () => {
      const found = await detectSandboxCapabilities(folder, this.program!);
      if (!found.isIsolated)
        this.logger.warn(
          "Office documents that may load external files aren't shown because unshare doesn't work (docs/operations/documents.md)",
        );
      if (!found.isMemoryLimited) this.logger.warn("Can't limit LibreOffice's memory: prlimit is missing");
      return found;
    })();
    return this.sandbox;
  }
}

/**
 * Rejects documents that are too large when uncompressed and, unless LibreOffice is isolated, those that may refer to
 * anything else.
 * @throws RenderError
 */
async function assertSafeDocument(path: string, form: OfficeContainer, isApart: boolean): Promise<void> {
  if (form === 'text') return convertToUtf8(path);
  // Documents in old formats can't be checked reliably without LibreOffice.
  if (form === 'old' && !isApart) throw new RenderError('outside');
  if (form === 'archive')
    await withFileBytes(
      path,
      async (bytes) => void (await (isApart ? readEntries(bytes) : assertNoExternalReferences(bytes))),
    );
}

/**
 * Converts a document, and on failure distinguishes a password from damage. The check comes only after a failure,
 * because LibreOffice opens documents with Office's default passwords.
 */
async function withPasswordCheck<T>(path: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof RenderError) || error.failure !== 'damaged') throw error;
    throw (await withFileBytes(path, isPasswordProtected)) ? new RenderError('unsupported') : error;
  }
}

/** Prevents plain text from being detected as HTML or as formulas. */
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
    // The whole group has already exited.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
