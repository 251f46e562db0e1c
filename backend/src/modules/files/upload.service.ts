import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Storage } from '../../platform/storage/storage.js';
import { cleanName, nameKey } from './file-name.js';
import { takenNames } from './file-placement.js';
import { fileErrors } from './files.errors.js';
import { FilingService, type FilingTarget, type StoredFile } from './filing.service.js';
import { EXTEND_EVERY, IncomingBytes } from './incoming-bytes.js';
import { ZoneFullService } from '../zones/zone-full.service.js';
import type { IncomingFile } from './upload-form.js';
import { UploadIntents, type Intent } from './upload-intents.service.js';

export interface UploadTarget extends FilingTarget {
  /** Bytes that the whole request can hold at most, when it says so. */
  readonly announced: number | null;
}

/** Takes files in: bytes first, then all rows of a request in one transaction, or nothing of it. */
@Injectable()
export class UploadService {
  private readonly logger = new Logger(UploadService.name);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly storage: Storage,
    private readonly intents: UploadIntents,
    private readonly filing: FilingService,
    private readonly full: ZoneFullService,
  ) {}

  /**
   * Stores the files of one request in a folder of a zone. Memory does not grow with their size.
   * @returns their ids, in the order in which they came
   * @throws INVALID_NAME, DUPLICATE_NAMES, FILE_TOO_LARGE, PLAN_LIMIT (others than the owner: ZONE_FULL),
   * FOLDER_NOT_FOUND, STORAGE_UNAVAILABLE; nothing of the request is kept then
   */
  upload(target: UploadTarget, files: AsyncIterable<IncomingFile>): Promise<number[]> {
    return this.full.guard(target.place.ownerId, target.userId, () => this.allOrNothing(target, files));
  }

  private async allOrNothing(target: UploadTarget, files: AsyncIterable<IncomingFile>): Promise<number[]> {
    const em = this.em.fork();
    const holding = new Holding(this.intents, this.clock);
    try {
      const stored = await this.store(em, target, files, holding);
      if (stored.length === 0) throw fileErrors.NO_FILES();
      return await inTransaction(em, (em) => this.filing.file(em, target, stored));
    } catch (error) {
      await this.abandon(holding.opened, error);
      throw error;
    }
  }

  /** Reads all files. After a clash the rest is not stored but still read, so that the answer names every clash. */
  private async store(
    em: EntityManager,
    target: UploadTarget,
    files: AsyncIterable<IncomingFile>,
    holding: Holding,
  ): Promise<StoredFile[]> {
    const stored: StoredFile[] = [];
    const clashes: string[] = [];
    const keys = new Set<string>();
    let delivered = 0;
    const { zoneId, folderId, ownerId } = target.place;
    for await (const file of files) {
      const name = cleanName(file.name, 'files');
      if (target.onConflict === 'refuse') {
        const taken = await takenNames(em, zoneId, folderId, [name]);
        if (taken.length > 0 || keys.has(nameKey(name))) clashes.push(name);
        keys.add(nameKey(name));
      }
      if (clashes.length > 0) {
        await file.skip();
        continue;
      }
      const left = target.announced === null ? null : target.announced - delivered;
      const done = await this.storeOne(em, ownerId, { ...file, name }, left, holding);
      delivered += done.size;
      stored.push(done);
    }
    if (clashes.length > 0) throw fileErrors.DUPLICATE_NAMES({}, { names: clashes });
    return stored;
  }

  private async storeOne(
    em: EntityManager,
    ownerId: number,
    file: IncomingFile,
    left: number | null,
    holding: Holding,
  ): Promise<StoredFile> {
    const intent = await this.intents.open(em, ownerId);
    holding.opened.push(intent);
    await holding.keepAlive(em);
    const bytes = new IncomingBytes(file, left, {
      reserve: (needed, wished) => holding.reserve(em, intent, needed, wished),
      extend: () => holding.extend(em),
      now: () => this.clock.now().getTime(),
    });
    const mimeType = await bytes.sniff();
    const written = await this.storage.write(intent.objectKey, bytes);
    holding.spare += bytes.spare;
    return { intent, objectKey: intent.objectKey, name: file.name, mimeType, ...written };
  }

  /** What cannot be undone now (the database or the storage is away) is found by its intent later. */
  private async abandon(opened: readonly Intent[], reason: unknown): Promise<void> {
    const expired = reason instanceof AppError && reason.code === 'UPLOAD_EXPIRED';
    for (const intent of opened) {
      try {
        await this.intents.abandon(this.em.fork(), intent);
        // The sweep took the intent before the object was there.
        if (expired) await this.storage.delete(intent.objectKey);
      } catch (error) {
        this.logger.warn({ err: error, uploadId: intent.id }, 'An upload that failed is left to the sweep');
      }
    }
  }
}

/** What one request holds of the owner's plan: what is left over of one of its files serves the next. */
class Holding {
  readonly opened: Intent[] = [];
  /** Bytes that are held and belong to no file yet. */
  spare = 0;

  private extendedAt: number;

  constructor(
    private readonly intents: UploadIntents,
    private readonly clock: Clock,
  ) {
    this.extendedAt = clock.now().getTime();
  }

  /** Shows from time to time that the earlier files of the request wait for the later ones. */
  async keepAlive(em: EntityManager): Promise<void> {
    if (this.clock.now().getTime() - this.extendedAt > EXTEND_EVERY) await this.extend(em);
  }

  async extend(em: EntityManager): Promise<void> {
    this.extendedAt = this.clock.now().getTime();
    await this.intents.extend(em, this.opened);
  }

  /** As `UploadIntents.reserve`, but what is spare is taken first. */
  async reserve(em: EntityManager, intent: Intent, needed: number, wished: number): Promise<number> {
    const taken = Math.min(this.spare, wished);
    const more = taken < needed ? await this.intents.reserve(em, intent, needed - taken, wished - taken) : 0;
    this.spare -= taken;
    return taken + more;
  }
}
