import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { decodeCursor } from '../../platform/http/lists/cursor.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../platform/http/lists/list.js';
import type { FolderMirrorSchema } from '../files/entities/folder-mirror.entity.js';
import type { FolderSchema } from '../files/entities/folder.entity.js';
import type { MirrorEndpoints } from '../files/tree/folder-mount.service.js';
import type { ZoneSchema } from '../zones/entities/zone.entity.js';
import type { MirrorDto } from './dto/mirror.dto.js';

type Tables = typeof FolderMirrorSchema | typeof FolderSchema | typeof ZoneSchema;

export interface NewMirror extends MirrorEndpoints {
  /** The mount folder in the target zone. */
  readonly targetFolderId: number;
  readonly mirrorType: 'one_way';
  readonly isActive: boolean;
  readonly createdById: number;
}

/** Mirrors of folders. Their mount folders are those of the files module, which deletes both together. */
@Injectable()
export class MirrorRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async isMirrored(em: EntityManager, { sourceFolderId, targetZoneId }: MirrorEndpoints): Promise<boolean> {
    const row = await query<Tables>(em)
      .selectFrom('folder_mirrors')
      .select('id')
      .where('source_folder_id', '=', sourceFolderId)
      .where('target_zone_id', '=', targetZoneId)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** @returns the new mirror's id */
  async insertMirror(em: EntityManager, mirror: NewMirror): Promise<number> {
    const now = this.clock.now();
    const { id } = await query<Tables>(em)
      .insertInto('folder_mirrors')
      .values({
        source_folder_id: mirror.sourceFolderId,
        source_zone_id: mirror.sourceZoneId,
        target_zone_id: mirror.targetZoneId,
        target_folder_id: mirror.targetFolderId,
        mirror_type: mirror.mirrorType,
        is_active: mirror.isActive,
        created_by_id: mirror.createdById,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return Number(id);
  }

  /** @returns the target zone's id, or null if nothing has changed */
  async setActive(em: EntityManager, id: number, isActive: boolean): Promise<number | null> {
    const changed = await query<Tables>(em)
      .updateTable('folder_mirrors')
      .set({ is_active: isActive, updated_at: this.clock.now() })
      .where('id', '=', id)
      .where('is_active', '!=', isActive)
      .returning('target_zone_id as zoneId')
      .executeTakeFirst();
    return changed?.zoneId ?? null;
  }

  async findEndpoints(id: number) {
    const row = await query<Tables>(this.em)
      .selectFrom('folder_mirrors')
      .select(['source_zone_id as sourceZoneId', 'target_zone_id as targetZoneId'])
      .select('target_folder_id as targetFolderId')
      .where('id', '=', id)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Lists mirrors from or into a zone, newest first, including inactive and hidden ones. */
  listForZone(zoneId: number, page: ListQueryDto): Promise<Page<MirrorDto>> {
    return this.listWhere(sql`(r.source_zone_id = ${zoneId} or r.target_zone_id = ${zoneId})`, page);
  }

  /** Lists the mirrors of a folder; for a mount folder, its own mirror. */
  listForFolder(folderId: number, page: ListQueryDto): Promise<Page<MirrorDto>> {
    return this.listWhere(sql`(r.source_folder_id = ${folderId} or r.target_folder_id = ${folderId})`, page);
  }

  /** Returns a mirror; throws if it no longer exists. */
  getMirror(id: number): Promise<MirrorDto> {
    return this.mirrorsQuery().where('r.id', '=', id).executeTakeFirstOrThrow();
  }

  private async listWhere(
    condition: RawBuilder<boolean>,
    { limit = LIST_LIMIT, cursor }: ListQueryDto,
  ): Promise<Page<MirrorDto>> {
    let rows = this.mirrorsQuery().where(condition);
    if (cursor) rows = rows.where('r.id', '<', decodeCursor(cursor, ['bigint'])[0]);
    const found = await rows
      .orderBy('r.id', 'desc')
      .limit(limit + 1)
      .execute();
    const isComplete = !cursor && found.length <= limit;
    const total = isComplete ? found.length : await this.countWhere(condition);
    return toPage(found, limit, total, ({ id }) => [id]);
  }

  private async countWhere(condition: RawBuilder<boolean>): Promise<number> {
    const count = this.mirrorsQuery()
      .where(condition)
      .clearSelect()
      .select(sql<number>`count(*)`.as('total'));
    return Number((await count.executeTakeFirstOrThrow()).total);
  }

  /** Mirrors of deleted zones are hidden until they are purged. */
  private mirrorsQuery() {
    return query<Tables>(this.em)
      .selectFrom('folder_mirrors as r')
      .innerJoin('folders as s', 's.id', 'r.source_folder_id')
      .innerJoin('zones as sz', 'sz.id', 'r.source_zone_id')
      .innerJoin('folders as t', 't.id', 'r.target_folder_id')
      .innerJoin('zones as tz', 'tz.id', 'r.target_zone_id')
      .select(['r.id as id', 'r.source_folder_id as sourceFolderId', 's.name as sourceFolderName'])
      .select(['r.source_zone_id as sourceZoneId', 'sz.name as sourceZoneName'])
      .select(['r.target_zone_id as targetZoneId', 'tz.name as targetZoneName'])
      .select(['r.target_folder_id as targetFolderId', 't.name as targetFolderName'])
      .select(['r.mirror_type as mirrorType', 'r.is_active as isActive', 'r.created_by_id as createdById'])
      .select(['r.created_at as createdAt', 'r.updated_at as updatedAt'])
      .select(sql<boolean>`s.trashed_at is not null`.as('sourceInTrash'))
      .where('sz.deleted_at', 'is', null)
      .where('tz.deleted_at', 'is', null);
  }
}
