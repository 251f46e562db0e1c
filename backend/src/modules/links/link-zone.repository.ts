import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import type { UserSchema } from '../auth/entities/user.entity.js';
import type { ZoneMemberSchema } from '../zones/entities/zone-member.entity.js';
import type { ZoneStatsSchema } from '../zones/entities/zone-stats.entity.js';
import type { Zone, ZoneSchema } from '../zones/entities/zone.entity.js';
import type { FirstFileDto } from './dto/join.dto.js';
import type { UsedLink } from './link.policy.js';

type Tables = typeof ZoneSchema | typeof ZoneStatsSchema | typeof ZoneMemberSchema | typeof UserSchema;

export type ShownZone = NonNullable<Awaited<ReturnType<LinkZoneRepository['findShownZone']>>>;

/** The zone that people join by a link. */
export type LinkedZone = Pick<Zone, 'id' | 'name' | 'ownerId' | 'autoJoin' | 'requiresEmailOptin'>;

/** Status of a person in a zone: member, request pending (or silently declined), or neither. */
export type MembershipStatus = 'in' | 'asked' | 'out';

/** What links read of zones and their members, and the locks that joins by links take on zones. */
@Injectable()
export class LinkZoneRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Returns the zone of a public link if the zone is public and active and its owner is active. */
  async findPublicZone(publicLink: string): Promise<ShownZone | null> {
    const row = await this.shownZonesQuery()
      .where('z.public_link', '=', publicLink)
      .where('z.type', '=', 'public')
      .where('z.is_active', '=', true)
      .where('o.deactivated_at', 'is', null)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns a zone as its link shows it. */
  async findShownZone(zoneId: number) {
    const row = await this.shownZonesQuery().where('z.id', '=', zoneId).executeTakeFirst();
    return row ?? null;
  }

  /** Returns the active zone of a link. A replaced public link and a link of the other kind have none. */
  async findLinkedZone(link: UsedLink): Promise<LinkedZone | null> {
    return (await this.linkedZoneQuery(this.em, link).executeTakeFirst()) ?? null;
  }

  /** Like `findLinkedZone`; locks the zone's type, link and existence until the end of the transaction. */
  async lockLinkedZone(em: EntityManager, link: UsedLink): Promise<LinkedZone | null> {
    return (await this.linkedZoneQuery(em, link).forShare().executeTakeFirst()) ?? null;
  }

  async findMembershipStatus(zoneId: number, email: string): Promise<MembershipStatus> {
    const { rows } = await sql<{ standing: MembershipStatus }>`
      select case
        when exists (select from zone_members where zone_id = ${zoneId} and email = ${email}
          and (expires_at is null or expires_at > ${this.clock.now()})) then 'in'
        when exists (select from join_requests r join users u on u.id = r.user_id
          where r.zone_id = ${zoneId} and u.email = ${email}) then 'asked'
        else 'out' end as standing`.execute(query<Tables>(this.em));
    return rows[0]!.standing;
  }

  /** Returns whether the owner or an admin of the zone has this address. */
  async isManager(em: EntityManager, zoneId: number, email: string): Promise<boolean> {
    const member = await query<Tables>(em)
      .selectFrom('zone_members')
      .select('role')
      .where('zone_id', '=', zoneId)
      .where('email', '=', email)
      .where('role', 'in', ['owner', 'admin'])
      .executeTakeFirst();
    return member !== undefined;
  }

  /**
   * Returns up to `limit` files at the zone's root by name, or folders if there are no files. Mirrors are left out,
   * because their source zone may not allow showing names.
   */
  async findFirstFiles(zoneId: number, limit: number): Promise<FirstFileDto[]> {
    const { rows } = await sql<FirstFileDto>`
      with first as (
        select original_name as name, mime_type as "mimeType" from files
        where zone_id = ${zoneId} and folder_id is null and trashed_at is null
        order by original_name, id limit ${limit}
      )
      select name, "mimeType" from first
      union all
      (select f.name, null from folders f
        where f.zone_id = ${zoneId} and f.parent_id is null and f.trashed_at is null and not exists (select from first)
          and not exists (select from folder_mirrors m where m.target_folder_id = f.id)
        order by f.name, f.id limit ${limit})`.execute(query(this.em));
    return rows;
  }

  /** Columns that links show of existing zones. */
  private shownZonesQuery() {
    return query<Tables>(this.em)
      .selectFrom('zones as z')
      .innerJoin('zone_stats as s', 's.zone_id', 'z.id')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .select(['z.id as id', 'z.owner_id as ownerId', 'z.name as name', 'z.description as description'])
      .select([
        'z.public_link as publicLink',
        'z.auto_join as autoJoin',
        'z.requires_email_optin as requiresEmailOptin',
        'z.show_files as showFiles',
      ])
      .select(['s.files as fileCount', 's.members as memberCount'])
      .select(['o.first_name as ownerFirstName', 'o.last_name as ownerLastName', 'o.language as ownerLanguage'])
      .where('z.deleted_at', 'is', null);
  }

  private linkedZoneQuery(em: EntityManager, { zoneId, linkId, publicLink }: UsedLink) {
    const zones = query<Tables>(em)
      .selectFrom('zones')
      .select(['id', 'name', 'owner_id as ownerId', 'auto_join as autoJoin'])
      .select('requires_email_optin as requiresEmailOptin')
      .where('id', '=', zoneId)
      .where('deleted_at', 'is', null)
      .where('is_active', '=', true);
    if (linkId !== null) return zones.where('type', '=', 'private');
    return zones.where('public_link', '=', publicLink);
  }
}
