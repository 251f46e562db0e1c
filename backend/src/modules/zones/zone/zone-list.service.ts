import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { cachedQuery } from '../../../platform/database/cached-query.js';
import { prepared } from '../../../platform/database/prepared-queries.js';
import { query } from '../../../platform/database/query.js';
import { cursorTuple } from '../../../platform/http/lists/cursor.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import type { ZoneDto } from '../dto/zone.dto.js';
import { ZoneMemberSchema } from '../entities/zone-member.entity.js';
import { ZoneStatsSchema } from '../entities/zone-stats.entity.js';
import { ZoneSchema } from '../entities/zone.entity.js';
import { zoneErrors } from '../zones.errors.js';
import { zoneAbilities } from '../access/zone.policy.js';

/** When the zone's own fields or its visible content last changed. */
const updatedAt = sql<Date>`greatest(z.updated_at, s.content_changed_at)`;

/** Condition on a membership with alias `m`: not removed from the person's list after its expiry. */
const isListed = sql<boolean>`(m.dismissed_at is null or m.expires_at is null or m.dismissed_at < m.expires_at)`;

type Tables = typeof ZoneSchema | typeof ZoneMemberSchema | typeof ZoneStatsSchema | typeof UserSchema;

/** Lists zones for display, with one query per list. */
@Injectable()
export class ZoneListService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  private readonly firstOwnedQuery = cachedQuery(({ userId, rows }: FirstPageParams) =>
    this.sortedQuery(userId, true, rows),
  );
  private readonly firstSharedQuery = cachedQuery(({ userId, rows }: FirstPageParams) =>
    this.sortedQuery(userId, false, rows),
  );

  /** Lists the zones that the person owns, last changed first. */
  listOwned(userId: number, page: ListQueryDto): Promise<Page<ZoneDto>> {
    return this.listZones(userId, true, page);
  }

  /** Lists the zones of others in which the person is a member, including expired memberships. */
  listShared(userId: number, page: ListQueryDto): Promise<Page<ZoneDto>> {
    return this.listZones(userId, false, page);
  }

  /**
   * Removes a zone from the person's list of shared zones after the membership expired; a later membership shows it
   * again.
   * @throws ZONE_NOT_FOUND if there is no expired membership
   */
  async dismissExpired(zoneId: number, userId: number): Promise<void> {
    await this.setDismissedAt(zoneId, userId, this.clock.now());
  }

  /**
   * Shows a zone again in the person's list of shared zones after `dismissExpired`.
   * @throws ZONE_NOT_FOUND if there is no expired membership
   */
  async restoreDismissed(zoneId: number, userId: number): Promise<void> {
    await this.setDismissedAt(zoneId, userId, null);
  }

  private async setDismissedAt(zoneId: number, userId: number, dismissedAt: Date | null): Promise<void> {
    const updated = await query<Tables>(this.em)
      .updateTable('zone_members')
      .set({ dismissed_at: dismissedAt })
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .where('role', '<>', 'owner')
      .where('expires_at', '<=', this.clock.now())
      .executeTakeFirst();
    if (updated.numUpdatedRows === 0n) throw zoneErrors.ZONE_NOT_FOUND();
  }

  /** Returns a zone as the person sees it. The caller has checked the membership. */
  async findOne(zoneId: number, userId: number): Promise<ZoneDto> {
    return toZone(await this.zonesQuery(userId).where('z.id', '=', zoneId).executeTakeFirstOrThrow());
  }

  /**
   * Returns how many zones the person owns, and in how many of others the person is a member, without expired
   * memberships.
   */
  async countZones(userId: number): Promise<{ owned: number; shared: number }> {
    const { owned, shared } = await this.membershipsQuery(userId)
      .select(sql<string>`count(*) filter (where m.role = 'owner')`.as('owned'))
      .select(
        sql<string>`count(*) filter (where m.role <> 'owner'
          and (m.expires_at is null or m.expires_at > ${this.clock.now()}))`.as('shared'),
      )
      .executeTakeFirstOrThrow();
    return { owned: Number(owned), shared: Number(shared) };
  }

  private async listZones(
    userId: number,
    owned: boolean,
    { limit = LIST_LIMIT, cursor }: ListQueryDto,
  ): Promise<Page<ZoneDto>> {
    const found = cursor
      ? await this.afterCursor(cursor, this.sortedQuery(userId, owned, limit + 1)).execute()
      : await this.fetchFirstPage(userId, owned, limit + 1);
    const isComplete = cursor === undefined && found.length <= limit;
    const total = isComplete ? found.length : await this.countListed(userId, owned);
    const page = toPage(found, limit, total, (zone) => [zone.updatedAt.toISOString(), zone.id]);
    const now = this.clock.now();
    return { ...page, items: page.items.map((row) => (isExpired(row, now) ? toExpiredZone(row) : toZone(row))) };
  }

  private async fetchFirstPage(userId: number, owned: boolean, rows: number): Promise<Row[]> {
    const compiled = (owned ? this.firstOwnedQuery : this.firstSharedQuery)({ userId, rows });
    return (await query<Tables>(this.em).executeQuery(compiled)).rows;
  }

  private afterCursor(cursor: string, rows: ReturnType<ZoneListService['sortedQuery']>) {
    return rows.where(sql<boolean>`(${updatedAt}, z.id) < ${cursorTuple(cursor, ['timestamptz', 'bigint'])}`);
  }

  private sortedQuery(userId: number, owned: boolean, rows: number) {
    return this.zonesQuery(userId)
      .where('m.role', owned ? '=' : '!=', 'owner')
      .where(isListed)
      .orderBy(updatedAt, 'desc')
      .orderBy('z.id', 'desc')
      .limit(rows);
  }

  private async countListed(userId: number, owned: boolean): Promise<number> {
    const { total } = await this.membershipsQuery(userId)
      .select(sql<string>`count(*)`.as('total'))
      .where('m.role', owned ? '=' : '!=', 'owner')
      .where(isListed)
      .executeTakeFirstOrThrow();
    return Number(total);
  }

  private membershipsQuery(userId: number) {
    return query<Tables>(this.em)
      .selectFrom('zone_members as m')
      .innerJoin('zones as z', 'z.id', 'm.zone_id')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .where('m.user_id', '=', userId)
      .where('z.deleted_at', 'is', null)
      .where('o.deactivated_at', 'is', null);
  }

  private zonesQuery(userId: number) {
    return query<Tables>(this.em)
      .selectFrom('zone_members as m')
      .modifyFront(prepared)
      .innerJoin('zones as z', 'z.id', 'm.zone_id')
      .innerJoin('zone_stats as s', 's.zone_id', 'z.id')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .select(['z.id as id', 'z.name as name', 'z.description as description', 'z.owner_id as ownerId'])
      .select(['z.type as type', 'z.is_active as isActive', 'z.auto_join as autoJoin', 'z.public_link as publicLink'])
      .select(['z.requires_email_optin as requiresEmailOptin', 'z.created_at as createdAt', updatedAt.as('updatedAt')])
      .select(['z.version as version', 'z.show_files as showFiles'])
      .select(['s.files as fileCount', 's.folders as folderCount', 's.members as memberCount'])
      .select('s.bytes as totalBytes')
      .select(['m.role as memberRole', 'm.is_favorite as isFavorite', 'm.expires_at as memberExpiresAt'])
      .where('m.user_id', '=', userId)
      .where('z.deleted_at', 'is', null)
      .where('o.deactivated_at', 'is', null);
  }
}

interface FirstPageParams {
  readonly userId: number;
  readonly rows: number;
}

type Row = Awaited<ReturnType<ReturnType<ZoneListService['zonesQuery']>['executeTakeFirstOrThrow']>>;

const isExpired = ({ memberExpiresAt }: Row, now: Date): boolean => memberExpiresAt !== null && memberExpiresAt <= now;

/** After the membership expired, the person sees which zone it was, but not what it says and contains since then. */
function toExpiredZone(row: Row): ZoneDto {
  return {
    ...toZone(row),
    description: '',
    ...{ fileCount: 0, folderCount: 0, totalBytes: 0, memberCount: 0 },
    updatedAt: row.memberExpiresAt!,
    can: zoneAbilities(null),
  };
}

function toZone(row: Row): ZoneDto {
  const can = zoneAbilities(row.memberRole);
  return {
    ...row,
    isPrivate: row.type === 'private',
    isOwner: row.memberRole === 'owner',
    publicLink: can.share ? row.publicLink : null,
    can,
  };
}
