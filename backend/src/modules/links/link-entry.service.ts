import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../platform/clock/clock.js';
import type { DomainEvents } from '../../platform/events/domain-events.js';
import { OnEvent } from '../../platform/events/on-event.decorator.js';
import { MembershipRepository } from '../zones/joining/membership.repository.js';
import { JoinRequestRepository } from '../zones/requests/join-request.repository.js';
import { MembershipRestrictionRepository } from '../zones/restrictions/membership-restriction.repository.js';
import { JoinRequestService, type JoinRequestOptions } from '../zones/requests/join-request.service.js';
import { MembershipService, type AddMemberOptions } from '../zones/joining/membership.service.js';
import { zoneErrors } from '../zones/zones.errors.js';
import { LinkZoneRepository, type LinkedZone, type ShownZone } from './link-zone.repository.js';
import { getRejectionCode, type UsedLink } from './link.policy.js';
import { linkErrors } from './links.errors.js';
import { TemporaryLinkRepository } from './temporary/temporary-link.repository.js';

export type JoinOutcomeOfLink = 'joined' | 'waiting' | 'already-member';

/** The person who joins, and what the caller writes besides the membership. */
export type JoiningUser = Pick<AddMemberOptions, 'user' | 'consent' | 'onMemberAdded'>;

/** A person who previews what completing would do. */
interface JoinCheck {
  readonly email: string;
  readonly hasConsented: boolean;
  readonly waits: boolean;
}

