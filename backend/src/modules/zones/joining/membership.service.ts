import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { ActivityRepository } from '../../activity/activity.repository.js';
import type { User } from '../../auth/entities/user.entity.js';
import type { NamedUser } from '../../auth/users/user.repository.js';
import { ConsentService, type Consent } from '../consent/consent.service.js';
import { memberSortKeys, ZoneMemberSchema, type JoinMethod, type ZoneRole } from '../entities/zone-member.entity.js';
import { ZoneSchema, type ZoneType } from '../entities/zone.entity.js';
import { MembershipRestrictionService } from '../restrictions/membership-restriction.service.js';
import { InvitationQuotaService } from '../invitations/invitation-quota.service.js';
import { AudienceService } from '../members/audience.service.js';
import { zoneErrors } from '../zones.errors.js';
import type { MembershipZone } from '../zones.events.js';

type Tables = typeof ZoneMemberSchema | typeof ZoneSchema;

/** Attempts for a membership that conflicts with one being deleted concurrently. */
const MAX_ATTEMPTS = 3;

export type { Consent } from '../consent/consent.service.js';

/** Terms on which people join a zone. */
export interface MembershipOptions {
  readonly zone: MembershipZone;
  readonly method: JoinMethod;
  readonly role?: Exclude<ZoneRole, 'owner'>;
  readonly invitedById?: number | null;
  readonly expiresAt?: Date | null;
  /** Start of a restored membership; now if omitted. */
  readonly joinedAt?: Date;
}

export interface AddMemberOptions extends MembershipOptions {
  readonly user: NamedUser;
  /** Null if the person joins without consenting to emails. */
  readonly consent: Consent | null;
  /** True if the caller's transaction already locked the zone with `lockZone`; it is not locked again then. */
  readonly isZoneLocked?: boolean;
  /**
   * Called in the same transaction for a new membership; not called for existing members. Not done after `addMember`,
   * because the counters are updated last and stay locked until the commit.
   */
  readonly onMemberAdded?: (em: EntityManager) => Promise<void>;
}

export interface AddMembersOptions extends MembershipOptions {
  readonly users: readonly NamedUser[];
  /** The consent declared by the owner. Consents that people gave themselves take precedence. */
  readonly declaredConsent: Consent;
}

/**
 * Who joined, those of them not yet included in the counters, and the addresses whose open invitations were used up.
 */
interface AddMembersResult {
  readonly joined: readonly NamedUser[];
  readonly notYetCountedMembers: readonly NamedUser[];
  readonly invitedEmails: readonly string[];
}

interface ExistingMembership {
  readonly isExpired: boolean;
  readonly isCounted: boolean;
}

/** Adds people to zones. All ways of joining end here: links, invitations, imports, purchases and approvals. */
@Injectable()
export class MembershipService {
  constructor(
    private readonly clock: Clock,
    private readonly activity: ActivityRepository,
    private readonly consents: ConsentService,
    private readonly audience: AudienceService,
    private readonly invitationQuota: InvitationQuotaService,
    private readonly events: EventBus,
    private readonly membershipRestriction: MembershipRestrictionService,
  ) {}

  /**
   * Adds a person to a zone, in the caller's transaction. Writes the membership, the consent, the zone's counters, the
   * owner's audience and, last, the owner's plan usage. A person in several zones of an owner counts once. An expired
   * membership is reactivated. A given consent removes an unsubscribe. An open invitation of the person is used up and
   * its quota passes to the membership.
   * @returns false if the person is already a member; then only a given consent is recorded
   * @throws PLAN_LIMIT of the owner; for everyone else the caller must convert it to ZONE_FULL
   * @throws ZONE_NOT_FOUND if the zone is being deleted
   */
  async addMember(em: EntityManager, options: AddMemberOptions): Promise<boolean> {
    const { zone, user, consent, isZoneLocked = false } = options;
    if (!isZoneLocked && !(await this.lockZone(em, zone.id))) throw zoneErrors.ZONE_NOT_FOUND();
    const result = await this.insertAndAcceptInvitations(em, options, [user]);
    if (consent) await this.consents.recordConsent(em, zone.id, user, consent);
    if (result.joined.length > 0) await options.onMemberAdded?.(em);
    await this.recordJoinedMembers(em, options, result);
    return result.joined.length > 0;
  }

  /**
   * Adds many people named by the owner, in the caller's transaction, with a few statements for all of them.
   * @returns the ids of those who were not members before
   * @throws PLAN_LIMIT if the plan does not have quota for all of them; ZONE_NOT_FOUND
   */
  async addMembers(em: EntityManager, options: AddMembersOptions): Promise<Set<number>> {
    const { zone, users, declaredConsent } = options;
    if (users.length === 0) return new Set();
    if (!(await this.lockZone(em, zone.id))) throw zoneErrors.ZONE_NOT_FOUND();
    await this.membershipRestriction.lockZoneForBulkInsert(em, zone.id);
    const all = users.map(({ id }) => id);
    await this.membershipRestriction.deleteJoinRequests(em, zone.id, all);
    const result = await this.insertAndAcceptInvitations(em, options, users);
    const ids = result.joined.map(({ id }) => id);
    await this.consents.recordDeclaredConsents(em, zone.id, ids, declaredConsent);
    await this.recordJoinedMembers(em, options, result);
    return new Set(ids);
  }

