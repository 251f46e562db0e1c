import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { decodeCursor } from '../../platform/http/lists/cursor.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../platform/http/lists/list.js';
import { ActivityService } from '../activity/activity.service.js';
import { FolderMirrorSchema } from '../files/entities/folder-mirror.entity.js';
import { FolderSchema } from '../files/entities/folder.entity.js';
import { ZoneSchema } from '../zones/entities/zone.entity.js';
import { FolderMountService, type MirrorEndpoints } from '../files/tree/folder-mount.service.js';
import { FileAccessService } from '../files/access/file-access.service.js';
import { ZoneAccessService, type ViewedZone } from '../zones/access/zone-access.service.js';
import { zoneAbilities } from '../zones/access/zone.policy.js';
import { zoneErrors } from '../zones/zones.errors.js';
import type { CreateMirrorDto, MirrorDto } from './dto/mirror.dto.js';
import { mirrorErrors } from './mirrors.errors.js';

type Tables = typeof FolderMirrorSchema | typeof FolderSchema | typeof ZoneSchema;

/** Shows a folder of one zone in another zone of the same owner, read-only and without copying data. */
@Injectable()
export class MirrorService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly activity: ActivityService,
    private readonly access: ZoneAccessService,
    private readonly fileAccess: FileAccessService,
    private readonly folderMount: FolderMountService,
  ) {}

  /**
   * Creates a mirror of a folder in the viewer's zone, together with its mount folder in one transaction. Of concurrent
   * requests for the same pair, one succeeds.
   * @returns its id
   * @throws MIRROR_SAME_ZONE; ZONE_NOT_FOUND or ZONE_FORBIDDEN for the target; FOLDER_NOT_FOUND, MIRROR_OF_MIRROR,
   * DUPLICATE_MIRROR, INVALID_NAME, DUPLICATE_NAMES
   */
  async createMirror(zone: ViewedZone, userId: number, dto: CreateMirrorDto): Promise<number> {
    const endpoints = await this.resolveEndpoints(zone, userId, dto);
    return inTransaction(this.em, async (em) => {
      const { sourceFolder, sourceZone, targetZone } = await this.folderMount.lockZones(em, endpoints);
      if (await this.isMirrored(em, endpoints)) throw mirrorErrors.DUPLICATE_MIRROR();
      const { targetZoneId } = endpoints;
      const folderId = await this.folderMount.createMountFolder(
        em,
        targetZoneId,
        dto.targetFolderName,
        'targetFolderName',
        userId,
      );
      const mirrorId = await this.insertMirror(em, endpoints, folderId, userId, dto);
      const params = { zoneName: sourceZone, folderName: sourceFolder, targetZoneName: targetZone };
      const { id: zoneId, ownerId } = zone;
      await this.activity.record(em, { type: 'mirror.created', ownerId, zoneId, userId, params });
      await this.folderMount.markZoneChanged(em, targetZoneId);
      return mirrorId;
    });
  }

  /**
   * Hides or shows a mirror.
   * @throws MIRROR_NOT_FOUND, ZONE_FORBIDDEN
   */
  async setActive(id: number, userId: number, isActive: boolean): Promise<void> {
    await this.findManageable(id, userId);
    await inTransaction(this.em, async (em) => {
      const changed = await query<Tables>(em)
        .updateTable('folder_mirrors')
        .set({ is_active: isActive, updated_at: this.clock.now() })
        .where('id', '=', id)
        .where('is_active', '!=', isActive)
        .returning('target_zone_id as zoneId')
        .executeTakeFirst();
      if (changed) await this.folderMount.markZoneChanged(em, changed.zoneId);
    });
  }

  /**
   * Removes a mirror and its mount folder; the source is not affected.
   * @throws MIRROR_NOT_FOUND, ZONE_FORBIDDEN
   */
  async removeMirror(id: number, userId: number): Promise<void> {
    const { target_folder_id: mountId, target_zone_id: zoneId } = await this.findManageable(id, userId);
    await inTransaction(this.em, async (em) => {
      const removed = await this.folderMount.removeMirror({ id: mountId, zoneId, ownerId: userId }, userId);
      if (!removed) throw mirrorErrors.MIRROR_NOT_FOUND();
      await this.folderMount.markZoneChanged(em, zoneId);
    });
  }

  /** Lists mirrors from or into a zone, newest first, including inactive and hidden ones. */
  listForZone(zoneId: number, page: ListQueryDto): Promise<Page<MirrorDto>> {
    return this.listWhere(sql`(r.source_zone_id = ${zoneId} or r.target_zone_id = ${zoneId})`, page);
  }

  /** Lists the mirrors of a folder; for a mount folder, its own mirror. */
  listForFolder(folderId: number, page: ListQueryDto): Promise<Page<MirrorDto>> {
    return this.listWhere(sql`(r.source_folder_id = ${folderId} or r.target_folder_id = ${folderId})`, page);
  }

  /** Returns a mirror; throws if it no longer exists. The caller has checked access. */
  findOne(id: number): Promise<MirrorDto> {
    return this.mirrorsQuery().where('r.id', '=', id).executeTakeFirstOrThrow();
  }

  /**
   * Requires both zones to belong to the viewer, so that they have the same owner; the guard has checked the source.
   */
  private async resolveEndpoints(
    zone: ViewedZone,
    userId: number,
    { sourceFolderId, targetZoneId }: CreateMirrorDto,
  ): Promise<MirrorEndpoints> {
    if (targetZoneId === zone.id) throw mirrorErrors.MIRROR_SAME_ZONE();
    const target = await this.access.findViewedZone(targetZoneId, userId);
    if (!target) throw zoneErrors.ZONE_NOT_FOUND();
    if (!zoneAbilities(target.role).manageMirrors) throw zoneErrors.ZONE_FORBIDDEN();
    const source = await this.fileAccess.resolveReadableLocation(zone, userId, sourceFolderId);
    if (source.readOnly) throw mirrorErrors.MIRROR_OF_MIRROR();
    return { sourceFolderId, sourceZoneId: zone.id, targetZoneId };
  }

  private async isMirrored(em: EntityManager, { sourceFolderId, targetZoneId }: MirrorEndpoints): Promise<boolean> {
    const row = await query<Tables>(em)
      .selectFrom('folder_mirrors')
      .select('id')
      .where('source_folder_id', '=', sourceFolderId)
      .where('target_zone_id', '=', targetZoneId)
      .executeTakeFirst();
    return row !== undefined;
  }

  private async insertMirror(
    em: EntityManager,
    endpoints: MirrorEndpoints,
    folderId: number,
    userId: number,
    { mirrorType = 'one_way', isActive = true }: CreateMirrorDto,
  ): Promise<number> {
    const now = this.clock.now();
    const { id } = await query<Tables>(em)
      .insertInto('folder_mirrors')
      .values({
        source_folder_id: endpoints.sourceFolderId,
        source_zone_id: endpoints.sourceZoneId,
        target_zone_id: endpoints.targetZoneId,
        target_folder_id: folderId,
        mirror_type: mirrorType,
        is_active: isActive,
        created_by_id: userId,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return Number(id);
  }

  /** Returns the mirror for the owner of its zones. People in neither zone can't tell that it exists. */
  private async findManageable(id: number, userId: number) {
    const mirror = await query<Tables>(this.em)
      .selectFrom('folder_mirrors')
      .select(['source_zone_id', 'target_zone_id', 'target_folder_id'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!mirror) throw mirrorErrors.MIRROR_NOT_FOUND();
    const source = await this.access.findViewedZone(mirror.source_zone_id, userId);
    const target = await this.access.findViewedZone(mirror.target_zone_id, userId);
    if (!source && !target) throw mirrorErrors.MIRROR_NOT_FOUND();
    if (![source, target].some((zone) => zone && zoneAbilities(zone.role).manageMirrors)) {
      throw zoneErrors.ZONE_FORBIDDEN();
    }
    // A deleted zone is being purged along with its mirrors.
    if (!source || !target) throw mirrorErrors.MIRROR_NOT_FOUND();
    return mirror;
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
