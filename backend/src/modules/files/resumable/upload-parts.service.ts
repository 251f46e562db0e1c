import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { newKey, Storage, type Written } from '../../../platform/storage/storage.js';
import { FileSchema } from '../entities/file.entity.js';
import { ResumableUploadSchema } from '../entities/resumable-upload.entity.js';
import { UploadPartSchema } from '../entities/upload-part.entity.js';
import { UploadSchema } from '../entities/upload.entity.js';
import { fileErrors } from '../files.errors.js';
import { RESUMABLE_FOR, type OpenUpload } from './open-upload.js';

type Tables = typeof FileSchema | typeof ResumableUploadSchema | typeof UploadPartSchema | typeof UploadSchema;

/** Bytes of an upload in an object of their own. */
export interface Part extends Written {
  readonly id: number;
  readonly objectKey: string;
}

/** The bytes of unfinished uploads: objects like all others, so that every process reaches them and a crash loses none. */
@Injectable()
export class UploadParts {
  private readonly logger = new Logger(UploadParts.name);

  constructor(
    private readonly clock: Clock,
    private readonly storage: Storage,
  ) {}

  /**
   * Stores the bytes that come next. They do not count as received until `keep` says so.
   * @throws UPLOAD_NOT_FOUND when the upload was cancelled or cleaned up, STORAGE_UNAVAILABLE
   */
  async store(em: EntityManager, { intent, received }: OpenUpload, source: AsyncIterable<Uint8Array>): Promise<Part> {
    const objectKey = newKey('files');
    const id = await this.announce(em, intent.id, objectKey, received);
    try {
      const written = await this.storage.write(objectKey, source);
      return { id, objectKey, ...written };
    } catch (error) {
      await this.drop(em, { id, objectKey });
      throw error;
    }
  }

  /**
   * Counts a part as received, if the upload stands where the part begins; gives the upload as it stands then.
   * @throws UPLOAD_OFFSET when another request went on meanwhile, UPLOAD_NOT_FOUND
   */
  async keep(em: EntityManager, upload: OpenUpload, part: Part): Promise<OpenUpload> {
    const received = upload.received + part.size;
    const expiresAt = after(this.clock.now(), RESUMABLE_FOR);
    try {
      await inTransaction(em, async (em) => {
        const { numUpdatedRows } = await query<Tables>(em)
          .updateTable('resumable_uploads')
          .set({ received, expires_at: expiresAt })
          .where('id', '=', upload.id)
          .where('upload_id', '=', upload.intent.id)
          .where('received', '=', upload.received)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) throw fileErrors.UPLOAD_OFFSET();
        await query<Tables>(em)
          .updateTable('uploads')
          .set({ lease_until: expiresAt })
          .where('id', '=', upload.intent.id)
          .execute();
        const kept = await query<Tables>(em)
          .updateTable('upload_parts')
          .set({ size: part.size })
          .where('id', '=', part.id)
          .executeTakeFirst();
        if (kept.numUpdatedRows === 0n) throw fileErrors.UPLOAD_NOT_FOUND();
      });
    } catch (error) {
      await this.drop(em, part);
      throw error;
    }
    return { ...upload, received, expiresAt };
  }

  /** The keys of what has been received, in the order of the file. */
  async keys(em: EntityManager, { intent }: OpenUpload): Promise<string[]> {
    const rows = await query<Tables>(em)
      .selectFrom('upload_parts')
      .select('object_key')
      .where('upload_id', '=', intent.id)
      .where('size', 'is not', null)
      .orderBy('start')
      .execute();
    return rows.map((row) => row.object_key);
  }

  /**
   * Forgets a part that came to nothing. The rows decide: where a commit went through whose answer was lost, the part
   * counts, or is a file by now. What cannot be removed at this moment goes with the upload.
   */
  async drop(em: EntityManager, { id, objectKey }: Pick<Part, 'id' | 'objectKey'>): Promise<void> {
    try {
      await inTransaction(em.fork(), async (em) => {
        const row = await query<Tables>(em)
          .deleteFrom('upload_parts')
          .where('id', '=', id)
          .where('size', 'is', null)
          .returning('id')
          .executeTakeFirst();
        // The object goes before the commit: when the storage fails, the row stays.
        if (row || !(await this.isInUse(em, objectKey))) await this.storage.delete(objectKey);
      });
    } catch (error) {
      this.logger.warn({ err: error, partId: id }, 'A part of an upload is left to the sweep');
    }
  }

  /** Announces the object before it is written, so that whatever breaks off is found by its row. */
  private async announce(em: EntityManager, uploadId: number, objectKey: string, start: number): Promise<number> {
    const { rows } = await sql<{ id: number }>`
      insert into upload_parts (upload_id, object_key, start)
      select id, ${objectKey}, ${start} from uploads where id = ${uploadId} for key share
      returning id`.execute(query<Tables>(em));
    if (!rows[0]) throw fileErrors.UPLOAD_NOT_FOUND();
    return Number(rows[0].id);
  }

  private async isInUse(em: EntityManager, objectKey: string): Promise<boolean> {
    const row = await query<Tables>(em)
      .selectFrom('upload_parts')
      .select('object_key')
      .where('object_key', '=', objectKey)
      .union((files) => files.selectFrom('files').select('object_key').where('object_key', '=', objectKey))
      .executeTakeFirst();
    return row !== undefined;
  }
}
