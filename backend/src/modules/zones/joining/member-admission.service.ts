import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import { ActivityService } from '../../activity/activity.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import type { NamedUser } from '../../auth/users/user.service.js';
import { ConsentService, type Consent } from '../consent/consent.service.js';
import { nameKeys, ZoneMemberSchema, type JoinMethod, type ZoneRole } from '../entities/zone-member.entity.js';
import { ZoneSchema, type ZoneType } from '../entities/zone.entity.js';
import { KeptOut } from '../kept-out/kept-out.service.js';
import { InvitationPlaces } from '../invitations/invitation-places.service.js';
import { AudienceService } from '../members/audience.service.js';
import { zoneErrors } from '../zones.errors.js';
import type { MembershipZone } from '../zones.events.js';

type Tables = typeof ZoneMemberSchema | typeof ZoneSchema;

/** Tries of an admission that meets a membership which goes at the same moment. */
const TRIES = 3;

export type { Consent } from '../consent/consent.service.js';

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

export interface Admission extends Terms {
  readonly user: NamedUser;
  /** null when the person joins without agreeing to mails. */
  readonly consent: Consent | null;
  /** True when the caller's transaction has locked the zone, as `lockZone` does: it is not asked again then. */
  readonly isZoneLocked?: boolean;
  /**
   * What else is written of a new membership, in its transaction; not called for who is in the zone already. Here and not
   * after `admit`, because the counts, which come last, stay locked until the commit.
   */
  readonly alsoWrite?: (em: EntityManager) => Promise<void>;
}

export interface Admissions extends Terms {
  readonly users: readonly NamedUser[];
  /** What the owner declares; what a person agreed to by themselves before stands. */
  readonly declared: Consent;
}

/** Who came in, those of them whom the counts do not hold, and the addresses whose open invitations are used up by it. */
interface Entered {
  readonly joined: readonly NamedUser[];
  readonly uncounted: readonly NamedUser[];
  readonly invited: readonly string[];
}

interface PresentRow {
  readonly isExpired: boolean;
  readonly isCounted: boolean;
}

/** The one way into a zone: links, invitations, imports, purchases and approvals all end here. */
@Injectable()
export class MemberAdmission {
  constructor(
    private readonly clock: Clock,
    private readonly activity: ActivityService,
    private readonly consents: ConsentService,
    private readonly audience: AudienceService,
    private readonly invitations: InvitationPlaces,
    private readonly events: EventBus,
    private readonly keptOut: KeptOut,
  ) {}

  /**
   * Lets a person into a zone, in the caller's transaction. Writes the membership, the consent, the counts of the
   * zone, the owner's audience and, last, what the owner uses of the plan: a person in several zones counts once. A
   * membership that has expired begins anew. A given consent ends an unsubscribe. An open invitation of the person is
   * used up, and its place becomes the member's.
   * @returns false when the person is in the zone already; only a given consent is noted then
   * @throws PLAN_LIMIT of the owner; who is not the owner must be told ZONE_FULL
   * @throws ZONE_NOT_FOUND when the zone is being deleted
   */
  async admit(em: EntityManager, admission: Admission): Promise<boolean> {
    const { zone, user, consent, isZoneLocked = false } = admission;
    if (!isZoneLocked && !(await this.lockZone(em, zone.id))) throw zoneErrors.ZONE_NOT_FOUND();
    const entry = await this.enter(em, admission, [user]);
    if (consent) await this.consents.record(em, zone.id, user, consent);
    if (entry.joined.length > 0) await admission.alsoWrite?.(em);
    await this.settle(em, admission, entry);
    return entry.joined.length > 0;
  }

