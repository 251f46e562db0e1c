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
  /** ETags of the stored parts, in order; without gaps from the first on unless `isDirect`. */
  readonly etags: readonly string[];
  /** The browser sends the parts to the bucket itself. */
  readonly isDirect: boolean;
  /** Of the whole object, once it was read; only if `isDirect`. In lower-case hex. */
  readonly sha256: string | null;
}

/** A part that the bucket has stored. */
export interface SentPart {
  /** Starts at 1. */
  readonly number: number;
  readonly etag: string;
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
      .select(['part_bytes as partBytes', 'is_completing as isCompleting', 'is_direct as isDirect', 'sha256'])
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
    isDirect = false,
  ): Promise<boolean> {
    const { rows } = await sql`
      insert into upload_multiparts (upload_id, object_key, remote_id, generation, part_bytes, is_direct)
      select upload_id, ${objectKey}, ${remoteId}, generation, ${partBytes}, ${isDirect}::boolean from resumable_uploads
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

  /** Records parts that a browser has sent; the upload must be locked (`lockGeneration`). */
  async recordSentParts(em: EntityManager, uploadId: number, parts: readonly SentPart[]): Promise<void> {
    if (parts.length === 0) return;
    // The same part may have been sent twice; only the last one counts.
    const etags = new Map(parts.map(({ number, etag }) => [number, etag]));
    await query<Tables>(em)
      .insertInto('upload_multipart_parts')
      .values([...etags].map(([number, etag]) => ({ upload_id: uploadId, number, etag })))
      .onConflict((conflict) =>
        conflict.columns(['upload_id', 'number']).doUpdateSet({ etag: (row) => row.ref('excluded.etag') }),
      )
      .execute();
  }

  /** Returns the numbers of the recorded parts, in order. */
  async listSentNumbers(em: EntityManager, uploadId: number): Promise<number[]> {
    const rows = await query<Tables>(em)
      .selectFrom('upload_multipart_parts')
      .select('number')
      .where('upload_id', '=', uploadId)
      .orderBy('number')
      .execute();
    return rows.map(({ number }) => number);
  }

  /** Marks a multipart upload whose parts a browser has sent; the upload must be locked (`lockGeneration`). */
  async markDirectCompleting(em: EntityManager, uploadId: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('upload_multiparts')
      .set({ is_completing: true })
      .where('upload_id', '=', uploadId)
      .where('is_direct', '=', true)
      .execute();
  }

  /** Records the hash of a direct upload's object. Without effect if the upload has another object by now. */
  async recordHash(em: EntityManager, objectKey: string, sha256: string): Promise<void> {
    await query<Tables>(em)
      .updateTable('upload_multiparts')
      .set({ sha256 })
      .where('object_key', '=', objectKey)
      .where('is_direct', '=', true)
      .where('is_completing', '=', true)
      .execute();
  }

  /**
   * Deletes a direct upload's multipart upload and its parts.
   * @returns false if the upload has another one by now
   */
  async deleteDirect(em: EntityManager, objectKey: string): Promise<boolean> {
    const { numDeletedRows } = await query<Tables>(em)
      .deleteFrom('upload_multiparts')
      .where('object_key', '=', objectKey)
      .where('is_direct', '=', true)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  /** Deletes a multipart upload and its parts. */
  async deleteMultipart(em: EntityManager, uploadId: number): Promise<void> {
    await query<Tables>(em).deleteFrom('upload_multiparts').where('upload_id', '=', uploadId).execute();
  }
}
