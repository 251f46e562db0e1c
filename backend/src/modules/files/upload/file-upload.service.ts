import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { Storage } from '../../../platform/storage/storage.js';
import { KIB } from '../../../platform/text/byte-units.js';
import { fullName } from '../../auth/entities/user.entity.js';
import { ActivityService } from '../../activity/activity.service.js';
import { ZoneStatsRepository } from '../../zones/zone/zone-stats.repository.js';
import { ContentChangeRepository } from '../shared/content-change.repository.js';
import { fileErrors } from '../files.errors.js';
import { renderFirstPages, generateThumbnails } from '../files.jobs.js';
import { canHaveThumbnail, isRenderedAfterUpload } from '../shared/document-types.js';
import { guestCode, nameWithSender } from '../shared/file-name.js';
import { ItemPlacementService } from '../shared/item-placement.service.js';
import type { FolderLocation } from '../access/file-access.service.js';
import { FileRequestRepository, type RequestTerms, type SendingGuest } from '../requests/file-request.repository.js';
import { FileRequestService } from '../requests/file-request.service.js';
import { SNIFFED_BYTES, detectType } from '../shared/content-type.js';
import { assertFileSize } from './file-size-limit.service.js';
import { FileRepository } from './file.repository.js';
import type { RequestReservations } from './request-reservations.js';
import { UploadReservationService, type Reservation } from './upload-reservation.service.js';

/** Files up to this size are read before they are stored, so that exactly their size is reserved. */
const READ_AHEAD_BYTES = 256 * KIB;

/**
 * What happens to files whose names are taken: `rename` appends a number, `replace` gives the files of these names the
 * new content, and `refuse` rejects all files of the request.
 */
export type NameConflictRule = 'refuse' | 'rename' | 'replace';

export interface UploadingGuest extends SendingGuest {
  /** Checks in the transaction that inserts the files, after them, whether the link still admits the guest. */
  assertAdmitted(em: EntityManager): Promise<void>;
}

export interface UploadDestination {
  /** Target folder; must be writable. */
  readonly location: FolderLocation;
  /** The uploading user; null for the guest of a link. */
  readonly userId: number | null;
  readonly onConflict: NameConflictRule;
  /** The file request under whose terms the user sends the files; null or omitted for people who manage the zone. */
  readonly submission?: RequestTerms | null;
  /** The guest of a link who sends the files. */
  readonly guest?: UploadingGuest;
  /** Idempotency key of the request, if the client sent one. */
  readonly key?: string | undefined;
}

/** A file whose bytes are stored but which has no row yet. */
export interface StoredFile {
  readonly reservation: Reservation;
  /** Key of the stored object. */
  readonly objectKey: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256: string;
}

/** Stores the bytes of uploads, and creates the files. Every upload ends here. */
@Injectable()
export class FileUploadService {
  constructor(
    private readonly clock: Clock,
    private readonly files: FileRepository,
    private readonly placement: ItemPlacementService,
    private readonly fileRequests: FileRequestService,
    private readonly requests: FileRequestRepository,
    private readonly storage: Storage,
    private readonly uploadReservation: UploadReservationService,
    private readonly activity: ActivityService,
    private readonly jobs: JobsService,
    private readonly contentChanges: ContentChangeRepository,
    private readonly zoneStats: ZoneStatsRepository,
  ) {}

  /** Detects the type of a stored object from its first bytes. */
  async detectStoredType(objectKey: string, name: string, size: number): Promise<string> {
    const head = size > 0 ? await this.storage.readWhole(objectKey, Math.min(size, SNIFFED_BYTES)) : Buffer.alloc(0);
    return detectType(head, head.length === size, name);
  }

  /**
   * Stores the bytes of the next file of a request, reserves them in the owner's plan as they arrive, and detects the
   * type from the first bytes. Memory use is independent of the size.
   * @throws FILE_TOO_LARGE, PLAN_LIMIT, UPLOAD_EXPIRED, STORAGE_UNAVAILABLE; errors of the source. Nothing is stored
   * then.
   */
  async storeReserved(
    reserved: RequestReservations,
    ownerId: number,
    name: string,
    content: AsyncIterable<Uint8Array>,
  ): Promise<StoredFile> {
    const file = await reserved.openFile(ownerId);
    const { objectKey } = file.reservation;
    const bytes = limitSize(content, name, reserved.maxFileBytes);
    try {
      const first = await readAhead(bytes);
      const head = Buffer.concat(first.chunks).subarray(0, SNIFFED_BYTES);
      const mimeType = await detectType(head, first.isComplete && head.length === first.size, name);
      const withReservation = reserveWhileReading(first, bytes, (size, whole) => file.ensureReserved(size, whole));
      const written = await this.storage.write(objectKey, withReservation);
      file.finishFile(written.size);
      return { reservation: file.reservation, objectKey, name, mimeType, ...written };
    } finally {
      // If the storage fails early, the source has not been read to the end.
      await bytes.return(undefined);
    }
  }

