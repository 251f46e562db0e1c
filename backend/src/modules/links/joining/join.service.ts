import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, DAY, HOUR, MINUTE } from '../../../platform/clock/clock.js';
import { setPoolTenantOwner } from '../../../platform/database/pool/pool-partitioning.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { SmtpUtf8Service, unsupportedAddressMessage } from '../../../platform/email/smtp-utf8.service.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { newToken } from '../../../platform/security/secrets.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { MembershipRepository } from '../../zones/joining/membership.repository.js';
import { MembershipService, type AddMemberOptions } from '../../zones/joining/membership.service.js';
import { JoinRequestRepository } from '../../zones/requests/join-request.repository.js';
import { JoinRequestService } from '../../zones/requests/join-request.service.js';
import { MembershipRestrictionRepository } from '../../zones/restrictions/membership-restriction.repository.js';
import { ZoneCapacityService } from '../../zones/zone/zone-capacity.service.js';
import { LinkUsageService, type AttemptRecord } from '../analytics/link-usage.service.js';
import type { Membership } from '../dto/join.dto.js';
import {
  assertLinkAdmits,
  getConsentMethod,
  getRejectionCode,
  toConsent,
  type JoinInput,
  type JoinTarget,
} from '../link.policy.js';
import { LinkRepository } from '../link.repository.js';
import { linkErrors } from '../links.errors.js';
import { LinkPasswordService } from '../temporary/link-password.service.js';
import { PendingJoinService } from './pending-join.service.js';

const EMAIL_RATE: RateRule = { name: 'join', limit: 10, window: HOUR };
/** Limit for both kinds of links together; many people may share one IP address. */
export const JOIN_RATE: RateRule = { name: 'join-ip', limit: 120, window: MINUTE };

/** A person whose address is verified. */
interface VerifiedPerson extends Pick<AddMemberOptions, 'user' | 'consent'> {
  /** True if the person had no account of their own before. */
  readonly wasNewUser: boolean;
}

