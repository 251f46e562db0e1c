import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../../platform/database/query.js';
import type { Multipart } from '../../../../platform/storage/multipart.js';
import type { UploadMultipartPartSchema, UploadMultipartSchema } from '../../entities/upload.entity.js';

type Tables = typeof UploadMultipartSchema | typeof UploadMultipartPartSchema;

/** The multipart upload of an upload, and the parts that the bucket has stored. */
export interface UploadMultipart extends Multipart {
  readonly generation: number;
  /** Size in bytes of each part but the last. */
  readonly partBytes: number;
  /** It may no longer accept parts. */
  readonly isCompleting: boolean;
  /** ETags of the stored parts, without gaps from the first on. */
  readonly etags: readonly string[];
}

/** A writer of an upload: only the latest generation changes anything. */
interface Writer {
  readonly reservation: { readonly id: number };
  readonly generation: number;
}

/** Multipart uploads of buckets and their parts. */
@Injectable()
export class UploadMultipartRepository {
  async findMultipart(em: EntityManager, uploadId: number): Promise<UploadMultipart | null> {
    const row = await query<Tables>(em)
      .selectFrom('upload_multiparts')
      .select(['object_key as objectKey', 'remote_id as remoteId', 'generation'])
      .select(['part_bytes as partBytes', 'is_completing as isCompleting'])
      .select(
        sql<string[]>`array(
          select etag::text from upload_multipart_parts p where p.upload_id = upload_multiparts.upload_id order by number
        )`.as('etags'),
      )
      .where('upload_id', '=', uploadId)
      .executeTakeFirst();
    return row ? { ...row, partBytes: Number(row.partBytes) } : null;
  }

  /** @returns false if another writer has taken over, or the upload was cleaned up */
  async insertMultipart(
    em: EntityManager,
    { reservation, generation }: Writer,
    { objectKey, remoteId }: Multipart,
    partBytes: number,
  ): Promise<boolean> {
    const { rows } = await sql`
      insert into upload_multiparts (upload_id, object_key, remote_id, generation, part_bytes)
      select upload_id, ${objectKey}, ${remoteId}, generation, ${partBytes} from resumable_uploads
      where upload_id = ${reservation.id} and generation = ${generation} for share
      on conflict do nothing returning upload_id`.execute(query<Tables>(em));
    return rows.length > 0;
  }

  /**
   * Records a part that the bucket has stored.
   * @returns false if another writer has taken over, or the upload was cleaned up
   */
  async recordPart(
    em: EntityManager,
    { reservation, generation }: Writer,
    number: number,
    etag: string,
  ): Promise<boolean> {
    const { rows } = await sql`
      insert into upload_multipart_parts (upload_id, number, etag)
      select upload_id, ${number}, ${etag} from upload_multiparts
      where upload_id = ${reservation.id} and generation = ${generation} for key share
      on conflict (upload_id, number) do update set etag = excluded.etag
      returning number`.execute(query<Tables>(em));
    return rows.length > 0;
  }

  /**
   * Marks a multipart upload before it is completed.
   * @returns false if another writer has taken over, or the upload was cleaned up
   */
  async markCompleting(em: EntityManager, { reservation, generation }: Writer): Promise<boolean> {
    const { numUpdatedRows } = await query<Tables>(em)
      .updateTable('upload_multiparts')
      .set({ is_completing: true })
      .where('upload_id', '=', reservation.id)
      .where('generation', '=', generation)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Deletes a multipart upload and its parts. */
  async deleteMultipart(em: EntityManager, uploadId: number): Promise<void> {
    await query<Tables>(em).deleteFrom('upload_multiparts').where('upload_id', '=', uploadId).execute();
  }
}
