import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { AccessibleZone } from '../../zones/access/zone-access.repository.js';
import { zoneAbilities } from '../../zones/access/zone.policy.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import { FileAccessService } from '../access/file-access.service.js';
import { FileRequestRepository } from '../requests/file-request.repository.js';
import type { NameConflictRule, UploadDestination } from './file-upload.service.js';

/** Decides who may upload files to which folder. */
@Injectable()
export class UploadDestinationService {
  constructor(
    private readonly em: EntityManager,
    private readonly access: FileAccessService,
    private readonly requests: FileRequestRepository,
  ) {}

  /**
   * Resolves a folder to which the user may upload: any folder for those who manage the zone, otherwise one that
   * requests files. There nothing is replaced, and names that are taken get a number.
   * @throws ZONE_FORBIDDEN, FOLDER_NOT_FOUND, MIRROR_READ_ONLY
   */
  async resolve(
    zone: AccessibleZone,
    userId: number,
    folderId: number | null,
    onConflict: NameConflictRule,
  ): Promise<UploadDestination> {
    if (zoneAbilities(zone.role).manageFiles) {
      const location = await this.access.resolveWritableLocation(zone, userId, folderId);
      return { location, userId, onConflict, submission: null };
    }
    if (folderId === null) throw zoneErrors.ZONE_FORBIDDEN();
    const location = await this.access.resolveReadableLocation(zone, userId, folderId);
    const submission = location.readOnly ? null : await this.requests.findTerms(this.em.fork(), folderId, userId);
    if (!submission) throw zoneErrors.ZONE_FORBIDDEN();
    return { location, userId, onConflict: 'rename', submission };
  }
}
