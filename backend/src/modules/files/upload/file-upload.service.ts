import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { Storage } from '../../../platform/storage/storage.js';
import { normaliseForComparison } from '../../../platform/text/normalise-for-search.js';
import { KIB, MIB } from '../../../platform/text/byte-units.js';
import { ActivityService } from '../../activity/activity.service.js';
import { adjustZoneCounts } from '../../zones/zone/zone-counts.service.js';
import { MAX_FILE_BYTES } from '../access/file.policy.js';
import { markContentChanged } from '../content-changes.js';
import type { FileSchema } from '../entities/file.entity.js';
import { fileErrors } from '../files.errors.js';
import { renderFirstPages, generateThumbnails } from '../files.jobs.js';
import { isRenderedAfterUpload } from '../shared/document-types.js';
import { normaliseName } from '../shared/file-name.js';
import { getFolderDepth, findFreeNames, lockZone, findTakenNames } from '../shared/file-placement.js';
import type { FolderLocation } from '../access/file-access.service.js';
import { canHaveThumbnail } from '../thumbnails/thumbnail.service.js';
import { SNIFFED_BYTES, detectType } from '../shared/content-type.js';
import type { IncomingFile } from './upload-form.js';
import { RequestReservations, UploadReservationService, type Reservation } from './upload-reservation.service.js';

/** Files up to this size are read before they are stored, so that exactly their size is reserved. */
const READ_AHEAD_BYTES = 256 * KIB;

/** Where stored bytes become files, and for whom. */
export interface UploadDestination {
  /** Where the files go; one that can be written to. */
  readonly location: FolderLocation;
  /** Who uploads. */
  readonly userId: number;
  /** `rename` gives clashing files a number; otherwise one clash refuses all files of the request. */
  readonly onConflict: 'refuse' | 'rename';
  /** By which the request is known when it is sent once more, if it gave itself one. */
  readonly key?: string | undefined;
}

/** A file whose bytes are stored, before there is a row for it. */
export interface StoredFile {
  readonly reservation: Reservation;
  /** Where the bytes lie. */
  readonly objectKey: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256: string;
}

export interface FormUploadDestination extends UploadDestination {
  /** Bytes that the whole request can hold at most, when it says so. */
  readonly contentLength: number | null;
}

/** Told how many bytes of a file have come, before they are stored; `whole` once these are all. */
type OnProgress = (size: number, whole: boolean) => Promise<void>;

/** The one way in for bytes; and the files of a form, of which all are stored or none. */
@Injectable()
export class FileUploadService {
  private readonly logger = new Logger(FileUploadService.name);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly storage: Storage,
    private readonly uploadReservation: UploadReservationService,
    private readonly activity: ActivityService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Stores bytes as they come, and tells their type by the first of them. Memory does not grow with their number.
   * @param onBytes may refuse them
   * @throws FILE_TOO_LARGE past 100 MB, STORAGE_UNAVAILABLE, and whatever the source or `onBytes` throws; nothing is
   * stored then
   */
  async storeBytes(objectKey: string, name: string, source: AsyncIterable<Uint8Array>, onProgress?: OnProgress) {
    const bytes = limitSize(source, name);
    try {
      const first = await readAhead(bytes);
      const head = Buffer.concat(first.chunks).subarray(0, SNIFFED_BYTES);
      const mimeType = await detectType(head, first.isComplete && head.length === first.size, name);
      const written = await this.storage.write(objectKey, withProgress(first, bytes, onProgress));
      return { objectKey, name, mimeType, ...written };
    } finally {
      // A storage that fails at once has not read to the end.
      await bytes.return(undefined);
    }
  }

