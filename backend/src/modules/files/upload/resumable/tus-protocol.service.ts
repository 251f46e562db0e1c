import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { DataStore, ERRORS, Server, Upload, type Lock } from '@tus/server';
import { sql } from 'kysely';
import { freezeList } from '../../../../platform/constants/freeze-list.js';
import { addMilliseconds, SECOND } from '../../../../platform/clock/clock.js';
import { query } from '../../../../platform/database/query.js';
import { AppError, type ErrorFactory } from '../../../../platform/errors/app-error.js';
import { validationPipe } from '../../../../platform/http/parsing/validation.js';
import { consumeChunks } from '../../../../platform/streams/stop-on-shutdown.js';
import { UploadMetadata } from '../../dto/upload.dto.js';
import type { UploadLockSchema } from '../../entities/upload.entity.js';
import { fileErrors } from '../../files.errors.js';
import { PartUploadService } from './part-upload.service.js';
import {
  isUploadId,
  RESUMABLE_LIFETIME,
  ResumableUploadService,
  TUS_PATH,
  type ResumableState,
  type NewUpload,
} from './resumable-upload.service.js';

/** The version that is spoken. */
export const TUS_VERSION = '1.0.0';
/** Names the file that an upload has become. */
export const FILE_ID_HEADER = 'X-File-Id';
/** What of the protocol is understood beside its core. */
export const TUS_EXTENSIONS = freezeList(['creation', 'creation-with-upload', 'termination', 'expiration']);
/** How long a request that is asked to give way may still take bytes, in milliseconds. */
const DRAIN_TIMEOUT = 200;

/** How long a lock holds without being renewed: so long an upload waits after its process has died. */
const LOCK_LIFETIME = 8 * SECOND;
/** How often a holder renews its lock, and looks whether another request waits for it. */
const RENEW_INTERVAL = SECOND;
/** How often a waiting request tries again. */
const RETRY_INTERVAL = 100;
/** How long a request waits: longer than a dead process can hold. */
const LOCK_TIMEOUT = 15 * SECOND;

const metadataRules = validationPipe();

/** The errors of the library, by their texts: it throws some as bare objects. */
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

/** Speaks tus 1.0.0 (https://tus.io) for one person and one request at a time. */
@Injectable()
export class TusProtocolService {
  private readonly logger = new Logger(TusProtocolService.name);

  /** Locks that this process holds, which can be asked at once to give way. */
  private readonly heldLocks = new Map<string, RequestLock>();

  constructor(
    private readonly em: EntityManager,
    private readonly resumableUpload: ResumableUploadService,
    private readonly partUpload: PartUploadService,
  ) {}