  /** Inserts the owner's own membership, which counts neither as a member nor in the audience. */
  async addOwner(em: EntityManager, zoneId: number, owner: User): Promise<void> {
    await query<Tables>(em)
      .insertInto('zone_members')
      .values({
        zone_id: zoneId,
        user_id: owner.id,
        role: 'owner',
        join_method: 'owner',
        email: owner.email,
        ...memberSortKeys(owner),
        created_at: this.clock.now(),
      })
      .execute();
  }

  /** Whether the person is a member and the membership has not expired. */
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
   * Locks a zone against deletion until the commit. A deletion removes its members from the counters, so members who
   * join or leave meanwhile would be miscounted.
   * @returns null if the zone is already deleted
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

  /** Uses up open invitations, writes the memberships and clears restrictions of those who joined. */
  private async insertAndAcceptInvitations(
    em: EntityManager,
    terms: MembershipOptions,
    users: readonly NamedUser[],
  ): Promise<AddMembersResult> {
    const emails = users.map(({ email }) => email);
    const invited = await this.invitationQuota.acceptOpenInvitations(em, terms.zone.id, emails);
    const result = await this.upsertMemberships(em, terms, users);
    const joined = result.joined.map(({ id }) => id);
    if (joined.length > 0) await this.membershipRestriction.clearRestriction(em, terms.zone.id, joined);
    return { ...result, invitedEmails: invited };
  }

  /** Handles the consequences of joining: activity log, events and, last, the counters. */
  private async recordJoinedMembers(
    em: EntityManager,
    { zone, method }: MembershipOptions,
    result: AddMembersResult,
  ): Promise<void> {
    const { joined, notYetCountedMembers, invitedEmails } = result;
    const userIds = joined.map(({ id }) => id);
    if (joined.length > 0) await this.events.emit(em, 'zone.membersJoined', { zone, userIds, method });
    const activityEntries = userIds.map((userId) => ({
      type: 'member.joined' as const,
      ownerId: zone.ownerId,
      zoneId: zone.id,
      userId,
      params: { zoneName: zone.name },
    }));
    if (notYetCountedMembers.length > 0) {
      return this.audience.addPeople(em, zone, notYetCountedMembers, {
        invitedEmails,
        record: this.activity.insertSql(activityEntries),
      });
    }
    await this.activity.insertEntries(em, activityEntries);
    await this.invitationQuota.releaseInvitations(em, zone.ownerId, invitedEmails);
  }

  /**
   * Inserts a membership for everyone who has none, in the caller's transaction, and reactivates expired ones. Rows are
   * written in user id order, so that concurrent bulk inserts wait for each other instead of deadlocking.
   */
  private async upsertMemberships(em: EntityManager, terms: MembershipOptions, users: readonly NamedUser[]) {
    const joined: NamedUser[] = [];
    const notYetCountedMembers: NamedUser[] = [];
    let remaining = [...users].sort((a, b) => a.id - b.id);
    for (let attempt = 0; remaining.length > 0 && attempt < MAX_ATTEMPTS; attempt++) {
      const inserted = await this.insertMemberships(em, terms, remaining);
      const present = await this.lockExistingMemberships(
        em,
        terms.zone.id,
        remaining.filter(({ id }) => !inserted.has(id)),
      );
      const expired = remaining.filter(({ id }) => present.get(id)?.isExpired);
      await this.reactivateExpiredMemberships(em, terms, expired);
      const newMembers = remaining.filter(({ id }) => inserted.has(id));
      joined.push(...newMembers, ...expired);
      notYetCountedMembers.push(...newMembers, ...expired.filter(({ id }) => !present.get(id)!.isCounted));
      remaining = remaining.filter(({ id }) => !inserted.has(id) && !present.has(id));
    }
    return { joined, notYetCountedMembers };
  }

  private async insertMemberships(
    em: EntityManager,
    terms: MembershipOptions,
    users: readonly NamedUser[],
  ): Promise<Set<number>> {
    const people = users.map((user) => ({ id: user.id, email: user.email, ...memberSortKeys(user) }));
    const { role, method, invitedById, expiresAt, joinedAt } = this.withDefaults(terms);
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

  /** Locks the rows that already existed. Rows missing here were deleted concurrently. */
  private async lockExistingMemberships(em: EntityManager, zoneId: number, users: readonly NamedUser[]) {
    if (users.length === 0) return new Map<number, ExistingMembership>();
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

  private async reactivateExpiredMemberships(
    em: EntityManager,
    terms: MembershipOptions,
    users: readonly NamedUser[],
  ): Promise<void> {
    if (users.length === 0) return;
    const { role, method, invitedById, expiresAt, joinedAt } = this.withDefaults(terms);
    await query<Tables>(em)
      .updateTable('zone_members')
      .set({ role, join_method: method, invited_by_id: invitedById, expires_at: expiresAt, created_at: joinedAt })
      .set({ is_counted: true })
      .where('zone_id', '=', terms.zone.id)
      .where(sql<boolean>`user_id = any(${users.map(({ id }) => id)}::bigint[])`)
      .execute();
  }

  private withDefaults({ role = 'member', method, invitedById = null, expiresAt = null, joinedAt }: MembershipOptions) {
    return { role, method, invitedById, expiresAt, joinedAt: joinedAt ?? this.clock.now() };
  }
}
