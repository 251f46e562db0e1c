import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { LIST_LIMIT, pageOf, type ListQueryDto, type Page } from '../../platform/http/list.js';
import { UserSchema } from '../auth/entities/user.entity.js';
import { cursorTuple } from '../../platform/http/cursor.js';
import type { TrashEntryDto } from './dto/items.dto.js';
import { FileSchema } from './entities/file.entity.js';
import { FolderSchema } from './entities/folder.entity.js';
import { TrashEntrySchema } from './entities/trash-entry.entity.js';
import { TRASH_LIFETIME } from './file.policy.js';
import { pathsTo, type PathStep } from './folder-paths.js';

type Tables = typeof FileSchema | typeof FolderSchema | typeof TrashEntrySchema | typeof UserSchema;

/** The trash of a zone as it is shown. */
@Injectable()
export class TrashListService {
  constructor(private readonly em: EntityManager) {}

  /** What was deleted and can be brought back, the last deleted first. */
  async list(zoneId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<TrashEntryDto>> {
    let entries = this.rows(zoneId);
    if (cursor) entries = entries.where(sql<boolean>`(e.id) < ${cursorTuple(cursor, ['bigint'])}`);
    const rows = await entries
      .orderBy('e.id', 'desc')
      .limit(limit + 1)
      .execute();
    const { total } = await query<Tables>(this.em)
      .selectFrom('trash_entries')
      .select(sql<number>`count(*)`.as('total'))
      .where('zone_id', '=', zoneId)
      .where('purging_at', 'is', null)
      .executeTakeFirstOrThrow();
    const page = pageOf(rows, limit, total, ({ entryId }) => [entryId]);
    const paths = await pathsTo(
      this.em,
      page.items.flatMap(({ placeId }) => placeId ?? []),
    );
    return { ...page, items: page.items.map((row) => toEntry(row, paths)) };
  }

  private rows(zoneId: number) {
    return query<Tables>(this.em)
      .selectFrom('trash_entries as e')
      .leftJoin('files as f', 'f.id', 'e.file_id')
      .leftJoin('folders as d', 'd.id', 'e.folder_id')
      .leftJoin('users as u', 'u.id', 'e.deleted_by_id')
      .select(['e.id as entryId', 'e.trash_id as trashId', 'e.file_id as fileId', 'e.folder_id as folderId'])
      .select(['e.files as fileCount', 'e.bytes as size', 'e.deleted_at as deletedAt'])
      .select(['f.mime_type as mimeType', 'u.first_name as firstName', 'u.last_name as lastName', 'u.username'])
      .select(sql<string>`coalesce(f.original_name, d.name)`.as('name'))
      .select(sql<number | null>`coalesce(f.folder_id, d.parent_id)`.as('placeId'))
      .where('e.zone_id', '=', zoneId)
      .where('e.purging_at', 'is', null);
  }
}

type Row = Awaited<ReturnType<ReturnType<TrashListService['rows']>['executeTakeFirstOrThrow']>>;

function toEntry(row: Row, paths: ReadonlyMap<number, PathStep[]>): TrashEntryDto {
  const path = row.placeId === null ? [] : (paths.get(row.placeId) ?? []);
  return {
    kind: row.fileId === null ? 'folder' : 'file',
    id: (row.fileId ?? row.folderId)!,
    trashId: row.trashId,
    name: row.name,
    mimeType: row.mimeType,
    fileCount: row.fileCount,
    size: row.size,
    location: path.map(({ name }) => name),
    deletedBy: [row.firstName, row.lastName].filter((part) => part && part !== '.').join(' ') || row.username,
    deletedAt: row.deletedAt,
    purgesAt: after(row.deletedAt, TRASH_LIFETIME),
  };
}