  /**
   * Answers a request of the protocol.
   * @throws AppError for every refusal, so that it is answered like all others; faults pass unchanged
   */
  async handleRequest(request: Request, userId: number): Promise<Response> {
    if (request.headers.get('tus-resumable') !== TUS_VERSION) throw fileErrors.UPLOAD_VERSION();
    const store = new TusStore(this.resumableUpload, this.partUpload, userId);
    let failure: unknown = null;
    const server = new Server({
      path: TUS_PATH,
      datastore: store,
      relativeLocation: true,
      // Pages of other origins have no business here.
      allowedOrigins: [],
      lockDrainTimeout: DRAIN_TIMEOUT,
      locker: { newLock: (id) => new RequestLock(this.em.fork(), id, store, this.heldLocks) },
      namingFunction: () => randomUUID(),
      // What is no id of ours is not looked for.
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

  /** An upload that was begun and refused in one request has no address that anybody knows. */
  private async discardUnaddressed({ isCreated, state }: TusStore, userId: number): Promise<void> {
    if (!isCreated || !state) return;
    try {
      await this.resumableUpload.deleteUpload(state.id, userId);
    } catch (error) {
      // Given up already, with its refusal.
      if (error instanceof AppError && error.code === 'UPLOAD_NOT_FOUND') return;
      this.logger.warn({ err: error, uploadId: state.id }, 'An upload that failed is left to the sweep');
    }
  }
}

const fileHeader = ({ state }: TusStore): Record<string, string> =>
  state?.fileId == null ? {} : { [FILE_ID_HEADER]: String(state.fileId) };

/** The library tells what breaks its rules by a status only. */
function toAppError(fault: unknown): unknown {
  if (fault === null) return fileErrors.UPLOAD_PROTOCOL();
  const { body } = fault as { body?: string };
  return (body === undefined ? undefined : tusErrors.get(body)?.()) ?? fault;
}

/** The uploads of one person, as the protocol sees them, for the time of one request. */
class TusStore extends DataStore {
  override extensions = [...TUS_EXTENSIONS];
  /** The upload of this request, as far as it is known. */
  state: ResumableState | null = null;
  /** True when this request has begun it. */
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
    // An empty file is there at once.
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

  /** Resolves when nothing is being written any more: a stream that breaks off does not wait for what is stored of it. */
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
    // The protocol reckons from the beginning; an upload lives on with every part that comes.
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
 * What an upload is to become, as its client announces it.
 * @throws VALIDATION_FAILED
 */
async function toNewUpload({ id, size, metadata }: Upload): Promise<NewUpload> {
  if (size === undefined) throw fileErrors.UPLOAD_LENGTH_REQUIRED();
  const { filename, zoneId, folderId, onConflict } = metadata ?? {};
  const given = Object.entries({ filename, zoneId, folderId, onConflict }).filter(([, value]) => value != null);
  const type = { type: 'body', metatype: UploadMetadata } as const;
  const announced = (await metadataRules.transform(Object.fromEntries(given), type)) as UploadMetadata;
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

/** One request at a time works on an upload, in whichever process: a row in the database that holds while it is renewed. */
class RequestLock implements Lock {
  private readonly logger = new Logger(TusProtocolService.name);
  private readonly token = randomUUID();
  private timer: NodeJS.Timeout | undefined;
  private release: () => void = () => undefined;

  constructor(
    private readonly em: EntityManager,
    private readonly id: string,
    private readonly store: TusStore,
    private readonly held: Map<string, RequestLock>,
  ) {}

  /**
   * Takes the lock, and asks whoever holds it to give way.
   * @param giveWay called when another request wants it, or when it was lost
   * @throws UPLOAD_LOCKED when the holder does not give way in time
   */
  async lock(signal: AbortSignal, requestRelease: () => void | Promise<void>): Promise<void> {
    const deadline = performance.now() + LOCK_TIMEOUT;
    while (!(await this.tryAcquire())) {
      this.held.get(this.id)?.release();
      if (signal.aborted || performance.now() > deadline) throw fileErrors.UPLOAD_LOCKED();
      await pause(RETRY_INTERVAL);
    }
    this.release = () => void requestRelease();
    this.held.set(this.id, this);
    this.timer = setInterval(() => void this.renewLock(), RENEW_INTERVAL).unref();
  }

  /** Gives it back once nothing is being written any more; a lock that cannot be given back ends by itself. */
  async unlock(): Promise<void> {
    await this.store.waitUntilIdle();
    clearInterval(this.timer);
    if (this.held.get(this.id) === this) this.held.delete(this.id);
    try {
      await this.db().deleteFrom('upload_locks').where('id', '=', this.id).where('token', '=', this.token).execute();
    } catch (error) {
      this.logger.warn({ err: error }, 'The lock of an upload could not be given back');
    }
  }

  /** True when it was free, or held no longer; otherwise leaves word that it is wanted. */
  private async tryAcquire(): Promise<boolean> {
    const { rows } = await sql<{ token: string }>`
      insert into upload_locks as l (id, token, held_until) values (${this.id}, ${this.token}, ${lockExpirySql()})
      on conflict (id) do update set
        token = case when l.held_until < now() then excluded.token else l.token end,
        held_until = case when l.held_until < now() then excluded.held_until else l.held_until end,
        wanted = l.held_until >= now()
      returning token`.execute(this.db());
    return rows[0]?.token === this.token;
  }

  /** A database that is away for a moment ends nothing: what is stored under a lost lock is refused by its offset. */
  private async renewLock(): Promise<void> {
    try {
      const row = await this.db()
        .updateTable('upload_locks')
        .set({ held_until: lockExpirySql() })
        .where('id', '=', this.id)
        .where('token', '=', this.token)
        .returning('wanted')
        .executeTakeFirst();
      if (row?.wanted !== false && this.held.get(this.id) === this) this.release();
    } catch (error) {
      this.logger.warn({ err: error }, 'The lock of an upload could not be renewed');
    }
  }

  private db() {
    return query<typeof UploadLockSchema>(this.em);
  }
}

const lockExpirySql = () => sql<Date>`now() + ${LOCK_LIFETIME / SECOND} * interval '1 second'`;