  /**
   * Lets many people in whom the owner has named, in the caller's transaction, with a few statements for all of them.
   * @returns the ids of those who were not in the zone before
   * @throws PLAN_LIMIT when not all who need a place of the plan have one, ZONE_NOT_FOUND
   */
  async admitMany(em: EntityManager, admissions: Admissions): Promise<Set<number>> {
    const { zone, users, declared } = admissions;
    if (users.length === 0) return new Set();
    if (!(await this.lockZone(em, zone.id))) throw zoneErrors.ZONE_NOT_FOUND();
    await this.keptOut.lockForMany(em, zone.id);
    const all = users.map(({ id }) => id);
    await this.keptOut.forgetRequests(em, zone.id, all);
    const entry = await this.enter(em, admissions, users);
    const ids = entry.joined.map(({ id }) => id);
    await this.consents.declare(em, zone.id, ids, declared);
    await this.settle(em, admissions, entry);
    return new Set(ids);
  }

  /** Writes the owner's own row, which counts neither as a member nor as a person of the audience. */
  async admitOwner(em: EntityManager, zoneId: number, owner: User): Promise<void> {
    await query<Tables>(em)
      .insertInto('zone_members')
      .values({
        zone_id: zoneId,
        user_id: owner.id,
        role: 'owner',
        join_method: 'owner',
        email: owner.email,
        ...nameKeys(owner),
        created_at: this.clock.now(),
      })
      .execute();
  }

  /** True while the person is in the zone and the membership has not expired. */
  async isMember(em: EntityManager, zoneId: number, userId: number): Promise<boolean> {
    const row = await query<Tables>(em)
      .selectFrom('zone_members')
      .select('id')
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', this.clock.now())]))
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * The zone, kept from being deleted until the commit: a deletion takes its members out of the counts, and who comes
   * or goes meanwhile would be counted wrongly. null when it is deleted already.
   */
  async lockZone(em: EntityManager, zoneId: number): Promise<(MembershipZone & { type: ZoneType }) | null> {
    const zone = await query<Tables>(em)
      .selectFrom('zones')
      .select(['id', 'owner_id as ownerId', 'name', 'type'])
      .where('id', '=', zoneId)
      .where('deleted_at', 'is', null)
      .forShare()
      .executeTakeFirst();
    return zone ?? null;
  }

  /** Ends the invitations of the people, writes the memberships, and keeps out no more who comes in. */
  private async enter(em: EntityManager, terms: Terms, users: readonly NamedUser[]): Promise<Entered> {
    const emails = users.map(({ email }) => email);
    const invited = await this.invitations.settle(em, terms.zone.id, emails);
    const entered = await this.write(em, terms, users);
    const joined = entered.joined.map(({ id }) => id);
    if (joined.length > 0) await this.keptOut.lift(em, terms.zone.id, joined);
    return { ...entered, invited };
  }

  /** What follows from people having come in: the record, what other modules do, and last the counts. */
  private async settle(em: EntityManager, { zone, method }: Terms, entry: Entered): Promise<void> {
    const { joined, uncounted, invited } = entry;
    const userIds = joined.map(({ id }) => id);
    if (joined.length > 0) await this.events.tell(em, 'zone.membersJoined', { zone, userIds, method });
    const told = userIds.map((userId) => ({
      type: 'member.joined' as const,
      ...{ ownerId: zone.ownerId, zoneId: zone.id, userId, params: { zoneName: zone.name } },
    }));
    if (uncounted.length > 0) {
      return this.audience.countIn(em, zone, uncounted, { invited, record: this.activity.recording(...told) });
    }
    await this.activity.record(em, ...told);
    await this.invitations.release(em, zone.ownerId, invited);
  }

  /**
   * Writes a membership for each of the people who have none, in the caller's transaction; one that has expired begins
   * anew. Rows are touched in the order of the people, so that two who let in many wait for each other and do not deadlock.
   */
  private async write(em: EntityManager, terms: Terms, users: readonly NamedUser[]) {
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
      returning user_id as id`.execute(query<Tables>(em));
    return new Set(rows.map(({ id }) => Number(id)));
  }

  /** The rows that were there before, locked. One that is missing here has gone at this moment. */
  private async present(em: EntityManager, zoneId: number, users: readonly NamedUser[]) {
    if (users.length === 0) return new Map<number, PresentRow>();
    const rows = await query<Tables>(em)
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
    await query<Tables>(em)
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