  /**
   * Stores the files of one request in a folder of a zone. A request that was answered once is not done again when it
   * comes with the same key, as it does when its answer was lost on the way.
   * @returns their ids, in the order in which they came (at another time: in some order)
   * @throws INVALID_NAME, DUPLICATE_NAMES, FILE_TOO_LARGE, PLAN_LIMIT, FOLDER_NOT_FOUND, STORAGE_UNAVAILABLE; nothing of the request is kept then
   */
  async upload(target: FormUploadDestination, files: AsyncIterable<IncomingFile>): Promise<number[]> {
    const em = this.em.fork();
    const existingIds = await this.findUploaded(em, target);
    if (existingIds.length > 0) return existingIds;
    const reserved = new RequestReservations(em, this.uploadReservation, this.clock, target.contentLength);
    try {
      const stored = await this.storeAll(em, target, files, reserved);
      if (stored.length === 0) throw fileErrors.NO_FILES();
      return await inTransaction(em, (em) => this.createFiles(em, target, stored));
    } catch (error) {
      await this.abandonReservations(reserved.opened, error);
      // The same request may have been under way twice, and the other one was first.
      const stored = await this.findUploaded(this.em.fork(), target);
      if (stored.length > 0) return stored;
      throw error;
    }
  }

  private async findUploaded(em: EntityManager, { userId, location, key }: FormUploadDestination): Promise<number[]> {
    if (key === undefined) return [];
    const rows = await query<typeof FileSchema>(em)
      .selectFrom('files')
      .select('id')
      .where('uploaded_by_id', '=', userId)
      .where('upload_key', '=', key)
      .where('zone_id', '=', location.zoneId)
      .where('trashed_at', 'is', null)
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => Number(id));
  }

  /**
   * Makes files of what was stored, in the caller's transaction: all of it, or nothing. It settles the uploads and locks what
   * the owner uses of the plan, so little should follow in that transaction.
   * @returns the ids of the files, in the order in which they were given
   * @throws DUPLICATE_NAMES, FOLDER_NOT_FOUND, ZONE_NOT_FOUND; UPLOAD_EXPIRED when one was cleaned up meanwhile
   */
  async createFiles(em: EntityManager, target: UploadDestination, stored: readonly StoredFile[]): Promise<number[]> {
    const { location, onConflict, userId } = target;
    const { zoneId, ownerId, folderId } = location;
    const zoneName = await lockZone(em, zoneId, onConflict === 'rename' ? 'tree' : 'files');
    await getFolderDepth(em, zoneId, folderId);
    const requestedNames = stored.map(({ name }) => name);
    const names = onConflict === 'rename' ? await findFreeNames(em, zoneId, folderId, requestedNames) : requestedNames;
    const ids = await this.insert(em, target, stored, names);
    const entries = ids.map((fileId, at) => ({
      type: 'file.uploaded' as const,
      params: { zoneName, fileName: names[at]! },
      ...{ ownerId, zoneId, userId, fileId },
    }));
    await this.activity.record(em, ...entries);
    await this.enqueuePreviewJobs(em, ids, stored);
    await markContentChanged(em, { zoneId, folderIds: [folderId], at: this.clock.now() });
    const bytes = stored.reduce((sum, { size }) => sum + size, 0);
    await adjustZoneCounts(em, zoneId, { files: ids.length, bytes });
    await this.uploadReservation.commit(
      em,
      ownerId,
      stored.map(({ reservation }) => reservation),
      bytes,
    );
    return ids;
  }

  /** Has made what lists show of the files, after the commit. */
  private async enqueuePreviewJobs(
    em: EntityManager,
    ids: readonly number[],
    stored: readonly StoredFile[],
  ): Promise<void> {
    const fileIds = ids.filter((_, at) => canHaveThumbnail(stored[at]!));
    if (fileIds.length > 0) await this.jobs.enqueue(em, generateThumbnails, { fileIds });
    const documents = ids.filter((_, at) => isRenderedAfterUpload(stored[at]!)).map((fileId) => ({ fileId }));
    await this.jobs.enqueueMany(em, renderFirstPages, documents);
  }

  /** Reads all files. After a clash the rest is not stored but still read, so that the answer names every clash. */
  private async storeAll(
    em: EntityManager,
    { location: { zoneId, folderId, ownerId }, onConflict }: FormUploadDestination,
    files: AsyncIterable<IncomingFile>,
    reserved: RequestReservations,
  ): Promise<StoredFile[]> {
    const stored: StoredFile[] = [];
    const clashes: string[] = [];
    const keys = new Set<string>();
    for await (const file of files) {
      const name = normaliseName(file.name, 'files');
      if (onConflict === 'refuse') {
        const taken = await findTakenNames(em, zoneId, folderId, [name]);
        if (taken.length > 0 || keys.has(normaliseForComparison(name))) clashes.push(name);
        keys.add(normaliseForComparison(name));
      }
      if (clashes.length > 0) file.skip();
      else stored.push(await this.storeOne(ownerId, name, file.content, reserved));
    }
    if (clashes.length > 0) throw fileErrors.DUPLICATE_NAMES({}, { names: clashes });
    return stored;
  }

  private async storeOne(
    ownerId: number,
    name: string,
    content: AsyncIterable<Uint8Array>,
    reserved: RequestReservations,
  ): Promise<StoredFile> {
    const file = await reserved.openFile(ownerId);
    const { reservation } = file;
    const stored = await this.storeBytes(reservation.objectKey, name, content, (size, whole) =>
      file.ensureReserved(size, whole),
    );
    file.finishFile(stored.size);
    return { reservation, ...stored };
  }

  /** Of two requests that bring the same name at once, the unique index lets one through. */
  private async insert(
    em: EntityManager,
    { location: { zoneId, folderId }, userId, key }: UploadDestination,
    stored: readonly StoredFile[],
    names: readonly string[],
  ): Promise<number[]> {
    const now = this.clock.now();
    const rows = stored.map((file, at) => ({
      original_name: names[at]!,
      name_key: normaliseForComparison(names[at]!),
      mime_type: file.mimeType,
      size: file.size,
      sha256: file.sha256,
      object_key: file.objectKey,
      storage_type: this.storage.type,
      zone_id: zoneId,
      folder_id: folderId,
      uploaded_by_id: userId,
      upload_key: key ?? null,
      created_at: now,
      updated_at: now,
    }));
    // In one order for everybody, so that two requests with the same names wait for each other and do not deadlock.
    const sorted = rows.toSorted((a, b) => (a.name_key < b.name_key ? -1 : 1));
    const inserted = await query<typeof FileSchema>(em)
      .insertInto('files')
      .values(sorted)
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'name_key'])
      .execute();
    const idOf = new Map(inserted.map((row) => [row.name_key, Number(row.id)]));
    const clashes = names.filter((name) => !idOf.has(normaliseForComparison(name)));
    if (clashes.length > 0) throw fileErrors.DUPLICATE_NAMES({}, { names: clashes });
    return rows.map((row) => idOf.get(row.name_key)!);
  }

  /** What cannot be undone now (the database or the storage is away) is found by its reservation later. */
  private async abandonReservations(opened: readonly Reservation[], reason: unknown): Promise<void> {
    const expired = reason instanceof AppError && reason.code === 'UPLOAD_EXPIRED';
    for (const reservation of opened) {
      try {
        await this.uploadReservation.abandonUpload(this.em.fork(), reservation);
        // The sweep took the reservation before the object was there.
        if (expired) await this.storage.delete(reservation.objectKey);
      } catch (error) {
        this.logger.warn({ err: error, uploadId: reservation.id }, 'An upload that failed is left to the sweep');
      }
    }
  }
}

interface FirstBytes {
  readonly chunks: Uint8Array[];
  readonly size: number;
  /** True when these are all. */
  readonly isComplete: boolean;
}

async function readAhead(bytes: AsyncIterator<Uint8Array>): Promise<FirstBytes> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  while (size < READ_AHEAD_BYTES) {
    const { done, value } = await bytes.next();
    if (done) return { chunks: pieces, size, isComplete: true };
    pieces.push(Buffer.from(value));
    size += value.byteLength;
  }
  return { chunks: pieces, size, isComplete: false };
}

/** The first bytes and those that follow, each told of before it is passed on. */
async function* withProgress(first: FirstBytes, rest: AsyncIterable<Uint8Array>, onProgress?: OnProgress) {
  let { size } = first;
  await onProgress?.(size, first.isComplete);
  yield* first.chunks;
  for await (const chunk of rest) {
    size += chunk.byteLength;
    await onProgress?.(size, false);
    yield chunk;
  }
}

/** @throws FILE_TOO_LARGE */
async function* limitSize(source: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    if (size > MAX_FILE_BYTES) throw fileErrors.FILE_TOO_LARGE({ name, allowed: MAX_FILE_BYTES / MIB });
    yield chunk;
  }
}
