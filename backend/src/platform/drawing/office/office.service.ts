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
import { bringDocument } from '../bring-document.js';
import { DrawingFailure, drawingErrors } from '../drawing.errors.js';
import { DrawingLimits } from '../limits/drawing-limits.js';
import { removeLeftOver } from '../left-over.js';
import { DrawingTurns } from '../turns/drawing-turns.service.js';
import { findOffice } from './find-office.js';
import { entriesOf, withBytes } from './archive.js';
import { openFormFor, takeOutHidden, type HiddenParts, type OpenForm } from './hidden-parts.js';
import { writeProfile } from './profile.js';
import { ProcessorLimit, processorTimeOfGroup, type Verdict } from '../limits/processor-time.js';
import { isProtected } from './protection.js';
import { refuseReferences } from './references.js';
import { writeAsUtf8 } from './texts.js';
import { findWrapping, wrappingOf, type Wrapping } from './wrapping.js';

/** The share of a processor below which a program hangs, rather than being kept from working by others. */
const HANGING = 0.02;

/** An Office document of the storage. */
export interface OfficeSource {
  readonly objectKey: string;
  /** Bytes. */
  readonly size: number;
  /** By which LibreOffice tells its kind. */
  readonly extension: string;
  readonly form: OfficeForm;
  /** Whose it is. */
  readonly owner: number;
}

/** How its bytes are put together: a text is words and nothing else. */
export type OfficeForm = 'archive' | 'old' | 'text';

/** What came of one. */
export interface OfficePdf {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** What was taken out of it; null when there was nothing. */
  readonly hidden: HiddenParts | null;
}

/** Where one document is worked on. */
interface Desk {
  readonly folder: string;
  readonly wrapping: Wrapping;
  readonly signal: AbortSignal;
}

/**
 * Has Office documents turned into PDF by LibreOffice, where it is installed: in a profile and a folder of its own that
 * are gone afterwards, with limits of memory and time, and, where the system allows that, without a network and without
 * any other file of this machine. Elsewhere a document that may name one is not shown.
 */
