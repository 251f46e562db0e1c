import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { ActivityRepository } from '../../activity/activity.repository.js';
import type { NamedUser } from '../../auth/users/user.repository.js';
import { ConsentRepository, type Consent } from '../consent/consent.repository.js';
import type { JoinMethod, ZoneRole } from '../entities/zone-member.entity.js';
import { MembershipRestrictionRepository } from '../restrictions/membership-restriction.repository.js';
import { InvitationQuotaService } from '../invitations/invitation-quota.service.js';
import { InvitationRepository } from '../invitations/invitation.repository.js';
import { AudienceService } from '../members/audience.service.js';
import { JoinRequestRepository } from '../requests/join-request.repository.js';
import { ZoneRepository } from '../zone/zone.repository.js';
import { zoneErrors } from '../zones.errors.js';
import type { MembershipZone } from '../zones.events.js';
import { MembershipRepository, type MembershipTerms } from './membership.repository.js';

/** Attempts for a membership that conflicts with one being deleted concurrently. */
const MAX_ATTEMPTS = 3;

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

/** Adds people to zones. All ways of joining end here: links, invitations, imports, purchases and approvals. */
@Injectable()
export class MembershipService {
  constructor(
    private readonly clock: Clock,
    private readonly memberships: MembershipRepository,
    private readonly zones: ZoneRepository,
    private readonly requests: JoinRequestRepository,
    private readonly activity: ActivityRepository,
    private readonly consents: ConsentRepository,
    private readonly audience: AudienceService,
    private readonly invitations: InvitationRepository,
    private readonly invitationQuota: InvitationQuotaService,
    private readonly events: EventBus,
    private readonly restrictions: MembershipRestrictionRepository,
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
    if (!isZoneLocked && !(await this.zones.lockZone(em, zone.id))) throw zoneErrors.ZONE_NOT_FOUND();
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
    if (!(await this.zones.lockZone(em, zone.id))) throw zoneErrors.ZONE_NOT_FOUND();
    await this.restrictions.lockZoneForBulkInsert(em, zone.id);
    const all = users.map(({ id }) => id);
    await this.requests.deleteRequests(em, zone.id, all);
    const result = await this.insertAndAcceptInvitations(em, options, users);
    const ids = result.joined.map(({ id }) => id);
    await this.consents.recordDeclaredConsents(em, zone.id, ids, declaredConsent);
    await this.recordJoinedMembers(em, options, result);
    return new Set(ids);
  }

  /** Uses up open invitations, writes the memberships and clears restrictions of those who joined. */
  private async insertAndAcceptInvitations(
    em: EntityManager,
    options: MembershipOptions,
    users: readonly NamedUser[],
  ): Promise<AddMembersResult> {
    const emails = users.map(({ email }) => email);
    const invited = await this.invitations.acceptOpenInvitations(em, options.zone.id, emails);
    const result = await this.upsertMemberships(em, this.toTerms(options), users);
    const joined = result.joined.map(({ id }) => id);
    if (joined.length > 0) await this.restrictions.clearRestriction(em, options.zone.id, joined);
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
  private async upsertMemberships(em: EntityManager, terms: MembershipTerms, users: readonly NamedUser[]) {
    const joined: NamedUser[] = [];
    const notYetCountedMembers: NamedUser[] = [];
    let remaining = [...users].sort((a, b) => a.id - b.id);
    for (let attempt = 0; remaining.length > 0 && attempt < MAX_ATTEMPTS; attempt++) {
      const inserted = await this.memberships.insertMemberships(em, terms, remaining);
      const others = remaining.map(({ id }) => id).filter((id) => !inserted.has(id));
      const present = await this.memberships.lockMemberships(em, terms.zoneId, others);
      const expired = remaining.filter(({ id }) => present.get(id)?.isExpired);
      const expiredIds = expired.map(({ id }) => id);
      await this.memberships.reactivateMemberships(em, terms, expiredIds);
      const newMembers = remaining.filter(({ id }) => inserted.has(id));
      joined.push(...newMembers, ...expired);
      notYetCountedMembers.push(...newMembers, ...expired.filter(({ id }) => !present.get(id)!.isCounted));
      remaining = remaining.filter(({ id }) => !inserted.has(id) && !present.has(id));
    }
    return { joined, notYetCountedMembers };
  }

  private toTerms(options: MembershipOptions): MembershipTerms {
    const { zone, role = 'member', method, invitedById = null, expiresAt = null, joinedAt } = options;
    return { zoneId: zone.id, role, method, invitedById, expiresAt, joinedAt: joinedAt ?? this.clock.now() };
  }
}
