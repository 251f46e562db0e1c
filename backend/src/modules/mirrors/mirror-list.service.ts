import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../platform/database/query.js';
import { decodeCursor } from '../../platform/http/cursor.js';
import { LIST_LIMIT, pageOf, type ListQueryDto, type Page } from '../../platform/http/list.js';
import { FolderMirrorSchema } from '../files/entities/folder-mirror.entity.js';
import { FolderSchema } from '../files/entities/folder.entity.js';
import { ZoneSchema } from '../zones/entities/zone.entity.js';
import type { MirrorDto } from './dto/mirror.dto.js';

type Tables = typeof FolderMirrorSchema | typeof FolderSchema | typeof ZoneSchema;

/** Mirrors as they are shown, inactive and hidden ones too, the newest first. */
@Injectable()
export class MirrorListService {
  constructor(private readonly em: EntityManager) {}

  /** Those that show a folder of the zone elsewhere, and those that show something in it. */
  ofZone(zoneId: number, page: ListQueryDto): Promise<Page<MirrorDto>> {
    return this.list(sql`(r.source_zone_id = ${zoneId} or r.target_zone_id = ${zoneId})`, page);
  }

  /** Those that show the folder; of a mirror's own folder, that mirror. */
  ofFolder(folderId: number, page: ListQueryDto): Promise<Page<MirrorDto>> {
    return this.list(sql`(r.source_folder_id = ${folderId} or r.target_folder_id = ${folderId})`, page);
  }

  async one(id: number): Promise<MirrorDto> {
    return toMirror(await this.rows().where('r.id', '=', id).executeTakeFirstOrThrow());
  }

  private async list(
    which: RawBuilder<boolean>,
    { limit = LIST_LIMIT, cursor }: ListQueryDto,
  ): Promise<Page<MirrorDto>> {
    let rows = this.rows().where(which);
    if (cursor) rows = rows.where('r.id', '<', decodeCursor(cursor, ['bigint'])[0]);
    const found = await rows
      .orderBy('r.id', 'desc')
      .limit(limit + 1)
      .execute();
    const complete = !cursor && found.length <= limit;
    const total = complete ? found.length : await this.count(which);
    return pageOf(found.map(toMirror), limit, total, ({ id }) => [id]);
  }

  private async count(which: RawBuilder<boolean>): Promise<number> {
    const count = this.rows()
      .where(which)
      .clearSelect()
      .select(sql<number>`count(*)`.as('total'));
    return Number((await count.executeTakeFirstOrThrow()).total);
  }

  /** A deleted zone takes its mirrors along; until they are gone they are not shown. */
  private rows() {
    return query<Tables>(this.em)
      .selectFrom('folder_mirrors as r')
      .innerJoin('folders as s', 's.id', 'r.source_folder_id')
      .innerJoin('zones as sz', 'sz.id', 'r.source_zone_id')
      .innerJoin('folders as t', 't.id', 'r.target_folder_id')
      .innerJoin('zones as tz', 'tz.id', 'r.target_zone_id')
      .select(['r.id', 'r.source_folder_id', 'r.source_zone_id', 'r.target_folder_id', 'r.target_zone_id'])
      .select(['r.mirror_type', 'r.is_active', 'r.created_by_id', 'r.created_at', 'r.updated_at'])
      .select(['s.name as source_folder_name', 'sz.name as source_zone_name', 's.trashed_at as source_trashed_at'])
      .select(['t.name as target_folder_name', 'tz.name as target_zone_name'])
      .where('sz.deleted_at', 'is', null)
      .where('tz.deleted_at', 'is', null);
  }
}

type Row = Awaited<ReturnType<ReturnType<MirrorListService['rows']>['executeTakeFirstOrThrow']>>;

function toMirror(row: Row): MirrorDto {
  return {
    id: Number(row.id),
    sourceFolderId: Number(row.source_folder_id),
    sourceFolderName: row.source_folder_name,
    sourceZoneId: Number(row.source_zone_id),
    sourceZoneName: row.source_zone_name,
    targetZoneId: Number(row.target_zone_id),
    targetZoneName: row.target_zone_name,
    targetFolderId: Number(row.target_folder_id),
    targetFolderName: row.target_folder_name,
    mirrorType: row.mirror_type,
    isActive: row.is_active,
    sourceInTrash: row.source_trashed_at !== null,
    createdById: row.created_by_id === null ? null : Number(row.created_by_id),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}