  /**
   * Creates files from stored objects in the caller's transaction, either all of them or none. It commits the
   * reservations and locks the owner's plan usage, so the transaction should do little afterwards.
   * @returns the ids in the given order
   * @param target `replace` is done by `FileReplacementService.createOrReplaceFiles`
   * @throws DUPLICATE_NAMES, FOLDER_NOT_FOUND, ZONE_NOT_FOUND, FILE_REQUEST_CLOSED, FILE_REQUEST_LIMIT; UPLOAD_EXPIRED if a reservation was cleaned up in the
   * meantime
   */
  async createFiles(em: EntityManager, target: UploadDestination, stored: readonly StoredFile[]): Promise<number[]> {
    const { location, onConflict, userId, guest } = target;
    const { zoneId, ownerId, folderId } = location;
    const zoneName = await this.placement.lockZone(em, zoneId, onConflict === 'rename' ? 'tree' : 'files');
    await this.placement.getFolderDepth(em, zoneId, folderId);
    const sender = guest ?? userId;
    const terms =
      target.submission && sender !== null
        ? await this.fileRequests.getAcceptedTerms(em, folderId!, sender, stored.length)
        : null;
    // A number in the name would tell that somebody else has sent a file of this name.
    const senderName = terms?.isPrivate
      ? guest
        ? guestCode(guest.guestKey)
        : fullName(terms) || terms.username
      : null;
    const requestedNames = stored.map(({ name }) => (senderName ? nameWithSender(name, senderName) : name));
    const names =
      onConflict === 'rename'
        ? await this.placement.findFreeNames(em, zoneId, folderId, requestedNames)
        : requestedNames;
    const ids = await this.insert(em, target, stored, names);
    if (terms) {
      const { isPrivate } = terms;
      await this.requests.insertSubmissions(em, { folderId: folderId!, sender: sender!, isPrivate }, ids);
    }
    // Links are locked after files.
    await guest?.assertAdmitted(em);
    const entries = ids.map((fileId, index) => ({
      type: 'file.uploaded' as const,
      params: { zoneName, fileName: names[index]! },
      ownerId,
      zoneId,
      userId,
      fileId,
    }));
    await this.activity.record(em, ...entries);
    await this.enqueuePreviewJobs(em, ids, stored);
    await this.contentChanges.markContentChanged(em, { zoneId, folderIds: [folderId], at: this.clock.now() });
    const bytes = stored.reduce((sum, { size }) => sum + size, 0);
    await this.zoneStats.adjustCounts(em, zoneId, { files: ids.length, bytes });
    await this.uploadReservation.commit(
      em,
      ownerId,
      stored.map(({ reservation }) => reservation),
      bytes,
    );
    return ids;
  }

  /** Enqueues the generation of thumbnails and first pages after the commit. */
  async enqueuePreviewJobs(em: EntityManager, ids: readonly number[], stored: readonly StoredFile[]): Promise<void> {
    const fileIds = ids.filter((_, index) => canHaveThumbnail(stored[index]!));
    if (fileIds.length > 0) await this.jobs.enqueue(em, generateThumbnails, { fileIds });
    const documents = ids.filter((_, index) => isRenderedAfterUpload(stored[index]!)).map((fileId) => ({ fileId }));
    await this.jobs.enqueueMany(em, renderFirstPages, documents);
  }

  /** If two concurrent requests use the same name, the unique index admits only one. */
  private async insert(
    em: EntityManager,
    { location: { zoneId, folderId }, userId, key }: UploadDestination,
    stored: readonly StoredFile[],
    names: readonly string[],
  ): Promise<number[]> {
    const named = stored.map((file, index) => ({ ...file, name: names[index]! }));
    const origin = { zoneId, folderId, userId, key: key ?? null, storageType: this.storage.type };
    const ids = await this.files.insertFiles(em, origin, named);
    const clashes = names.filter((_, index) => ids[index] === null);
    if (clashes.length > 0) throw fileErrors.DUPLICATE_NAMES({}, { names: clashes });
    return ids.map((id) => id!);
  }
}

interface FirstBytes {
  readonly chunks: Uint8Array[];
  readonly size: number;
  /** True if these are all bytes of the file. */
  readonly isComplete: boolean;
}

async function readAhead(bytes: AsyncIterator<Uint8Array>): Promise<FirstBytes> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size < READ_AHEAD_BYTES) {
    const { done, value } = await bytes.next();
    if (done) return { chunks, size, isComplete: true };
    chunks.push(Buffer.from(value));
    size += value.byteLength;
  }
  return { chunks, size, isComplete: false };
}

/** Yields the first bytes and the rest, reserving each chunk before. */
async function* reserveWhileReading(
  first: FirstBytes,
  rest: AsyncIterable<Uint8Array>,
  reserve: (size: number, whole: boolean) => Promise<void>,
) {
  let { size } = first;
  await reserve(size, first.isComplete);
  yield* first.chunks;
  for await (const chunk of rest) {
    size += chunk.byteLength;
    await reserve(size, false);
    yield chunk;
  }
}

/** @throws FILE_TOO_LARGE */
async function* limitSize(
  source: AsyncIterable<Uint8Array>,
  name: string,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    assertFileSize(name, size, maxBytes);
    yield chunk;
  }
}