/** Turns a link, of either kind, into a membership; all joins by link end here. */
@Injectable()
export class LinkEntryService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly zones: LinkZoneRepository,
    private readonly temporaryLinks: TemporaryLinkRepository,
    private readonly requests: JoinRequestService,
    private readonly joinRequests: JoinRequestRepository,
    private readonly memberships: MembershipRepository,
    private readonly membershipRestriction: MembershipRestrictionRepository,
    private readonly membership: MembershipService,
  ) {}

  /**
   * Returns the zone of a public link if the zone is public and active and its owner is active.
   * @throws LINK_NOT_FOUND
   */
  async findPublicZone(publicLink: string): Promise<ShownZone> {
    const zone = await this.zones.findPublicZone(publicLink);
    if (!zone) throw linkErrors.LINK_NOT_FOUND();
    return zone;
  }

  /**
   * Returns a zone as its link shows it. The caller has checked the membership.
   * @throws ZONE_NOT_FOUND
   */
  async findShownZone(zoneId: number): Promise<ShownZone> {
    const zone = await this.zones.findShownZone(zoneId);
    if (!zone) throw zoneErrors.ZONE_NOT_FOUND();
    return zone;
  }

  /**
   * Adds a person with a verified address, in the caller's transaction. Checks the link again under its lock and counts
   * a use only for a new membership. Locks in the order zone, membership, link, counters.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES; PLAN_LIMIT of the owner
   * @throws LINK_ALREADY_USED if the link has already granted its days to this person; CONSENT_REQUIRED
   */
  async joinByLink(em: EntityManager, link: UsedLink, joiner: JoiningUser): Promise<JoinOutcomeOfLink> {
    const zone = await this.zones.lockLinkedZone(em, link);
    if (!zone) throw linkErrors.LINK_NOT_FOUND();
    await this.assertConsentGiven(em, zone, joiner);
    const options = { ...joiner, zone, isZoneLocked: true };
    if (link.linkId === null) return this.joinByPublicLink(em, { ...options, method: 'public_link' }, zone.autoJoin);
    return this.joinByTemporaryLink(em, link.linkId, link.askedAt, { ...options, method: 'temporary_link' });
  }

  /**
   * Checks whether a link still admits people, without changing anything.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES
   */
  async assertLinkValid(link: UsedLink): Promise<void> {
    if (!(await this.zones.findLinkedZone(link))) throw linkErrors.LINK_NOT_FOUND();
    if (link.linkId !== null) await this.assertLinkUsable(this.em, link.linkId, link.askedAt);
  }

  /**
   * Checks, without changing anything, whether completing would fail because of the zone's consent requirement or
   * because the link has already granted its days. Only for people who are not members.
   * @throws CONSENT_REQUIRED; LINK_ALREADY_USED, unless joining requires approval
   */
  async assertJoinAllowed(link: UsedLink, joinCheck: JoinCheck): Promise<void> {
    const zone = await this.zones.findLinkedZone(link);
    if (!zone) throw linkErrors.LINK_NOT_FOUND();
    if (zone.requiresEmailOptin && !joinCheck.hasConsented) throw linkErrors.CONSENT_REQUIRED();
    if (joinCheck.waits || link.linkId === null) return;
    if (await this.temporaryLinks.hasRedemption(link.linkId, joinCheck.email)) throw linkErrors.LINK_ALREADY_USED();
  }

  /**
   * Records that a link has granted its days to a person whose request was approved, so that it does not grant them
   * again. An earlier grant is not an error.
   */
  @OnEvent('zone.requestApproved')
  async recordRedemption(em: EntityManager, { linkId, userId }: DomainEvents['zone.requestApproved']): Promise<void> {
    await this.temporaryLinks.insertRedemptionIfLinkExists(em, linkId, userId);
  }

  /** The zone may have started to require consent since the person asked. */
  private async assertConsentGiven(em: EntityManager, zone: LinkedZone, { user, consent }: JoiningUser): Promise<void> {
    if (!zone.requiresEmailOptin || consent !== null) return;
    if (!(await this.memberships.isMember(em, zone.id, user.id))) throw linkErrors.CONSENT_REQUIRED();
  }

  private async joinByPublicLink(
    em: EntityManager,
    options: AddMemberOptions,
    autoJoin: boolean,
  ): Promise<JoinOutcomeOfLink> {
    const restricted = await this.applyRestrictions(em, options, null);
    if (restricted) return restricted;
    if (!autoJoin) return this.requests.requestToJoin(em, options);
    return this.addMember(em, options);
  }

  /**
   * The person may still have a request from before the zone admitted members automatically. Requests are locked before
   * memberships.
   */
  private async addMember(em: EntityManager, options: AddMemberOptions): Promise<JoinOutcomeOfLink> {
    await this.joinRequests.deleteRequests(em, options.zone.id, [options.user.id]);
    return (await this.membership.addMember(em, options)) ? 'joined' : 'already-member';
  }

  /**
   * Turns the attempt of a person removed by the owner into a join request. A blocked person gets the same response,
   * but the request is shown to no one.
   * @returns null for unrestricted people, who stay unrestricted until the commit
   */
  private async applyRestrictions(
    em: EntityManager,
    options: AddMemberOptions,
    link: JoinRequestOptions['link'],
  ): Promise<JoinOutcomeOfLink | null> {
    const { zone, user } = options;
    await this.membershipRestriction.lockPerson(em, zone.id, user.id);
    const state = await this.membershipRestriction.getRestriction(em, zone.id, user.id);
    if (state === 'free') return null;
    return this.requests.requestToJoin(em, options, { link, isBlocked: state === 'blocked' });
  }

  private async joinByTemporaryLink(
    em: EntityManager,
    linkId: number,
    askedAt: Date,
    options: AddMemberOptions,
  ): Promise<JoinOutcomeOfLink> {
    const link = await this.temporaryLinks.findTerms(em, linkId);
    if (!link) throw linkErrors.LINK_NOT_FOUND();
    const code = getRejectionCode(link, askedAt);
    if (code) {
      if (await this.memberships.isMember(em, options.zone.id, options.user.id)) return 'already-member';
      throw linkErrors[code]();
    }
    const { membershipDays: days } = link;
    const restricted = await this.applyRestrictions(em, options, days === null ? null : { id: linkId, days });
    if (restricted) return restricted;
    return this.addMember(em, {
      ...options,
      expiresAt: days === null ? null : addMilliseconds(this.clock.now(), days * DAY),
      onMemberAdded: async (em) => {
        if (days !== null && !(await this.temporaryLinks.insertRedemption(em, linkId, options.user.id)))
          throw linkErrors.LINK_ALREADY_USED();
        await this.countUse(em, linkId, askedAt);
        await options.onMemberAdded?.(em);
      },
    });
  }

  /**
   * Counts a use if the link still admits people. Must come late in the transaction, because the row is contended.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES
   */
  private async countUse(em: EntityManager, linkId: number, askedAt: Date): Promise<void> {
    if (await this.temporaryLinks.incrementUses(em, linkId, askedAt)) return;
    await this.assertLinkUsable(em, linkId, askedAt);
    throw linkErrors.LINK_MAX_USES();
  }

  private async assertLinkUsable(em: EntityManager, linkId: number, askedAt: Date): Promise<void> {
    const link = await this.temporaryLinks.findTerms(em, linkId);
    const code = link ? getRejectionCode(link, askedAt) : 'LINK_NOT_FOUND';
    if (code) throw linkErrors[code]();
  }
}
