import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Storage } from '../../platform/storage/storage.js';
import { ActivityService } from '../activity/activity.service.js';
import { ZoneStatsSchema } from '../zones/entities/zone-stats.entity.js';
import { FileSchema } from './entities/file.entity.js';
import { cleanName, nameKey } from './file-name.js';
import { freeNames, depthOf, lockZone, takenNames } from './file-placement.js';
import { fileErrors } from './files.errors.js';
import type { Place } from './folder-places.service.js';
import { IncomingBytes } from './incoming-bytes.js';
import { StorageFullService } from './storage-full.service.js';
import type { IncomingFile } from './upload-form.js';
import { UploadIntents, type Intent } from './upload-intents.service.js';

type Tables = typeof FileSchema | typeof ZoneStatsSchema;

export interface UploadTarget {
  /** Where the files go; one that can be written to. */
  readonly place: Place;
  /** Who uploads. */
  readonly userId: number;
  /** `rename` gives clashing files a number; otherwise one clash refuses all files of the request. */
  readonly onConflict: 'refuse' | 'rename';
  /** Bytes that the whole request can hold at most, when it says so. */
  readonly announced: number | null;
}

/** A file whose bytes are stored, before there is a row for it. */
interface StoredFile {
  readonly intent: Intent;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256: string;
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
    private readonly activity: ActivityService,
    private readonly full: StorageFullService,
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
    const opened: Intent[] = [];
    try {
      const stored = await this.store(em, target, files, opened);
      if (stored.length === 0) throw fileErrors.NO_FILES();
      return await inTransaction(em, (em) => this.commit(em, target, stored));
    } catch (error) {
      await this.abandon(opened, error);
      throw error;
    }
  }

  /** Reads all files. After a clash the rest is not stored but still read, so that the answer names every clash. */
  private async store(
    em: EntityManager,
    target: UploadTarget,
    files: AsyncIterable<IncomingFile>,
    opened: Intent[],
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
      const done = await this.storeOne(em, ownerId, { ...file, name }, left, opened);
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
    opened: Intent[],
  ): Promise<StoredFile> {
    const intent = await this.intents.open(em, ownerId);
    opened.push(intent);
    const bytes = new IncomingBytes(file, left, {
      reserve: (needed, wished) => this.intents.reserve(em, intent, needed, wished),
      extend: () => this.intents.extend(em, intent),
      now: () => this.clock.now().getTime(),
    });
    const mimeType = await bytes.sniff();
    const written = await this.storage.write(intent.objectKey, bytes);
    return { intent, name: file.name, mimeType, ...written };
  }

  private async commit(em: EntityManager, target: UploadTarget, stored: readonly StoredFile[]): Promise<number[]> {
    const { place, onConflict, userId } = target;
    const { zoneId, ownerId, folderId } = place;
    const zoneName = await lockZone(em, zoneId, onConflict === 'rename' ? 'tree' : 'files');
    await depthOf(em, zoneId, folderId);
    const asked = stored.map(({ name }) => name);
    const names = onConflict === 'rename' ? await freeNames(em, zoneId, folderId, asked) : asked;
    const ids = await this.insert(em, target, stored, names);
    const entries = ids.map((fileId, at) => ({
      type: 'file.uploaded' as const,
      params: { zoneName, fileName: names[at]! },
      ...{ ownerId, zoneId, userId, fileId },
    }));
    await this.activity.record(em, ...entries);
    const bytes = stored.reduce((sum, { size }) => sum + size, 0);
    await query<Tables>(em)
      .updateTable('zone_stats')
      .set({ files: sql<number>`files + ${ids.length}`, bytes: sql<number>`bytes + ${bytes}` })
      .where('zone_id', '=', zoneId)
      .execute();
    await this.intents.settle(
      em,
      ownerId,
      stored.map(({ intent }) => intent),
      bytes,
    );
    return ids;
  }

  /** Of two requests that bring the same name at once, the unique index lets one through. */
  private async insert(
    em: EntityManager,
    { place: { zoneId, folderId }, userId }: UploadTarget,
    stored: readonly StoredFile[],
    names: readonly string[],
  ): Promise<number[]> {
    const now = this.clock.now();
    const rows = stored.map((file, at) => ({
      original_name: names[at]!,
      name_key: nameKey(names[at]!),
      mime_type: file.mimeType,
      size: file.size,
      sha256: file.sha256,
      object_key: file.intent.objectKey,
      storage_type: this.storage.type,
      zone_id: zoneId,
      folder_id: folderId,
      uploaded_by_id: userId,
      created_at: now,
      updated_at: now,
    }));
    // In one order for everybody, so that two requests with the same names wait for each other and do not deadlock.
    const sorted = rows.toSorted((a, b) => (a.name_key < b.name_key ? -1 : 1));
    const inserted = await query<Tables>(em)
      .insertInto('files')
      .values(sorted)
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'name_key'])
      .execute();
    const idOf = new Map(inserted.map((row) => [row.name_key, Number(row.id)]));
    const clashes = names.filter((name) => !idOf.has(nameKey(name)));
    if (clashes.length > 0) throw fileErrors.DUPLICATE_NAMES({}, { names: clashes });
    return rows.map((row) => idOf.get(row.name_key)!);
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