/** Joins zones by links. All joins by link end in `admit`. */
@Injectable()
export class JoinService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly limits: RateLimitService,
    private readonly users: UserRepository,
    private readonly links: LinkRepository,
    private readonly linkPassword: LinkPasswordService,
    private readonly linkUsage: LinkUsageService,
    private readonly zoneCapacity: ZoneCapacityService,
    private readonly pendingJoin: PendingJoinService,
    private readonly utf8: SmtpUtf8Service,
    private readonly requests: JoinRequestService,
    private readonly joinRequests: JoinRequestRepository,
    private readonly memberships: MembershipRepository,
    private readonly restrictions: MembershipRestrictionRepository,
    private readonly membership: MembershipService,
  ) {}

  /**
   * Joins by the public link of a zone that is public and active and whose owner is active.
   * @throws LINK_NOT_FOUND, and the errors of `join`
   */
  async joinByPublicLink(publicLink: string, input: JoinInput, viewer: Viewer | null): Promise<Membership> {
    const zone = await this.links.findPublicZone(publicLink);
    if (!zone) throw linkErrors.LINK_NOT_FOUND();
    const target = { zone, linkId: null, publicLink: zone.publicLink, password: null, askedAt: this.clock.now() };
    return this.join(target, input, viewer);
  }

  /**
   * Joins by a temporary link of a zone that is private and active and whose owner is active.
   * @throws LINK_NOT_FOUND, and the errors of `join`
   */
  async joinByTemporaryLink(token: string, input: JoinInput, viewer: Viewer | null): Promise<Membership> {
    const link = await this.links.findLinkByToken(token);
    if (!link) throw linkErrors.LINK_NOT_FOUND();
    const { id: linkId, password, zoneId, zoneName: name, ownerId, requiresEmailOptin } = link;
    const zone = { id: zoneId, name, ownerId, requiresEmailOptin, autoJoin: true };
    return this.join({ zone, linkId, publicLink: null, password, askedAt: this.clock.now() }, input, viewer);
  }

  /**
   * Joins immediately if the viewer is signed in with the given address. Everyone else gets an email with a link, and
   * the same response whether the address is known or not. Every attempt is recorded, except those of people who manage
   * the zone.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES, LINK_PASSWORD_WRONG, CONSENT_REQUIRED, ALREADY_MEMBER (only
   * for signed-in people), ZONE_FULL, TOO_MANY_REQUESTS; VALIDATION_FAILED for an address that the mail server does not
   * support
   */
  private async join(target: JoinTarget, input: JoinInput, viewer: Viewer | null): Promise<Membership> {
    const { zone } = target;
    const matchingViewer = viewer?.email === input.email ? viewer : null;
    if (!matchingViewer && (await this.utf8.isUnsupported(input.email)))
      throw fieldError('email', unsupportedAddressMessage);
    return this.linkUsage.recordFailure({ target, input }, async () => {
      setPoolTenantOwner(zone.ownerId);
      // Signed-in members get ALREADY_MEMBER from `admit`, even if the link has expired.
      if (!matchingViewer) assertLinkAdmits(await this.links.findLinkWithZone(target), target.askedAt);
      if (zone.requiresEmailOptin && !input.emailConsent) throw linkErrors.CONSENT_REQUIRED();
      const { linkId, password } = target;
      if (linkId !== null && password !== null) {
        const recordAttack = () => this.links.recordPasswordAttack(linkId);
        const protectedLink = { id: String(linkId), password, isKnownVisitor: false, recordAttack };
        await this.linkPassword.assertPassword(protectedLink, input.password ?? '', input.ipAddress);
      }
      if (matchingViewer) return this.joinSignedIn(target, input, matchingViewer.userId);
      return this.requestVerification(target, input);
    });
  }

  private async joinSignedIn(target: JoinTarget, input: JoinInput, userId: number): Promise<Membership> {
    const { zone } = target;
    const outcome = await this.zoneCapacity.translatePlanLimit(zone.ownerId, null, () =>
      inTransaction(this.em, async (em) => {
        const user = await this.users.findNamesForMembership(em, userId);
        const person = { user, consent: toConsent(target, input), wasNewUser: false };
        const outcome = await this.admit(em, target, person, { target, input });
        if (outcome === 'already-member') throw linkErrors.ALREADY_MEMBER();
        return outcome;
      }),
    );
    const redirectUrl = outcome === 'joined' ? `/zones/${zone.id}` : null;
    return { outcome, zone, email: input.email, redirectUrl, handle: null, signIn: null };
  }

  private async requestVerification(target: JoinTarget, input: JoinInput): Promise<Membership> {
    await this.limits.consume(EMAIL_RATE, input.email);
    const handle = newToken();
    await inTransaction(this.em, async (em) => {
      const usageId = await this.linkUsage.recordOutcome(em, { target, input }, 'asked');
      await this.pendingJoin.createPendingJoin(em, target, input, { usageId, handle });
    });
    return { outcome: 'mailSent', zone: target.zone, email: input.email, redirectUrl: null, handle, signIn: null };
  }

  /**
   * Adds a person with a verified address, in the caller's transaction, or records a request to the owner. Checks the
   * link again under its lock and counts a use only for a new membership. Locks in the order zone, membership, link,
   * counters. Records the outcome of the attempt, unless the person is already a member.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES; PLAN_LIMIT of the owner
   * @throws LINK_ALREADY_USED if the link has already granted its days to this person; CONSENT_REQUIRED
   */
  async admit(
    em: EntityManager,
    target: JoinTarget,
    person: VerifiedPerson,
    attempt: AttemptRecord,
  ): Promise<'joined' | 'waiting' | 'already-member'> {
    const { linkId } = target;
    const { user, consent, wasNewUser } = person;
    const zone = await this.links.lockLinkedZone(em, target);
    if (!zone) throw linkErrors.LINK_NOT_FOUND();
    const isMember = () => this.memberships.isMember(em, zone.id, user.id);
    // The zone may have started to require consent since the person asked.
    if (zone.requiresEmailOptin && consent === null && !(await isMember())) throw linkErrors.CONSENT_REQUIRED();
    const terms = linkId === null ? null : await this.links.findTerms(em, linkId);
    if (linkId !== null && !terms) throw linkErrors.LINK_NOT_FOUND();
    const rejection = terms && getRejectionCode(terms, target.askedAt);
    if (rejection && (await isMember())) return 'already-member';
    if (rejection) throw linkErrors[rejection]();

    const options: AddMemberOptions = { zone, user, consent, method: getConsentMethod(target), isZoneLocked: true };
    const days = terms?.membershipDays ?? null;
    const grant = linkId === null || days === null ? null : { id: linkId, days };
    // Locked, so that unrestricted people stay unrestricted until the commit.
    await this.restrictions.lockPerson(em, zone.id, user.id);
    const restriction = await this.restrictions.getRestriction(em, zone.id, user.id);
    if (restriction !== 'free' || (linkId === null && !zone.autoJoin)) {
      // A person removed by the owner must be approved. A blocked person gets the same response, but the request is
      // shown to no one.
      const request = { link: grant, isBlocked: restriction === 'blocked' };
      const outcome = await this.requests.requestToJoin(em, options, request);
      if (outcome === 'waiting') await this.linkUsage.recordOutcome(em, attempt, outcome);
      return outcome;
    }

    // The person may still have a request from before the zone admitted members automatically. Requests are locked
    // before memberships.
    await this.joinRequests.deleteRequests(em, zone.id, [user.id]);
    const isNew = await this.membership.addMember(em, {
      ...options,
      expiresAt: days === null ? null : addMilliseconds(this.clock.now(), days * DAY),
      onMemberAdded: async (em) => {
        if (grant && !(await this.links.insertRedemption(em, grant.id, user.id))) throw linkErrors.LINK_ALREADY_USED();
        if (linkId !== null) await this.countUse(em, linkId, target.askedAt);
        await this.linkUsage.recordOutcome(em, attempt, 'joined', { userId: user.id, wasNewUser });
      },
    });
    return isNew ? 'joined' : 'already-member';
  }

  /**
   * Counts a use if the link still admits people. Must come late in the transaction, because the row is contended.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES
   */
  private async countUse(em: EntityManager, linkId: number, askedAt: Date): Promise<void> {
    if (await this.links.incrementUses(em, linkId, askedAt)) return;
    const terms = await this.links.findTerms(em, linkId);
    throw linkErrors[terms ? (getRejectionCode(terms, askedAt) ?? 'LINK_MAX_USES') : 'LINK_NOT_FOUND']();
  }
}
