import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { ActivityService } from '../activity/activity.service.js';
import { FolderMirrorSchema } from '../files/entities/folder-mirror.entity.js';
import { FolderMounts, type MountPlaces } from '../files/folder-mounts.service.js';
import { FolderPlaces } from '../files/folder-places.service.js';
import { ZoneAccessService, type ViewedZone } from '../zones/zone-access.service.js';
import { zoneAbilities } from '../zones/zone.policy.js';
import { zoneErrors } from '../zones/zones.errors.js';
import type { CreateMirrorDto, MirrorDto } from './dto/mirror.dto.js';
import { MirrorListService } from './mirror-list.service.js';
import { mirrorErrors } from './mirrors.errors.js';

type Tables = typeof FolderMirrorSchema;

/** Showing a folder of one zone in another one of the same owner, read only and without copying a byte. */
@Injectable()
export class MirrorService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly activity: ActivityService,
    private readonly access: ZoneAccessService,
    private readonly places: FolderPlaces,
    private readonly mounts: FolderMounts,
    private readonly lists: MirrorListService,
  ) {}

  /**
   * Makes a mirror of a folder of the viewer's zone. Its folder and itself are one transaction; of two requests for the
   * same pair at once, one wins.
   * @throws MIRROR_SAME_ZONE, ZONE_NOT_FOUND or ZONE_FORBIDDEN of the target, FOLDER_NOT_FOUND, MIRROR_OF_MIRROR,
   * DUPLICATE_MIRROR, INVALID_NAME, DUPLICATE_NAMES
   */
  async create(zone: ViewedZone, userId: number, dto: CreateMirrorDto): Promise<MirrorDto> {
    const places = await this.placesOf(zone, userId, dto);
    const id = await inTransaction(this.em, async (em) => {
      const { sourceFolder, sourceZone, targetZone } = await this.mounts.lock(em, places);
      if (await this.exists(em, places)) throw mirrorErrors.DUPLICATE_MIRROR();
      const { targetZoneId } = places;
      const folderId = await this.mounts.makeFolder(em, targetZoneId, dto.targetFolderName, 'targetFolderName', userId);
      const mirrorId = await this.insert(em, places, folderId, userId, dto);
      const params = { zoneName: sourceZone, folderName: sourceFolder, targetZoneName: targetZone };
      const { id: zoneId, ownerId } = zone;
      await this.activity.record(em, { type: 'mirror.created', ownerId, zoneId, userId, params });
      return mirrorId;
    });
    return this.lists.one(id);
  }

  /**
   * Hides a mirror or shows it again.
   * @throws MIRROR_NOT_FOUND, ZONE_FORBIDDEN
   */
  async setActive(id: number, userId: number, isActive: boolean): Promise<MirrorDto> {
    await this.toManage(id, userId);
    await query<Tables>(this.em)
      .updateTable('folder_mirrors')
      .set({ is_active: isActive, updated_at: this.clock.now() })
      .where('id', '=', id)
      .execute();
    return this.lists.one(id);
  }

  /**
   * Takes a mirror away, and the folder that showed it; the source stays.
   * @throws MIRROR_NOT_FOUND, ZONE_FORBIDDEN
   */
  async remove(id: number, userId: number): Promise<void> {
    const { target_folder_id: mountId, target_zone_id: zoneId } = await this.toManage(id, userId);
    const removed = await this.mounts.remove({ id: mountId, zoneId, ownerId: userId }, userId);
    if (!removed) throw mirrorErrors.MIRROR_NOT_FOUND();
  }

  /** Both zones must be the viewer's own, so that they have one owner; the guard has seen to the source's. */
  private async placesOf(
    zone: ViewedZone,
    userId: number,
    { sourceFolderId, targetZoneId }: CreateMirrorDto,
  ): Promise<MountPlaces> {
    if (targetZoneId === zone.id) throw mirrorErrors.MIRROR_SAME_ZONE();
    const target = await this.access.find(targetZoneId, userId);
    if (!target) throw zoneErrors.ZONE_NOT_FOUND();
    if (!zoneAbilities(target.role).manageMirrors) throw zoneErrors.ZONE_FORBIDDEN();
    const source = await this.places.toRead(zone, userId, sourceFolderId);
    if (source.readOnly) throw mirrorErrors.MIRROR_OF_MIRROR();
    return { sourceFolderId, sourceZoneId: zone.id, targetZoneId };
  }

  private async exists(em: EntityManager, { sourceFolderId, targetZoneId }: MountPlaces): Promise<boolean> {
    const row = await query<Tables>(em)
      .selectFrom('folder_mirrors')
      .select('id')
      .where('source_folder_id', '=', sourceFolderId)
      .where('target_zone_id', '=', targetZoneId)
      .executeTakeFirst();
    return row !== undefined;
  }

  private async insert(
    em: EntityManager,
    places: MountPlaces,
    folderId: number,
    userId: number,
    { mirrorType = 'one_way', isActive = true }: CreateMirrorDto,
  ): Promise<number> {
    const now = this.clock.now();
    const { id } = await query<Tables>(em)
      .insertInto('folder_mirrors')
      .values({
        source_folder_id: places.sourceFolderId,
        source_zone_id: places.sourceZoneId,
        target_zone_id: places.targetZoneId,
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

  /** The mirror, for the owner of its zones. Whoever is in neither zone cannot tell that it is there. */
  private async toManage(id: number, userId: number) {
    const mirror = await query<Tables>(this.em)
      .selectFrom('folder_mirrors')
      .select(['source_zone_id', 'target_zone_id', 'target_folder_id'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!mirror) throw mirrorErrors.MIRROR_NOT_FOUND();
    const source = await this.access.find(mirror.source_zone_id, userId);
    const target = await this.access.find(mirror.target_zone_id, userId);
    if (!source && !target) throw mirrorErrors.MIRROR_NOT_FOUND();
    if (![source, target].some((zone) => zone && zoneAbilities(zone.role).manageMirrors)) {
      throw zoneErrors.ZONE_FORBIDDEN();
    }
    // A deleted zone is on its way out with its mirrors.
    if (!source || !target) throw mirrorErrors.MIRROR_NOT_FOUND();
    return mirror;
  }
}
