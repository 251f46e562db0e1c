import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { DataStore, ERRORS, Server, Upload, type Lock } from '@tus/server';
import { freezeList } from '../../../../platform/constants/freeze-list.js';
import { addMilliseconds, SECOND } from '../../../../platform/clock/clock.js';
import { AppError, type ErrorFactory } from '../../../../platform/errors/app-error.js';
import { validationPipe } from '../../../../platform/http/parsing/validation.js';
import { consumeChunks } from '../../../../platform/streams/stop-on-shutdown.js';
import { UploadMetadata } from '../../dto/upload.dto.js';
import { TUS_PATH } from './resumable-upload.repository.js';
import { UploadLockRepository } from './upload-lock.repository.js';
import { fileErrors } from '../../files.errors.js';
import { PartUploadService } from './part-upload.service.js';
import {
  isUploadId,
  RESUMABLE_LIFETIME,
  ResumableUploadService,
  type ResumableState,
  type NewUpload,
} from './resumable-upload.service.js';

/** Supported protocol version. */
export const TUS_VERSION = '1.0.0';
/** Response header with the id of the created file. */
export const FILE_ID_HEADER = 'X-File-Id';
/** Supported protocol extensions. */
export const TUS_EXTENSIONS = freezeList(['creation', 'creation-with-upload', 'termination', 'expiration']);
/** How long, in milliseconds, a request may keep receiving bytes after it is asked to release its lock. */
const DRAIN_TIMEOUT = 200;

/** A lock expires unless renewed within this time. After a process dies, its uploads stay blocked this long. */
const LOCK_LIFETIME = 8 * SECOND;
/** How often the holder renews its lock and checks whether another request is waiting. */
const RENEW_INTERVAL = SECOND;
/** How often a waiting request retries. */
const RETRY_INTERVAL = 100;
/** How long a request waits for the lock: longer than a dead process can hold it. */
const LOCK_TIMEOUT = 15 * SECOND;

const metadataRules = validationPipe();

/** Maps the library's errors by their text, because it throws some as plain objects. */
const tusErrors = new Map<string, ErrorFactory>([
  [ERRORS.FILE_NOT_FOUND.body, fileErrors.UPLOAD_NOT_FOUND],
  [ERRORS.FILE_NO_LONGER_EXISTS.body, fileErrors.UPLOAD_NOT_FOUND],
  [ERRORS.INVALID_OFFSET.body, fileErrors.UPLOAD_OFFSET],
  [ERRORS.ERR_SIZE_EXCEEDED.body, fileErrors.UPLOAD_TOO_LONG],
  [ERRORS.ERR_MAX_SIZE_EXCEEDED.body, fileErrors.UPLOAD_TOO_LONG],
  [ERRORS.INVALID_LENGTH.body, fileErrors.UPLOAD_LENGTH_REQUIRED],
  [ERRORS.UNSUPPORTED_CREATION_DEFER_LENGTH_EXTENSION.body, fileErrors.UPLOAD_LENGTH_REQUIRED],
  [ERRORS.ABORTED.body, fileErrors.UPLOAD_LOCKED],
  [ERRORS.MISSING_OFFSET.body, fileErrors.UPLOAD_PROTOCOL],
  [ERRORS.INVALID_CONTENT_TYPE.body, fileErrors.UPLOAD_PROTOCOL],
  [ERRORS.INVALID_METADATA.body, fileErrors.UPLOAD_PROTOCOL],
  [ERRORS.UNSUPPORTED_CONCATENATION_EXTENSION.body, fileErrors.UPLOAD_PROTOCOL],
]);

/** Implements tus 1.0.0 (https://tus.io), for one user and one request at a time. */
@Injectable()
export class TusProtocolService {
  private readonly logger = new Logger(TusProtocolService.name);

  /** Locks held by this process, which can be asked directly to release. */
  private readonly heldLocks = new Map<string, RequestLock>();

