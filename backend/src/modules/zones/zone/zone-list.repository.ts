import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { cachedQuery } from '../../../platform/database/cached-query.js';
import { prepared } from '../../../platform/database/prepared-queries.js';
import { query } from '../../../platform/database/query.js';
import { cursorTuple } from '../../../platform/http/lists/cursor.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import type { DefaultPlanSchema } from '../../plans/default/default-plan.entity.js';
import { hiddenCountsSql } from '../access/visible-files.sql.js';
import type { ZoneMemberSchema } from '../entities/zone-member.entity.js';
import type { ZoneStatsSchema } from '../entities/zone-stats.entity.js';
import type { ZoneSchema } from '../entities/zone.entity.js';

/** When the zone's own fields or its visible content last changed. */
const updatedAt = sql<Date>`greatest(z.updated_at, s.content_changed_at)`;

/** Condition on a membership with alias `m`: not removed from the person's list after its expiry. */
const isListed = sql<boolean>`(m.dismissed_at is null or m.expires_at is null or m.dismissed_at < m.expires_at)`;

type Tables =
  typeof ZoneSchema | typeof ZoneMemberSchema | typeof ZoneStatsSchema | typeof UserSchema | typeof DefaultPlanSchema;

/** A zone with the person's membership and the zone's counters, without the files that the person can't see. */
export type ZoneRow = Awaited<ReturnType<ReturnType<ZoneListRepository['zonesQuery']>['executeTakeFirstOrThrow']>>;

/** The zones that a person owns, or those of others in which the person is a member. */
export type ZoneListKind = 'owned' | 'shared';

interface FirstPageParams {
  readonly userId: number;
  readonly limit: number;
}

/** Reads zones as a person sees them. Deleted zones and those of deactivated owners are left out. */
@Injectable()
export class ZoneListRepository {
  private readonly firstPageQueries = {
    owned: cachedQuery(({ userId, limit }: FirstPageParams) => this.sortedQuery(userId, 'owned', limit)),
    shared: cachedQuery(({ userId, limit }: FirstPageParams) => this.sortedQuery(userId, 'shared', limit)),
  };

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Returns a zone of which the person is a member; throws otherwise. */
  getZone(zoneId: number, userId: number): Promise<ZoneRow> {
    return this.zonesQuery(userId).where('z.id', '=', zoneId).executeTakeFirstOrThrow();
  }

  /**
   * Returns up to `limit` zones, last changed first, including expired memberships that the person did not remove.
   * @throws VALIDATION_FAILED for an invalid cursor
   */
  async listZones(userId: number, kind: ZoneListKind, limit: number, cursor?: string): Promise<ZoneRow[]> {
    if (!cursor) {
      return (await query<Tables>(this.em).executeQuery(this.firstPageQueries[kind]({ userId, limit }))).rows;
    }
    return this.sortedQuery(userId, kind, limit)
      .where(sql<boolean>`(${updatedAt}, z.id) < ${cursorTuple(cursor, ['timestamptz', 'bigint'])}`)
      .execute();
  }

  /** Counts the zones that `listZones` returns. */
  async countListedZones(userId: number, kind: ZoneListKind): Promise<number> {
    const { total } = await this.membershipsQuery(userId)
      .select(sql<string>`count(*)`.as('total'))
      .where('m.role', kind === 'owned' ? '=' : '!=', 'owner')
      .where(isListed)
      .executeTakeFirstOrThrow();
    return Number(total);
  }

  /**
   * Returns how many zones the person owns, and in how many of others the person is a member, without expired
   * memberships.
   */
  async countZones(userId: number): Promise<Record<ZoneListKind, number>> {
    const { owned, shared } = await this.membershipsQuery(userId)
      .select(sql<string>`count(*) filter (where m.role = 'owner')`.as('owned'))
      .select(
        sql<string>`count(*) filter (where m.role <> 'owner'
          and (m.expires_at is null or m.expires_at > ${this.clock.now()}))`.as('shared'),
      )
      .executeTakeFirstOrThrow();
    return { owned: Number(owned), shared: Number(shared) };
  }

  private sortedQuery(userId: number, kind: ZoneListKind, limit: number) {
    return this.zonesQuery(userId)
      .where('m.role', kind === 'owned' ? '=' : '!=', 'owner')
      .where(isListed)
      .orderBy(updatedAt, 'desc')
      .orderBy('z.id', 'desc')
      .limit(limit);
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
      .innerJoinLateral(
        hiddenCountsSql(sql.ref('m.zone_id'), sql.ref('m.user_id'), sql`m.role = 'member'`).as('h'),
        (on) => on.onTrue(),
      )
      .select(['z.id as id', 'z.name as name', 'z.description as description', 'z.owner_id as ownerId'])
      .select(['z.type as type', 'z.is_active as isActive', 'z.auto_join as autoJoin', 'z.public_link as publicLink'])
      .select(['z.requires_email_optin as requiresEmailOptin', 'z.created_at as createdAt', updatedAt.as('updatedAt')])
      .select(['z.version as version', 'z.show_files as showFiles'])
      .select(['z.versions_kept as versionsKept', 'z.versions_days as versionsDays'])
      .select('z.records_reading as recordsReading')
      .select(['s.folders as folderCount', 's.members as memberCount'])
      .select(sql<number>`s.files - h.files`.as('fileCount'))
      .select(sql<number>`s.bytes - h.bytes`.as('totalBytes'))
      .select(['o.plan as ownerPlan', 'o.is_super_admin as isOwnerSuperAdmin'])
      .select((row) => row.selectFrom('default_plan').select('default_plan.plan').as('defaultPlan'))
      .select(['m.role as memberRole', 'm.is_favorite as isFavorite', 'm.expires_at as memberExpiresAt'])
      .where('m.user_id', '=', userId)
      .where('z.deleted_at', 'is', null)
      .where('o.deactivated_at', 'is', null);
  }
}
