import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { ERRORS, Server, type Lock } from '@tus/server';
import { AppError, type ErrorFactory } from '../../../platform/errors/app-error.js';
import { fileErrors } from '../files.errors.js';
import { ResumableUploads } from './resumable-uploads.service.js';
import { TusStore } from './tus-store.js';
import { isUploadId, TUS_PATH } from './upload-address.js';
import { UploadLocks } from './upload-locks.service.js';

/** The version that is spoken. */
export const TUS_VERSION = '1.0.0';
/** Names the file that an upload has become. */
export const FILE_ID_HEADER = 'X-File-Id';
/** How long a request that is asked to give way may still take bytes, in milliseconds. */
const DRAIN = 200;

/** The errors of the library, by their texts: it throws some as bare objects. */
const known = new Map<string, ErrorFactory>([
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
export class TusProtocol {
  private readonly logger = new Logger(TusProtocol.name);

  constructor(
    private readonly uploads: ResumableUploads,
    private readonly locks: UploadLocks,
  ) {}

  /**
   * Answers a request of the protocol.
   * @throws AppError for every refusal, so that it is answered like all others; faults pass unchanged
   */
  async answer(request: Request, userId: number): Promise<Response> {
    if (request.headers.get('tus-resumable') !== TUS_VERSION) throw fileErrors.UPLOAD_VERSION();
    const store = new TusStore(this.uploads, userId);
    let fault: unknown = null;
    const server = new Server({
      path: TUS_PATH,
      datastore: store,
      relativeLocation: true,
      // Pages of other origins have no business here.
      allowedOrigins: [],
      lockDrainTimeout: DRAIN,
      locker: { newLock: (id) => this.lockOf(id, store) },
      namingFunction: () => randomUUID(),
      // What is no id of ours is not looked for.
      getFileIdFromRequest: (_request, last) => (last && isUploadId(last) ? last : undefined),
      onUploadFinish: () => Promise.resolve({ headers: fileHeader(store) }),
      onResponseError: (_request, error) => void (fault = error),
    });
    const response = await server.handleWeb(request);
    if (fault !== null || response.status >= 400) {
      await this.discardUnnamed(store, userId);
      throw toAnswer(fault);
    }
    if (request.method === 'HEAD')
      for (const [name, value] of Object.entries(fileHeader(store))) response.headers.set(name, value);
    return response;
  }

  private lockOf(id: string, store: TusStore): Lock {
    let giveBack = () => Promise.resolve();
    return {
      lock: async (signal, giveWay) => {
        giveBack = await this.locks.acquire(id, signal, () => void giveWay());
      },
      unlock: async () => {
        await store.idle();
        await giveBack();
      },
    };
  }

  /** An upload that was begun and refused in one request has no address that anybody knows. */
  private async discardUnnamed({ begun, state }: TusStore, userId: number): Promise<void> {
    if (!begun || !state) return;
    try {
      await this.uploads.discard(state.id, userId);
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
function toAnswer(fault: unknown): unknown {
  if (fault === null) return fileErrors.UPLOAD_PROTOCOL();
  const { body } = fault as { body?: string };
  return (body === undefined ? undefined : known.get(body)?.()) ?? fault;
}
