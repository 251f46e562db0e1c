import { Injectable } from '@nestjs/common';
import type { ZoneRole } from '../zones/entities/zone-member.entity.js';
import type { ViewedZone } from '../zones/zone-access.service.js';
import { FileAccessService } from './file-access.service.js';
import { fileErrors } from './files.errors.js';

/** A folder, or the root, of a zone, and where what it shows really lies: elsewhere, when it is seen through a mirror. */
export interface Place {
  /** The zone in which it is seen. */
  readonly zoneId: number;
  readonly ownerId: number;
  readonly role: ZoneRole;
  /** The folder as it was asked for; null is the root. */
  readonly folderId: number | null;
  readonly contentZoneId: number;
  readonly contentFolderId: number | null;
  readonly readOnly: boolean;
  /** 0 at the root. */
  readonly depth: number;
}

/** Finds the place that a request names by zone and folder. */
@Injectable()
export class FolderPlaces {
  constructor(private readonly access: FileAccessService) {}

  /**
   * A place to look into.
   * @throws FOLDER_NOT_FOUND when the folder is not seen in this zone
   */
  async toRead(zone: ViewedZone, userId: number, folderId: number | null): Promise<Place> {
    const [zoneId, ownerId] = [Number(zone.id), Number(zone.ownerId)];
    const here = { zoneId, ownerId, role: zone.role, folderId };
    if (folderId === null) return { ...here, contentZoneId: zoneId, contentFolderId: null, readOnly: false, depth: 0 };
    const folder = await this.access.findFolder(folderId, userId, zoneId);
    if (!folder) throw fileErrors.FOLDER_NOT_FOUND();
    return {
      ...here,
      contentZoneId: folder.contentZoneId,
      contentFolderId: folder.contentFolderId,
      readOnly: folder.isMirror || folder.mountId !== null,
      depth: folder.depth,
    };
  }

  /**
   * A place to put something into.
   * @param refusal how it is told that nothing can be put into a mirror
   * @throws FOLDER_NOT_FOUND, MIRROR_READ_ONLY
   */
  async toWrite(
    zone: ViewedZone,
    userId: number,
    folderId: number | null,
    refusal: () => Error = fileErrors.MIRROR_READ_ONLY,
  ): Promise<Place> {
    const place = await this.toRead(zone, userId, folderId);
    if (place.readOnly) throw refusal();
    return place;
  }
}
