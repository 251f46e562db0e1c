import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { ERRORS, Server, type Lock } from '@tus/server';
import { AppError, type ErrorFactory } from '../../../../platform/errors/app-error.js';
import { fileErrors } from '../../files.errors.js';
import { isUploadId, type ResumableState } from './resumable-upload.policy.js';
import { TUS_PATH } from './resumable-upload.repository.js';
import { ResumableUploadService } from './resumable-upload.service.js';
import { TusStore } from './tus-store.js';
import { UploadLockService } from './upload-lock.service.js';
import { DRAIN_TIMEOUT } from './upload-patch.service.js';

/** Supported protocol version. */
export const TUS_VERSION = '1.0.0';
/** Response header with the id of the created file. */
export const FILE_ID_HEADER = 'X-File-Id';
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

/** For an upload that is being created without bytes: no other request knows it yet. */
const UNNEEDED_LOCK: Lock = { lock: () => Promise.resolve(), unlock: () => Promise.resolve() };

export interface TusResult {
  readonly response: Response;
  /** The upload of the request, as it is now. */
  readonly upload: ResumableState | null;
}

/** Implements tus 1.0.0 (https://tus.io) but for PATCH, for one user and one request at a time. */
@Injectable()
export class TusProtocolService {
  private readonly logger = new Logger(TusProtocolService.name);

  constructor(
    private readonly locks: UploadLockService,
    private readonly resumableUpload: ResumableUploadService,
  ) {}

  /**
   * Handles a tus request.
   * @throws AppError for every rejection, so that it is answered like all other errors; unexpected errors are passed on
   */
  async handleRequest(request: Request, userId: number): Promise<TusResult> {
    assertVersion(request.headers.get('tus-resumable'));
    const store = new TusStore(this.resumableUpload, userId);
    const isEmptyCreation = request.method === 'POST' && !request.headers.has('Content-Type');
    let failure: unknown = null;
    const server = new Server({
      path: TUS_PATH,
      datastore: store,
      relativeLocation: true,
      // No cross-origin access.
      allowedOrigins: [],
      lockDrainTimeout: DRAIN_TIMEOUT,
      locker: {
        newLock: (id) => (isEmptyCreation ? UNNEEDED_LOCK : this.locks.createLock(id, () => store.waitUntilIdle())),
      },
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
    return { response, upload: store.state };
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

/** @throws UPLOAD_VERSION */
export function assertVersion(version: string | string[] | null | undefined): void {
  if (version !== TUS_VERSION) throw fileErrors.UPLOAD_VERSION();
}

/** The library reports protocol violations by status only. */
function toAppError(error: unknown): unknown {
  if (error === null) return fileErrors.UPLOAD_PROTOCOL();
  const { body } = error as { body?: string };
  return (body === undefined ? undefined : tusErrors.get(body)?.()) ?? error;
}
