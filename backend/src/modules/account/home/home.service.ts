import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { FileListService } from '../../files/reading/file-list.service.js';
import { type ZoneMemberSchema } from '../../zones/entities/zone-member.entity.js';
import { fullName } from '../../auth/entities/user.entity.js';
import { OwnInvitationService } from '../../zones/invitations/accepting/own-invitation.service.js';
import type { HomeDto, HomeFileDto, HomeZoneDto } from './home.dto.js';

const MAX_ZONES = 100;
const RECENT_FILES = 12;
/**
 * Maximum number of new files counted per zone. Larger counts aren't useful, and each row costs an index step.
 */
const MAX_NEW_FILES = 100;

interface ZoneRow extends Omit<HomeZoneDto, 'owner'> {
  readonly ownerFirstName: string | null;
  readonly ownerLastName: string | null;
  readonly ownerImage: string | null;
}

/** The home page of users who read other people's zones. */
@Injectable()
export class HomeService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly files: FileListService,
    private readonly invitations: OwnInvitationService,
  ) {}

  /** Returns the zones, recent files and open invitations of the home page. */
  async getHome(userId: number, language: Language): Promise<HomeDto> {
    const zones = await this.listZones(userId);
    return {
      zones,
      recentFiles: await this.listRecentFiles(zones),
      invitations: await this.invitations.listOpen(userId, language),
    };
  }

  /** The newest files are in the zones with the most recent uploads, each of which contributes at least one. */
  private async listRecentFiles(zones: readonly HomeZoneDto[]): Promise<HomeFileDto[]> {
    const zonesById = new Map(zones.slice(0, RECENT_FILES).map((zone) => [zone.id, zone]));
    const roles = new Map([...zonesById].map(([id, { memberRole }]) => [id, memberRole]));
    const files = await this.files.findLatest(roles, RECENT_FILES);
    return files.map((file) => ({ ...file, zoneName: zonesById.get(file.zoneId)!.name }));
  }

  /** Files that the user uploaded themselves don't count as new. New files are counted only for the zones listed. */
  private async listZones(userId: number): Promise<HomeZoneDto[]> {
    const { rows } = await sql<ZoneRow>`
      with shown as (
        select z.id, z.name, z.description, m.role, m.expires_at, coalesce(m.visited_at, m.created_at) as seen_at,
          l.created_at as last_file_at, o.first_name, o.last_name, o.profile_image_url
        from zone_members m join zones z on z.id = m.zone_id and z.deleted_at is null
        join users o on o.id = z.owner_id and o.deactivated_at is null
        left join lateral (
          select f.created_at from files f where f.zone_id = z.id and f.trashed_at is null
          order by f.created_at desc, f.id desc limit 1
        ) l on true
        where m.user_id = ${userId} and m.role <> 'owner'
          and (m.expires_at is null or m.expires_at > ${this.clock.now()})
        order by l.created_at desc nulls last, z.id desc limit ${MAX_ZONES}
      )
      select s.id, s.name, s.description, s.role as "memberRole", s.expires_at as "memberExpiresAt",
        s.last_file_at as "lastFileAt", n.count as "newFiles", s.first_name as "ownerFirstName",
        s.last_name as "ownerLastName", s.profile_image_url as "ownerImage"
      from shown s cross join lateral (
        select count(*) filter (where f.uploaded_by_id is distinct from ${userId})::int as count from (
          select f.uploaded_by_id from files f
          where f.zone_id = s.id and f.trashed_at is null and f.created_at > s.seen_at
          order by f.created_at desc, f.id desc limit ${MAX_NEW_FILES}
        ) f
      ) n order by s.last_file_at desc nulls last, s.id desc`.execute(query<typeof ZoneMemberSchema>(this.em));
    return rows.map(({ ownerFirstName, ownerLastName, ownerImage, ...zone }) => ({
      ...zone,
      owner: { name: fullName({ firstName: ownerFirstName, lastName: ownerLastName }), profileImageUrl: ownerImage },
    }));
  }
}
