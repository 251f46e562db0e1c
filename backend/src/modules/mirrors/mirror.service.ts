import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../platform/database/transaction.js';
import { ActivityService } from '../activity/activity.service.js';
import { FolderMountService, type MirrorEndpoints } from '../files/tree/folder-mount.service.js';
import { FileAccessService } from '../files/access/file-access.service.js';
import { ZoneAccessRepository, type AccessibleZone } from '../zones/access/zone-access.repository.js';
import { zoneAbilities } from '../zones/access/zone.policy.js';
import { zoneErrors } from '../zones/zones.errors.js';
import type { CreateMirrorDto } from './dto/mirror.dto.js';
import { MirrorRepository } from './mirror.repository.js';
import { mirrorErrors } from './mirrors.errors.js';

/** Shows a folder of one zone in another zone of the same owner, read-only and without copying data. */
@Injectable()
export class MirrorService {
  constructor(
    private readonly em: EntityManager,
    private readonly mirrors: MirrorRepository,
    private readonly activity: ActivityService,
    private readonly access: ZoneAccessRepository,
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
  async createMirror(zone: AccessibleZone, userId: number, dto: CreateMirrorDto): Promise<number> {
    const endpoints = await this.resolveEndpoints(zone, userId, dto);
    return inTransaction(this.em, async (em) => {
      const { sourceFolder, sourceZone, targetZone } = await this.folderMount.lockZones(em, endpoints);
      if (await this.mirrors.isMirrored(em, endpoints)) throw mirrorErrors.DUPLICATE_MIRROR();
      const { targetZoneId } = endpoints;
      const targetFolderId = await this.folderMount.createMountFolder(
        em,
        targetZoneId,
        dto.targetFolderName,
        'targetFolderName',
        userId,
      );
      const { mirrorType = 'one_way', isActive = true } = dto;
      const mirror = { ...endpoints, targetFolderId, mirrorType, isActive, createdById: userId };
      const mirrorId = await this.mirrors.insertMirror(em, mirror);
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
      const zoneId = await this.mirrors.setActive(em, id, isActive);
      if (zoneId !== null) await this.folderMount.markZoneChanged(em, zoneId);
    });
  }

  /**
   * Removes a mirror and its mount folder; the source is not affected.
   * @throws MIRROR_NOT_FOUND, ZONE_FORBIDDEN
   */
  async removeMirror(id: number, userId: number): Promise<void> {
    const { targetFolderId: mountId, targetZoneId: zoneId } = await this.findManageable(id, userId);
    await inTransaction(this.em, async (em) => {
      const removed = await this.folderMount.removeMirror({ id: mountId, zoneId, ownerId: userId }, userId);
      if (!removed) throw mirrorErrors.MIRROR_NOT_FOUND();
      await this.folderMount.markZoneChanged(em, zoneId);
    });
  }

  /**
   * Requires both zones to belong to the viewer, so that they have the same owner; the guard has checked the source.
   */
  private async resolveEndpoints(
    zone: AccessibleZone,
    userId: number,
    { sourceFolderId, targetZoneId }: CreateMirrorDto,
  ): Promise<MirrorEndpoints> {
    if (targetZoneId === zone.id) throw mirrorErrors.MIRROR_SAME_ZONE();
    const target = await this.access.findAccessibleZone(targetZoneId, userId);
    if (!target) throw zoneErrors.ZONE_NOT_FOUND();
    if (!zoneAbilities(target.role).manageMirrors) throw zoneErrors.ZONE_FORBIDDEN();
    const source = await this.fileAccess.resolveReadableLocation(zone, userId, sourceFolderId);
    if (source.readOnly) throw mirrorErrors.MIRROR_OF_MIRROR();
    return { sourceFolderId, sourceZoneId: zone.id, targetZoneId };
  }

  /** Returns the mirror for the owner of its zones. People in neither zone can't tell that it exists. */
  private async findManageable(id: number, userId: number) {
    const mirror = await this.mirrors.findEndpoints(id);
    if (!mirror) throw mirrorErrors.MIRROR_NOT_FOUND();
    const source = await this.access.findAccessibleZone(mirror.sourceZoneId, userId);
    const target = await this.access.findAccessibleZone(mirror.targetZoneId, userId);
    if (!source && !target) throw mirrorErrors.MIRROR_NOT_FOUND();
    if (![source, target].some((zone) => zone && zoneAbilities(zone.role).manageMirrors)) {
      throw zoneErrors.ZONE_FORBIDDEN();
    }
    // A deleted zone is being purged along with its mirrors.
    if (!source || !target) throw mirrorErrors.MIRROR_NOT_FOUND();
    return mirror;
  }
}
