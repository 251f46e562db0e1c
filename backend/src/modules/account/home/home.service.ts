import { Injectable } from '@nestjs/common';
import type { Language } from '../../../platform/errors/app-error.js';
import { ReadingPositionService } from '../../files/positions/reading-position.service.js';
import { FileListService } from '../../files/reading/file-list.service.js';
import { fullName } from '../../auth/entities/user.entity.js';
import { OwnInvitationService } from '../../zones/invitations/accepting/own-invitation.service.js';
import type { HomeDto, HomeFileDto, HomeZoneDto } from './home.dto.js';
import { HomeRepository } from './home.repository.js';

const MAX_ZONES = 100;
const RECENT_FILES = 12;
const UNFINISHED_DOCUMENTS = 6;
/**
 * Maximum number of new files counted per zone. Larger counts aren't useful, and each row costs an index step.
 */
const MAX_NEW_FILES = 100;

/** The home page of users who read other people's zones. */
@Injectable()
export class HomeService {
  constructor(
    private readonly home: HomeRepository,
    private readonly files: FileListService,
    private readonly readingPosition: ReadingPositionService,
    private readonly invitations: OwnInvitationService,
  ) {}

  /** Returns the zones, files and open invitations of the home page. */
  async getHome(userId: number, language: Language): Promise<HomeDto> {
    const zones = await this.listZones(userId);
    return {
      zones,
      continueReading: await this.readingPosition.listUnfinished(userId, UNFINISHED_DOCUMENTS),
      recentFiles: await this.listRecentFiles(zones, userId),
      invitations: await this.invitations.listOpen(userId, language),
    };
  }

  /** The newest files are in the zones with the most recent uploads, each of which contributes at least one. */
  private async listRecentFiles(zones: readonly HomeZoneDto[], userId: number): Promise<HomeFileDto[]> {
    const zonesById = new Map(zones.slice(0, RECENT_FILES).map((zone) => [zone.id, zone]));
    const roles = new Map([...zonesById].map(([id, { memberRole }]) => [id, memberRole]));
    const files = await this.files.findLatest(roles, userId, RECENT_FILES);
    return files.map((file) => ({ ...file, zoneName: zonesById.get(file.zoneId)!.name }));
  }

  private async listZones(userId: number): Promise<HomeZoneDto[]> {
    const rows = await this.home.findZones(userId, MAX_ZONES, MAX_NEW_FILES);
    return rows.map(({ ownerFirstName, ownerLastName, ownerImage, ...zone }) => ({
      ...zone,
      owner: { name: fullName({ firstName: ownerFirstName, lastName: ownerLastName }), profileImageUrl: ownerImage },
    }));
  }
}
