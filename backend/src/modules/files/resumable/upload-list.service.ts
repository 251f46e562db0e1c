import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { cursorTuple } from '../../../platform/http/cursor.js';
import { LIST_LIMIT, pageOf, type ListQueryDto, type Page } from '../../../platform/http/list.js';
import { ResumableUploadSchema } from '../entities/resumable-upload.entity.js';
import { fileErrors } from '../files.errors.js';
import { isUploadId, TUS_PATH } from './upload-address.js';
import type { ResumableUploadDto } from './upload.dto.js';

/** The uploads of a person, as they are shown. */
@Injectable()
export class UploadListService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Those under way, the newest first. */
  async list(userId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<ResumableUploadDto>> {
    const open = this.of(userId).where('upload_id', 'is not', null);
    const last = cursor ? cursorTuple(cursor, ['timestamptz', 'uuid']) : null;
    const rows = await open
      .selectAll()
      .where(last ? sql<boolean>`(created_at, id) < ${last}` : sql<boolean>`true`)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute();
    const count = open.select(sql<number>`count(*)`.as('total'));
    const { total } = await count.executeTakeFirstOrThrow();
    return pageOf(rows.map(toDto), limit, Number(total), (row) => [row.createdAt.toISOString(), row.id]);
  }

  /**
   * One of them, under way or done.
   * @throws UPLOAD_NOT_FOUND for those of others and those given up as well
   */
  async one(id: string, userId: number): Promise<ResumableUploadDto> {
    const row = isUploadId(id) ? await this.of(userId).selectAll().where('id', '=', id).executeTakeFirst() : null;
    if (!row) throw fileErrors.UPLOAD_NOT_FOUND();
    return toDto(row);
  }

  private of(userId: number) {
    return query<typeof ResumableUploadSchema>(this.em)
      .selectFrom('resumable_uploads')
      .where('user_id', '=', userId)
      .where('expires_at', '>', this.clock.now());
  }
}

interface Row {
  id: string;
  name: string;
  zone_id: unknown;
  folder_id: unknown;
  length: unknown;
  received: unknown;
  file_id: unknown;
  created_at: Date;
  expires_at: Date;
}

const idOrNull = (value: unknown) => (value === null ? null : Number(value));

function toDto(row: Row): ResumableUploadDto {
  return {
    id: row.id,
    location: `${TUS_PATH}/${row.id}`,
    name: row.name,
    zoneId: Number(row.zone_id),
    folderId: idOrNull(row.folder_id),
    length: Number(row.length),
    received: Number(row.received),
    fileId: idOrNull(row.file_id),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
