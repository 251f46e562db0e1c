import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { isForeignKeyViolation } from '../../../platform/database/constraint-violations.js';
import { readInBatches } from '../../../platform/database/in-batches.js';
import { query } from '../../../platform/database/query.js';
import type { GeoLocation } from '../../../platform/http/networks/geo-ip.service.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import type { ZoneMemberSchema } from '../../zones/entities/zone-member.entity.js';
import type { LinkUsageSchema } from '../entities/link-usage.entity.js';

type Tables = typeof LinkUsageSchema | typeof ZoneMemberSchema | typeof UserSchema;

/** The person who joined through an attempt. */
export interface JoinedUser {
  readonly userId: number;
  readonly wasNewUser: boolean;
}

export interface NewLinkUsage {
  readonly zoneId: number;
  /** Null for the public link. */
  readonly linkId: number | null;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly location: GeoLocation;
  readonly outcome: string;
  /** Null unless the attempt led to a membership. */
  readonly joined: JoinedUser | null;
}

/** An attempt with the name and address of the person who joined. */
export interface LinkUsageRow {
  readonly id: number;
  readonly attemptedAt: Date;
  readonly outcome: string;
  readonly joinedAt: Date | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly userEmail: string | null;
  readonly wasNewUser: boolean;
  readonly country: string | null;
  readonly city: string | null;
}

/** Attempts to join by links. */
@Injectable()
export class LinkUsageRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

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

  /** @returns the new attempt's id */
  async insertUsage(em: EntityManager, usage: NewLinkUsage): Promise<number> {
    const { zoneId, linkId, ipAddress, userAgent, location, outcome, joined } = usage;
    const { id } = await query<Tables>(em)
      .insertInto('link_usages')
      .values({
        zone_id: zoneId,
        link_id: linkId,
        ip_address: ipAddress,
        ...location,
        outcome,
        ...(joined && { user_id: joined.userId, was_new_user: joined.wasNewUser, joined_at: this.clock.now() }),
        user_agent: userAgent?.slice(0, 300) ?? null,
        attempted_at: this.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return Number(id);
  }

  /** @returns false if the link or its zone was deleted in the meantime, together with its attempts */
  async insertUsageIfLinkExists(em: EntityManager, usage: NewLinkUsage): Promise<boolean> {
    try {
      await this.insertUsage(em, usage);
      return true;
    } catch (error) {
      if (isForeignKeyViolation(error)) return false;
      throw error;
    }
  }

  /** Records on an earlier attempt that the person has joined. */
  async updateJoined(em: EntityManager, id: number, { userId, wasNewUser }: JoinedUser): Promise<void> {
    await query<Tables>(em)
      .updateTable('link_usages')
      .set({ outcome: 'joined', user_id: userId, was_new_user: wasNewUser, joined_at: this.clock.now() })
      .where('id', '=', id)
      .execute();
  }

  /** Records on an earlier attempt an outcome other than a membership. */
  async updateOutcome(em: EntityManager, id: number, outcome: string): Promise<void> {
    await query<Tables>(em)
      .updateTable('link_usages')
      .set({ outcome })
      .where('id', '=', id)
      .where('joined_at', 'is', null)
      .execute();
  }

  /**
   * Erases the IP addresses and user agents of up to `limit` attempts made until an instant; the country is kept.
   * @returns how many; fewer than `limit` if none is left
   */
  async eraseVisitorDetails(until: Date, limit: number): Promise<number> {
    const old = query<Tables>(this.em)
      .selectFrom('link_usages')
      .select('id')
      .where('attempted_at', '<=', until)
      .where('ip_address', 'is not', null)
      .limit(limit);
    const { numUpdatedRows } = await query<Tables>(this.em)
      .updateTable('link_usages')
      .set({ ip_address: null, user_agent: null })
      .where('id', 'in', old)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  }

  /**
   * Streams all attempts of a link, oldest first.
   * @param linkId null for the public link
   */
  streamUsages(zoneId: number, linkId: number | null): AsyncGenerator<LinkUsageRow> {
    return readInBatches((last: LinkUsageRow | null, limit) => {
      const rows = query<Tables>(this.em)
        .selectFrom('link_usages as u')
        .leftJoin('users as p', 'p.id', 'u.user_id')
        .select(['u.id as id', 'u.attempted_at as attemptedAt', 'u.outcome as outcome', 'u.joined_at as joinedAt'])
        .select(['p.first_name as firstName', 'p.last_name as lastName', 'p.email as userEmail'])
        .select(['u.was_new_user as wasNewUser', 'u.country as country', 'u.city as city'])
        .where('u.zone_id', '=', zoneId)
        .where('u.link_id', linkId === null ? 'is' : '=', linkId)
        .orderBy('u.attempted_at')
        .orderBy('u.id')
        .limit(limit);
      const next = last
        ? rows.where(sql<boolean>`(u.attempted_at, u.id) > (${last.attemptedAt}::timestamptz, ${last.id}::bigint)`)
        : rows;
      return next.execute().then((found) =>
        found.map((row) => ({
          ...row,
          id: Number(row.id),
          attemptedAt: new Date(row.attemptedAt),
          joinedAt: row.joinedAt === null ? null : new Date(row.joinedAt),
        })),
      );
    });
  }
}
