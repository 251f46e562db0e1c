import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { after, Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { Storage } from '../../../platform/storage/storage.js';
import { sniffType } from '../content-type.js';
import { deleteObjects } from '../delete-objects.job.js';
import { ResumableUploadSchema } from '../entities/resumable-upload.entity.js';
import { UploadPartSchema } from '../entities/upload-part.entity.js';
import { fileErrors } from '../files.errors.js';
import { FilingService, type FilingTarget, type StoredFile } from '../filing.service.js';
import { IncomingBytes } from '../incoming-bytes.js';
import { RESUMABLE_FOR, type OpenUpload } from './open-upload.js';
import { UploadParts, type Part } from './upload-parts.service.js';

type Tables = typeof ResumableUploadSchema | typeof UploadPartSchema;

/** Makes a file of an upload whose last bytes have come. */
@Injectable()
export class CompleteUpload {
  constructor(
    private readonly clock: Clock,
    private readonly storage: Storage,
    private readonly jobs: Jobs,
    private readonly parts: UploadParts,
    private readonly filing: FilingService,
  ) {}

  /**
   * Joins the parts, hashes them, tells their type and files them. When that fails the last part is forgotten, so that
   * the upload stands before its end and can be tried again.
   * @param head the first bytes of the last part
   * @returns the id of the file
   * @throws DUPLICATE_NAMES, FOLDER_NOT_FOUND, ZONE_NOT_FOUND, UPLOAD_NOT_FOUND, STORAGE_UNAVAILABLE
   */
  async complete(
    em: EntityManager,
    upload: OpenUpload,
    target: FilingTarget,
    last: Part,
    head: Uint8Array,
  ): Promise<number> {
    try {
      const earlier = await this.parts.keys(em, upload);
      const stored =
        earlier.length === 0 ? await asItIs(upload, last, head) : await this.join(upload, [...earlier, last.objectKey]);
      // Parts that do not add up must never become a file.
      if (stored.size !== upload.length) throw new Error('The parts of an upload do not make up its length.');
      return await inTransaction(em, (em) => this.file(em, upload, target, stored));
    } catch (error) {
      await this.parts.drop(em, last);
      throw error;
    }
  }

  private async join(upload: OpenUpload, keys: readonly string[]): Promise<StoredFile> {
    const { intent, name } = upload;
    const content = this.read(keys);
    const bytes = new IncomingBytes({ name, content, skip: () => Promise.resolve() }, upload.length, {
      // The whole length was reserved when the upload began.
      reserve: (needed, wished) => Promise.resolve(Math.max(needed, wished)),
      extend: () => Promise.resolve(),
      now: () => this.clock.now().getTime(),
    });
    try {
      const mimeType = await bytes.sniff();
      const written = await this.storage.write(intent.objectKey, bytes);
      return { intent, objectKey: intent.objectKey, name, mimeType, ...written };
    } finally {
      // A storage that fails at once has not read to the end.
      await content.return(undefined);
    }
  }

  private async *read(keys: readonly string[]): AsyncGenerator<Uint8Array> {
    for (const key of keys) yield* (await this.storage.read(key)) as AsyncIterable<Uint8Array>;
  }

  /** The upload changes first: whoever changes it decides, this request or a clean-up. */
  private async file(em: EntityManager, upload: OpenUpload, target: FilingTarget, stored: StoredFile): Promise<number> {
    const row = query<Tables>(em)
      .updateTable('resumable_uploads')
      .where('id', '=', upload.id)
      .where('received', '=', upload.received);
    const { numUpdatedRows } = await row
      .set({ upload_id: null, expires_at: after(this.clock.now(), RESUMABLE_FOR) })
      .where('upload_id', '=', upload.intent.id)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw fileErrors.UPLOAD_NOT_FOUND();
    const parts = await query<Tables>(em)
      .selectFrom('upload_parts')
      .select('object_key')
      .where('upload_id', '=', upload.intent.id)
      .where('object_key', '!=', stored.objectKey)
      .execute();
    const objectKeys = parts.map((part) => part.object_key);
    if (objectKeys.length > 0) await this.jobs.enqueue(em, deleteObjects, { objectKeys });
    const [fileId] = await this.filing.file(em, target, [stored]);
    await row.set({ received: upload.length, file_id: fileId! }).execute();
    return fileId!;
  }
}

/** A file of one part only is stored already. */
async function asItIs({ intent, name }: OpenUpload, part: Part, head: Uint8Array): Promise<StoredFile> {
  const { objectKey, size, sha256 } = part;
  const mimeType = await sniffType(head, head.byteLength === size, name);
  return { intent, objectKey, name, mimeType, size, sha256 };
}