  constructor(
    private readonly locks: UploadLockRepository,
    private readonly resumableUpload: ResumableUploadService,
    private readonly partUpload: PartUploadService,
  ) {}

  /**
   * Handles a tus request.
   * @throws AppError for every rejection, so that it is answered like all other errors; unexpected errors are passed on
   */
  async handleRequest(request: Request, userId: number): Promise<Response> {
    if (request.headers.get('tus-resumable') !== TUS_VERSION) throw fileErrors.UPLOAD_VERSION();
    const store = new TusStore(this.resumableUpload, this.partUpload, userId);
    let failure: unknown = null;
    const server = new Server({
      path: TUS_PATH,
      datastore: store,
      relativeLocation: true,
      // No cross-origin access.
      allowedOrigins: [],
      lockDrainTimeout: DRAIN_TIMEOUT,
      locker: { newLock: (id) => new RequestLock(this.locks, id, store, this.heldLocks) },
      namingFunction: () => randomUUID(),
      // Ids in another format are not looked up.
      getFileIdFromRequest: (_request, last) => (last && isUploadId(last) ? last : undefined),
      onUploadFinish: () => Promise.resolve({ headers: fileHeader(store) }),
      onResponseError: (_request, error) => void (failure = error),
    });
    const response = await server.handleWeb(request);
    if (failure !== null || response.status >= 400) {
      await this.discardUnaddressed(store, userId);
      throw toAppError(failure);
    }
    if (request.method === 'HEAD')
      for (const [name, value] of Object.entries(fileHeader(store))) response.headers.set(name, value);
    return response;
  }

  /** Deletes an upload that was created and rejected within the same request, because no client knows its URL. */
  private async discardUnaddressed({ isCreated, state }: TusStore, userId: number): Promise<void> {
    if (!isCreated || !state) return;
    try {
      await this.resumableUpload.deleteUpload(state.id, userId);
    } catch (error) {
      // Already abandoned when it was rejected.
      if (error instanceof AppError && error.code === 'UPLOAD_NOT_FOUND') return;
      this.logger.warn({ err: error, uploadId: state.id }, "Couldn't delete a failed upload; the sweep will remove it");
    }
  }
}

const fileHeader = ({ state }: TusStore): Record<string, string> =>
  state?.fileId == null ? {} : { [FILE_ID_HEADER]: String(state.fileId) };

/** The library reports protocol violations by status only. */
function toAppError(error: unknown): unknown {
  if (error === null) return fileErrors.UPLOAD_PROTOCOL();
  const { body } = error as { body?: string };
  return (body === undefined ? undefined : tusErrors.get(body)?.()) ?? error;
}

/** The uploads of one user as the tus library sees them, during one request. */
class TusStore extends DataStore {
  override extensions = [...TUS_EXTENSIONS];
  /** The upload of this request, once known. */
  state: ResumableState | null = null;
  /** True if this request created the upload. */
  isCreated = false;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly resumableUpload: ResumableUploadService,
    private readonly partUpload: PartUploadService,
    private readonly userId: number,
  ) {
    super();
  }

  override async create(upload: Upload): Promise<Upload> {
    const created = await this.resumableUpload.createUpload(this.userId, await toNewUpload(upload));
    this.state = created;
    this.isCreated = true;
    // An empty file is complete immediately.
    if (created.length === 0) this.state = await this.partUpload.receiveBytes(created, emptyStream());
    return toTusUpload(this.state, upload);
  }

  override async getUpload(id: string): Promise<Upload> {
    this.state = await this.resumableUpload.findUpload(id, this.userId);
    return toTusUpload(this.state, new Upload({ id, offset: 0 }));
  }

  override async write(stream: Readable): Promise<number> {
    const writing = this.partUpload.receiveBytes(this.state!, consumeChunks(stream));
    this.writing = writing.catch(() => undefined);
    this.state = await writing;
    return this.state.received;
  }

  override remove(id: string): Promise<void> {
    return this.resumableUpload.deleteUpload(id, this.userId);
  }

  override getExpiration(): number {
    return RESUMABLE_LIFETIME;
  }

  /** Resolves once no write is in progress: when a stream aborts, its bytes may still be being stored. */
  async waitUntilIdle(): Promise<void> {
    await this.writing;
  }
}

