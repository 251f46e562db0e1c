import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../platform/database/query.js';
import { decodeCursor } from '../../platform/http/lists/cursor.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../platform/http/lists/list.js';
import { FileOpeningSchema } from '../activity/entities/file-opening.entity.js';
import { fullName, UserSchema } from '../auth/entities/user.entity.js';
import { readInBatches, type RowStream } from '../../platform/database/in-batches.js';
import type { FileOpeningDto } from './dto/analytics.dto.js';

type Tables = typeof FileOpeningSchema | typeof UserSchema;

/** Lists who opened a file. The caller must have checked that the viewer owns it. */
@Injectable()
export class FileOpeningRepository {
  constructor(private readonly em: EntityManager) {}

  /** Returns everyone who opened the file, latest first. */
  async listOpenings(fileId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<FileOpeningDto>> {
    const { total } = await query<Tables>(this.em)
      .selectFrom('file_openings')
      .select(sql<number>`count(*)::int`.as('total'))
      .where('file_id', '=', fileId)
      .executeTakeFirstOrThrow();
    const from = cursor ? decodeCursor(cursor, ['timestamptz', 'bigint']) : null;
    const rows = await this.fetchOpenings(fileId, from, limit + 1);
    return toPage(rows, limit, total, ({ lastAt, userId }) => [lastAt.toISOString(), userId]);
  }

  /** Streams all rows in batches. */
  streamOpenings(fileId: number): RowStream {
    return readInBatches((last: FileOpeningDto | null, limit) =>
      this.fetchOpenings(fileId, last && [last.lastAt.toISOString(), last.userId], limit),
    );
  }

  private async fetchOpenings(
    fileId: number,
    after: readonly [at: string, userId: number] | null,
    limit: number,
  ): Promise<FileOpeningDto[]> {
    let rows = query<Tables>(this.em)
      .selectFrom('file_openings as o')
      .innerJoin('users as u', 'u.id', 'o.user_id')
      .select(['o.user_id as userId', 'u.first_name as firstName', 'u.last_name as lastName', 'u.email as email'])
      .select(['o.first_at as firstAt', 'o.last_at as lastAt', 'o.views as views', 'o.downloads as downloads'])
      .where('o.file_id', '=', fileId);
    if (after)
      rows = rows.where(sql<boolean>`(o.last_at, o.user_id) < (${after[0]}::timestamptz, ${after[1]}::bigint)`);
    const found = await rows.orderBy('o.last_at', 'desc').orderBy('o.user_id', 'desc').limit(limit).execute();
    return found.map(({ firstName, lastName, ...row }) => ({
      ...row,
      name: fullName({ firstName, lastName }) || null,
    }));
  }
}