@Injectable()
export class Office implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('Office');
  private readonly program: string | null;
  private readonly closing = new AbortController();
  private readonly underWay = new Set<Promise<unknown>>();
  private wrapping: Promise<Wrapping> | undefined;
  /** What is never seen by it: the product and what it keeps. */
  private readonly hidden: readonly string[];

  constructor(
    config: AppConfig,
    private readonly storage: Storage,
    private readonly limits: DrawingLimits,
    private readonly turns: DrawingTurns,
  ) {
    this.program = findOffice(config.sofficePath);
    const files = config.storageUrl.startsWith('file:') ? [fileURLToPath(config.storageUrl)] : [];
    this.hidden = [process.cwd(), config.dataDir, ...files];
  }

  /** Whether LibreOffice is installed. */
  get isThere(): boolean {
    return this.program !== null;
  }

  /**
   * Makes a PDF of a document.
   * @param use the PDF, which is gone afterwards
   * @throws DrawingFailure for what the document is; DRAWING_BUSY when this process ends, STORAGE_UNAVAILABLE
   */
  async toPdf<T>(source: OfficeSource, signal: AbortSignal, use: (pdf: OfficePdf) => Promise<T>): Promise<T> {
    if (source.size > this.limits.bytes) throw new DrawingFailure('too-large');
    const making = this.toPdfInFolder(source, signal, use);
    this.underWay.add(making);
    try {
      return await making;
    } finally {
      this.underWay.delete(making);
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
      await this.bring(source, path, signal);
      const wrapping = await this.findWrapping(folder);
      const converting = () => this.convert({ folder, wrapping, signal }, path);
      return await use(
        await unlessProtected(path, async () => {
          await refuse(path, source.form, wrapping.isApart);
          return this.turns.charge(source.owner, converting);
        }),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** What a process that was killed could not take away holds whole documents. */
  async onModuleInit(): Promise<void> {
    try {
      await removeLeftOver();
    } catch (error) {
      this.logger.warn(error, 'What is left of documents in the temporary folder could not be taken away');
    }
  }

  /** Ends what is under way, and waits until its folders are removed: they hold whole documents. */
  async onModuleDestroy(): Promise<void> {
    this.closing.abort();
    await Promise.allSettled(this.underWay);
  }

  private async bring(source: OfficeSource, path: string, signal: AbortSignal): Promise<void> {
    const fetching = AbortSignal.any([AbortSignal.timeout(this.limits.fetch), this.closing.signal, signal]);
    try {
      await bringDocument(this.storage, source, path, fetching);
    } catch (error) {
      if (!fetching.aborted) throw error;
      throw this.closing.signal.aborted || signal.aborted
        ? drawingErrors.DRAWING_BUSY()
        : storageErrors.STORAGE_UNAVAILABLE();
    }
  }

  /** What nobody sees who opens the document is taken out of it before; LibreOffice would print it. */
  private async convert(desk: Desk, path: string): Promise<OfficePdf> {
    await writeProfile(join(desk.folder, 'profile'));
    for (const name of ['home', 'tmp', 'out']) await mkdir(join(desk.folder, name), { mode: 0o700 });
    const form = await openFormFor(path);
    const edited = form === null ? path : (await this.run(desk, path, form)).path;
    const hidden = await takeOutHidden(edited);
    return { ...(await this.run(desk, hidden === null ? path : edited, 'pdf')), hidden };
  }

  /** Has LibreOffice make a document of another form. */
  private async run(
    { folder, wrapping, signal }: Desk,
    path: string,
    form: OpenForm | 'pdf',
  ): Promise<Omit<OfficePdf, 'hidden'>> {
    const [program, memory] = [this.program!, this.limits.officeMemory];
    // One byte more than is taken, so that what was cut off there is told from what is whole.
    const file = this.limits.bytes + 1;
    // Later than by us, who do it better.
    const time = new ProcessorLimit(this.limits.office).longest + 10 * SECOND;
    const around = wrappingOf(wrapping, { folder, program, hidden: this.hidden, memory, file, time });
    const [command, ...before] = [...around, program];
    const out = join(folder, 'out');
    const child = spawn(command!, [...before, ...wishes(join(folder, 'profile'), out, path, form)], {
      cwd: folder,
      // No secret of ours, and nothing that leads it into the folders of people.
      env: { PATH: process.env.PATH, HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp'), LANG: 'C.UTF-8' },
      // What it prints could hold something of a document.
      stdio: 'ignore',
      // A group of its own: what starts is a script that starts the program.
      detached: true,
    });
    const verdict = await this.end(child, signal);
    if (this.closing.signal.aborted || signal.aborted) throw drawingErrors.DRAWING_BUSY();
    // Its code tells little: it is 0 also when nothing came of it.
    const made = join(out, `document.${form}`);
    const size = await stat(made).then(
      ({ size: bytes }) => bytes,
      () => 0,
    );
    if (verdict === 'starved') throw drawingErrors.DRAWING_BUSY();
    if (verdict === 'late') throw new DrawingFailure('too-slow');
    if (size === 0) throw new DrawingFailure('damaged');
    if (size > this.limits.bytes) throw new DrawingFailure('too-large');
    return { path: made, size };
  }

  /** Waits for its end, or ends it with all that it started. @returns why it was ended */
  private async end(child: ChildProcess, signal: AbortSignal): Promise<Verdict | undefined> {
    let verdict: Verdict | undefined;
    const kill = () => killGroup(child.pid);
    const limit = new ProcessorLimit(this.limits.office);
    const begun = performance.now();
    let timer: NodeJS.Timeout;
    let first: { elapsed: number; used: number | null } | undefined;
    const look = () => {
      const [elapsed, used] = [performance.now() - begun, processorTimeOfGroup(child.pid)];
      first ??= { elapsed, used };
      const judged = limit.judge(elapsed, used);
      if (typeof judged === 'number') {
        timer = setTimeout(look, judged);
        return;
      }
      // It may also wait for something that never comes, and then takes no more time of the processor once it has started.
      const hangs = used !== null && used - first.used! < (elapsed - first.elapsed) * HANGING;
      verdict = hangs ? 'late' : judged;
      kill();
    };
    timer = setTimeout(look, this.limits.office);
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
  private findWrapping(folder: string): Promise<Wrapping> {
    this.wrapping ??= (async () => {
      const found = await findWrapping(folder, this.program!);
      if (!found.isApart)
        this.logger.warn(
          'Office documents that may name others are not shown: unshare does not work (docs/operations/documents.md)',
        );
      if (!found.isLimited) this.logger.warn('The memory of LibreOffice cannot be limited here: prlimit is missing');
      return found;
    })();
    return this.wrapping;
  }
}

/**
 * Refuses what unfolds to too much, and, unless LibreOffice sees nothing but the document, what may name anything else.
 * @throws DrawingFailure
 */
async function refuse(path: string, form: OfficeForm, isApart: boolean): Promise<void> {
  if (form === 'text') return writeAsUtf8(path);
  // Old forms cannot be read for sure without LibreOffice.
  if (form === 'old' && !isApart) throw new DrawingFailure('outside');
  if (form === 'archive')
    await withBytes(path, async (bytes) => void (await (isApart ? entriesOf(bytes) : refuseReferences(bytes))));
}

/**
 * Makes a PDF, and tells a document with a password from a damaged one. It is looked at only after it failed: some passwords
 * are the default ones of Office, with which LibreOffice opens the document.
 */
async function unlessProtected<T>(path: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof DrawingFailure) || error.fault !== 'damaged') throw error;
    throw (await withBytes(path, isProtected)) ? new DrawingFailure('unsupported') : error;
  }
}

/** So that words are never taken for a page of the web, or for formulas. */
const AS_TEXT = '--infilter=Text (encoded):UTF8,LF,,';

const wishes = (profile: string, out: string, path: string, form: OpenForm | 'pdf') => [
  `-env:UserInstallation=${pathToFileURL(profile).href}`,
  ...['--headless', '--norestore', '--nolockcheck', ...(path.endsWith('.txt') ? [AS_TEXT] : [])],
  ...['--convert-to', form, '--outdir', out, path],
];

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // All of it has ended already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