function toTusUpload(
  { id, length, received, name, zoneId, folderId, rename, expiresAt }: ResumableState,
  upload: Upload,
) {
  return Object.assign(upload, {
    id,
    size: length,
    offset: received,
    // The protocol computes the expiry from the creation date, but ours is extended with every received part.
    creation_date: addMilliseconds(expiresAt, -RESUMABLE_LIFETIME).toISOString(),
    metadata: {
      filename: name,
      zoneId: String(zoneId),
      ...(folderId === null ? {} : { folderId: String(folderId) }),
      ...(rename ? { onConflict: 'rename' } : {}),
    },
  });
}

/**
 * Converts the client's metadata.
 * @throws VALIDATION_FAILED
 */
async function toNewUpload({ id, size, metadata }: Upload): Promise<NewUpload> {
  if (size === undefined) throw fileErrors.UPLOAD_LENGTH_REQUIRED();
  const { filename, zoneId, folderId, onConflict } = metadata ?? {};
  const provided = Object.entries({ filename, zoneId, folderId, onConflict }).filter(([, value]) => value != null);
  const type = { type: 'body', metatype: UploadMetadata } as const;
  const announced = (await metadataRules.transform(Object.fromEntries(provided), type)) as UploadMetadata;
  return {
    id,
    length: size,
    name: announced.filename,
    zoneId: announced.zoneId,
    folderId: announced.folderId ?? null,
    rename: announced.onConflict === 'rename',
  };
}

async function* emptyStream(): AsyncGenerator<Uint8Array> {}

/**
 * Ensures that only one request in all processes works on an upload. The lock is a database row that must be renewed.
 */
class RequestLock implements Lock {
  private readonly logger = new Logger(TusProtocolService.name);
  private readonly token = randomUUID();
  private timer: NodeJS.Timeout | undefined;
  private release: () => void = () => undefined;

  constructor(
    private readonly locks: UploadLockRepository,
    private readonly id: string,
    private readonly store: TusStore,
    private readonly held: Map<string, RequestLock>,
  ) {}

  /**
   * Acquires the lock, asking the current holder to release it.
   * @param requestRelease called when another request wants the lock, or when the lock was lost
   * @throws UPLOAD_LOCKED if the holder does not release it in time
   */
  async lock(signal: AbortSignal, requestRelease: () => void | Promise<void>): Promise<void> {
    const deadline = performance.now() + LOCK_TIMEOUT;
    while (!(await this.locks.tryAcquire(this.id, this.token, LOCK_LIFETIME))) {
      this.held.get(this.id)?.release();
      if (signal.aborted || performance.now() > deadline) throw fileErrors.UPLOAD_LOCKED();
      await pause(RETRY_INTERVAL);
    }
    this.release = () => void requestRelease();
    this.held.set(this.id, this);
    this.timer = setInterval(() => void this.renewLock(), RENEW_INTERVAL).unref();
  }

  /** Releases the lock once no write is in progress. If that fails, the lock expires on its own. */
  async unlock(): Promise<void> {
    await this.store.waitUntilIdle();
    clearInterval(this.timer);
    if (this.held.get(this.id) === this) this.held.delete(this.id);
    try {
      await this.locks.release(this.id, this.token);
    } catch (error) {
      this.logger.warn({ err: error }, "Couldn't release an upload's lock");
    }
  }

  /** A short database outage is harmless: writes under a lost lock are rejected because of their offset. */
  private async renewLock(): Promise<void> {
    try {
      const state = await this.locks.renew(this.id, this.token, LOCK_LIFETIME);
      if (state !== 'held' && this.held.get(this.id) === this) this.release();
    } catch (error) {
      this.logger.warn({ err: error }, "Couldn't renew an upload's lock");
    }
  }
}
