import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { readBlocks } from '../../../../platform/streams/read-blocks.js';
import { fileErrors } from '../../files.errors.js';
import type { RequestLock } from './request-lock.js';
import { isUploadId, type ResumableState } from './resumable-upload.policy.js';
import { ResumableUploadService } from './resumable-upload.service.js';
import { UploadLockService } from './upload-lock.service.js';

/** How long, in milliseconds, a request may keep receiving bytes after it is asked to release its lock. */
export const DRAIN_TIMEOUT = 200;

export interface PatchResult {
  readonly upload: ResumableState;
  /** True if another request has taken over before all bytes of this one were read. */
  readonly isStopped: boolean;
}

/**
 * Receives the bytes of an upload, as tus 1.0.0 says for PATCH, from the connection itself: the streams of the tus
 * library cost more than storing the bytes (ADR 0055).
 */
@Injectable()
export class UploadPatchService {
  constructor(
    private readonly locks: UploadLockService,
    private readonly resumableUpload: ResumableUploadService,
  ) {}

  /**
   * Appends the body of a request to an upload.
   * @throws UPLOAD_NOT_FOUND, UPLOAD_PROTOCOL, UPLOAD_LENGTH_REQUIRED, UPLOAD_LOCKED, UPLOAD_OFFSET, UPLOAD_TOO_LONG,
   * and whatever `ResumableUploadService.receiveBytes` throws
   */
  async receive(id: string, request: IncomingMessage, userId: number): Promise<PatchResult> {
    if (!isUploadId(id)) throw fileErrors.UPLOAD_NOT_FOUND();
    const offset = parseOffset(request.headers);
    const stop = new AbortController();
    const lock = this.locks.createLock(id);
    await lock.lock(stop.signal, () => void setTimeout(() => stop.abort(), DRAIN_TIMEOUT).unref());
    try {
      const upload = await this.resumableUpload.findUpload(id, userId);
      if (upload.received !== offset) throw fileErrors.UPLOAD_OFFSET();
      const announced = Number(request.headers['content-length'] ?? 0);
      if (offset + announced > upload.length) throw fileErrors.UPLOAD_TOO_LONG();
      const blocks = whileHeld(lock, readBlocks(request, stop.signal));
      const received = await this.resumableUpload.receiveBytes(upload, blocks);
      return { upload: received, isStopped: stop.signal.aborted };
    } finally {
      await lock.unlock();
    }
  }
}

/** @throws UPLOAD_LOCKED before a block that could be written after the lock has expired */
async function* whileHeld(lock: RequestLock, blocks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const block of blocks) {
    lock.assertHeld();
    yield block;
  }
}

/** @throws UPLOAD_PROTOCOL; UPLOAD_LENGTH_REQUIRED for a length, which is only announced at the start */
function parseOffset(headers: IncomingHttpHeaders): number {
  if (headers['upload-length'] !== undefined) throw fileErrors.UPLOAD_LENGTH_REQUIRED();
  const offset = headers['upload-offset'];
  if (typeof offset !== 'string' || !/^\d{1,15}$/.test(offset)) throw fileErrors.UPLOAD_PROTOCOL();
  return Number(offset);
}
