import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import type { NamedUser } from '../auth/user.service.js';
import { ZoneMemberSchema, type JoinMethod, type ZoneRole } from './entities/zone-member.entity.js';
import { nameKeys } from './member-keys.js';
import type { MembershipZone } from './membership.port.js';

/** Tries of an admission that meets a membership which goes at the same moment. */
const TRIES = 3;

/** On what terms people come into a zone. */
export interface Terms {
  readonly zone: MembershipZone;
  readonly method: JoinMethod;
  readonly role?: Exclude<ZoneRole, 'owner'>;
  readonly invitedById?: number | null;
  readonly expiresAt?: Date | null;
  /** When a membership that is given back began; now when left out. */
  readonly joinedAt?: Date;
}

/** Who came in; `uncounted` are those of them whom the counts do not hold. */
export interface Entered {
  readonly joined: readonly NamedUser[];
  readonly uncounted: readonly NamedUser[];
}

interface PresentRow {
  readonly isExpired: boolean;
  readonly isCounted: boolean;
}

/** Writes memberships, a few statements for however many people; the counts are another's. */
@Injectable()
export class MembershipEntry {
  constructor(private readonly clock: Clock) {}

  /**
   * Writes a membership for each of the people who have none, in the caller's transaction; one that has expired begins
   * anew. Rows are touched in the order of the people, so that two who let in many wait for each other and do not deadlock.
   */
  async write(em: EntityManager, terms: Terms, users: readonly NamedUser[]): Promise<Entered> {
    const joined: NamedUser[] = [];
    const uncounted: NamedUser[] = [];
    let left = [...users].sort((a, b) => a.id - b.id);
    for (let tries = 0; left.length > 0 && tries < TRIES; tries++) {
      const inserted = await this.insert(em, terms, left);
      const present = await this.present(
        em,
        terms.zone.id,
        left.filter(({ id }) => !inserted.has(id)),
      );
      const again = left.filter(({ id }) => present.get(id)?.isExpired);
      await this.beginAnew(em, terms, again);
      const fresh = left.filter(({ id }) => inserted.has(id));
      joined.push(...fresh, ...again);
      uncounted.push(...fresh, ...again.filter(({ id }) => !present.get(id)!.isCounted));
      left = left.filter(({ id }) => !inserted.has(id) && !present.has(id));
    }
    return { joined, uncounted };
  }

  private async insert(em: EntityManager, terms: Terms, users: readonly NamedUser[]): Promise<Set<number>> {
    const people = users.map((user) => ({ id: user.id, email: user.email, ...nameKeys(user) }));
    const { role, method, invitedById, expiresAt, joinedAt } = this.settled(terms);
    const { rows } = await sql<{ id: number }>`
      insert into zone_members (zone_id, user_id, role, join_method, invited_by_id, expires_at, created_at, email,
        name_key, search_key)
      select ${terms.zone.id}::bigint, p.id, ${role}, ${method}, ${invitedById}::bigint, ${expiresAt}::timestamptz,
        ${joinedAt}::timestamptz, p.email, p.name_key, p.search_key
      from jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
        as p(id bigint, email text, name_key text, search_key text)
      order by p.id
      on conflict (zone_id, user_id) do nothing
      returning user_id as id`.execute(query<typeof ZoneMemberSchema>(em));
    return new Set(rows.map(({ id }) => Number(id)));
  }

  /** The rows that were there before, locked. One that is missing here has gone at this moment. */
  private async present(
    em: EntityManager,
    zoneId: number,
    users: readonly NamedUser[],
  ): Promise<Map<number, PresentRow>> {
    if (users.length === 0) return new Map();
    const rows = await query<typeof ZoneMemberSchema>(em)
      .selectFrom('zone_members')
      .select(['user_id', 'expires_at', 'is_counted'])
      .where('zone_id', '=', zoneId)
      .where(sql<boolean>`user_id = any(${users.map(({ id }) => id)}::bigint[])`)
      .orderBy('user_id')
      .forUpdate()
      .execute();
    const now = this.clock.now();
    const isExpired = (at: Date | string | null) => at !== null && new Date(at) <= now;
    return new Map(
      rows.map((row) => [row.user_id, { isExpired: isExpired(row.expires_at), isCounted: row.is_counted }]),
    );
  }

  private async beginAnew(em: EntityManager, terms: Terms, users: readonly NamedUser[]): Promise<void> {
    if (users.length === 0) return;
    const { role, method, invitedById, expiresAt, joinedAt } = this.settled(terms);
    await query<typeof ZoneMemberSchema>(em)
      .updateTable('zone_members')
      .set({ role, join_method: method, invited_by_id: invitedById, expires_at: expiresAt, created_at: joinedAt })
      .set({ is_counted: true })
      .where('zone_id', '=', terms.zone.id)
      .where(sql<boolean>`user_id = any(${users.map(({ id }) => id)}::bigint[])`)
      .execute();
  }

  private settled({ role = 'member', method, invitedById = null, expiresAt = null, joinedAt }: Terms) {
    return { role, method, invitedById, expiresAt, joinedAt: joinedAt ?? this.clock.now() };
  }
}
