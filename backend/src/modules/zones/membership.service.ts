import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { ActivityService } from '../activity/activity.service.js';
import type { User } from '../auth/entities/user.entity.js';
import type { NamedUser } from '../auth/user.service.js';
import { ConsentService, type Consent } from './consent.service.js';
import { ZoneMemberSchema, type JoinMethod, type ZoneRole } from './entities/zone-member.entity.js';
import { ZoneSchema, type ZoneType } from './entities/zone.entity.js';
import { InvitationPlaces } from './invitations/invitation-places.service.js';
import { MemberCounts } from './member-counts.service.js';
import { nameKeys } from './member-keys.js';
import { MembershipEntry, type Entered, type Terms } from './membership-entry.service.js';
import { MembershipPort, type MembershipZone } from './membership.port.js';
import { zoneErrors } from './zones.errors.js';

type Tables = typeof ZoneMemberSchema | typeof ZoneSchema;

export type { Consent } from './consent.service.js';

export interface Admission extends Terms {
  readonly user: NamedUser;
  /** null when the person joins without agreeing to mails. */
  readonly consent: Consent | null;
  /** True when the caller's transaction has locked the zone, as `hold` does: it is not asked again then. */
  readonly isZoneHeld?: boolean;
  /**
   * What else is written of a new membership, in its transaction; not called for who is in the zone already. Here and not
   * after `admit`, because the counts, which come last, stay locked until the commit.
   */
  readonly alongside?: (em: EntityManager) => Promise<void>;
}

export interface Admissions extends Terms {
  readonly users: readonly NamedUser[];
  /** What the owner declares; what a person agreed to by themselves before stands. */
  readonly declared: Consent;
}

/** Who came in, and the addresses whose open invitations are used up by it. */
interface Entry extends Entered {
  readonly invited: readonly string[];
}

/** A membership as it was when it ended. */
export interface EndedMembership {
  readonly email: string;
  readonly role: ZoneRole;
  readonly joinMethod: JoinMethod;
  readonly invitedById: number | null;
  readonly expiresAt: Date | null;
  readonly joinedAt: Date;
}

/** The one writer of memberships: every way into a zone and out of it goes through here. */
@Injectable()
export class MembershipService {
  constructor(
    private readonly clock: Clock,
    private readonly entries: MembershipEntry,
    private readonly activity: ActivityService,
    private readonly consents: ConsentService,
    private readonly counts: MemberCounts,
    private readonly invitations: InvitationPlaces,
    private readonly port: MembershipPort,
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
    const { zone, user, consent, isZoneHeld = false } = admission;
    if (!isZoneHeld && !(await this.hold(em, zone.id))) throw zoneErrors.ZONE_NOT_FOUND();
    const entry = await this.enter(em, admission, [user]);
    if (consent) await this.consents.give(em, zone.id, user, consent);
    if (entry.joined.length > 0) await admission.alongside?.(em);
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
    if (!(await this.hold(em, zone.id))) throw zoneErrors.ZONE_NOT_FOUND();
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

  /**
   * Takes a person out of a zone, in the caller's transaction, and out of the counts: the counterpart of `admit`. An
   * invitation that the person has does not lead back in.
   * @param how of their own will, or taken out by the owner
   * @returns the membership as it was; null when the person is not in the zone, or owns it
   */
  async remove(
    em: EntityManager,
    zone: MembershipZone,
    userId: number,
    how: 'left' | 'removed' = 'left',
  ): Promise<EndedMembership | null> {
    if (!(await this.hold(em, zone.id))) return null;
    await this.invitations.lock(em, zone.id, userId);
    const row = await query<Tables>(em)
      .deleteFrom('zone_members')
      .where('zone_id', '=', zone.id)
      .where('user_id', '=', userId)
      .where('role', '!=', 'owner')
      .returning(['email', 'role', 'join_method as joinMethod', 'invited_by_id as invitedById'])
      .returning(['expires_at as expiresAt', 'created_at as joinedAt', 'is_counted as isCounted'])
      .executeTakeFirst();
    if (!row) return null;
    const { isCounted, ...ended } = row;
    await this.activity.record(em, {
      type: `member.${how}`,
      ...{ ownerId: zone.ownerId, zoneId: zone.id, userId, params: { zoneName: zone.name } },
    });
    await this.port.left(em, { zone, userId, email: ended.email });
    const isInvited = await this.invitations.revoke(em, zone.id, ended.email);
    if (isCounted) await this.counts.remove(em, zone, [ended.email]);
    if (isInvited) await this.invitations.release(em, zone.ownerId, [ended.email]);
    return ended;
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
  async hold(em: EntityManager, zoneId: number): Promise<(MembershipZone & { type: ZoneType }) | null> {
    const zone = await query<Tables>(em)
      .selectFrom('zones')
      .select(['id', 'owner_id as ownerId', 'name', 'type'])
      .where('id', '=', zoneId)
      .where('deleted_at', 'is', null)
      .forShare()
      .executeTakeFirst();
    return zone ?? null;
  }

  /** Ends the invitations of the people, and writes the memberships. */
  private async enter(em: EntityManager, terms: Terms, users: readonly NamedUser[]): Promise<Entry> {
    const emails = users.map(({ email }) => email);
    const invited = await this.invitations.settle(em, terms.zone.id, emails);
    return { ...(await this.entries.write(em, terms, users)), invited };
  }

  /** What follows from people having come in: the record, what other modules do, and last the counts. */
  private async settle(em: EntityManager, { zone, method }: Terms, entry: Entry): Promise<void> {
    const { joined, uncounted, invited } = entry;
    const userIds = joined.map(({ id }) => id);
    if (joined.length > 0) await this.port.joined(em, { zone, userIds, method });
    const told = userIds.map((userId) => ({
      type: 'member.joined' as const,
      ...{ ownerId: zone.ownerId, zoneId: zone.id, userId, params: { zoneName: zone.name } },
    }));
    const fresh = new Set(uncounted.map(({ email }) => email));
    const gone = await this.invitations.letGo(
      em,
      zone.ownerId,
      invited.filter((email) => !fresh.has(email)),
    );
    if (uncounted.length === 0) await this.activity.record(em, ...told);
    else await this.counts.add(em, zone, uncounted, this.activity.recording(...told));
    // After the membership is counted: so the place passes on, also in a plan that has become too small.
    await this.invitations.letGo(
      em,
      zone.ownerId,
      invited.filter((email) => fresh.has(email)),
    );
    await this.invitations.giveBack(em, zone.ownerId, gone);
  }
}
