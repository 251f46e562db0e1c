import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { setPoolTenantOwner } from '../../../platform/database/pool/pool-partitioning.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { authErrors } from '../../auth/auth.errors.js';
import { hasPermanentSignIn } from '../../auth/access/user.policy.js';
import { digestOf } from '../../../platform/security/secrets.js';
import type { SessionOrigin } from '../../auth/sessions/session.service.js';
import { mfaRedirectPath } from '../../auth/sign-in/sign-in-response.service.js';
import {
  isSessionCreated,
  SessionIssuerService,
  type SignInResult,
} from '../../auth/sign-in/session-issuer.service.js';
import { VerificationCodeService } from '../../auth/registration/verification-code.service.js';
import { SingleUseTokenRepository, type StoredToken } from '../../auth/tokens/single-use-token.repository.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { UserService } from '../../auth/users/user.service.js';
import type { Consent } from '../../zones/consent/consent.repository.js';
import { ZoneCapacityService } from '../../zones/zone/zone-capacity.service.js';
import { ZoneRepository } from '../../zones/zone/zone.repository.js';
import { LinkUsageService } from '../analytics/link-usage.service.js';
import type { Membership } from '../dto/join.dto.js';
import type { PendingJoin } from '../entities/pending-join.entity.js';
import { assertLinkAdmits, getConsentMethod, type JoinTarget } from '../link.policy.js';
import { LinkRepository } from '../link.repository.js';
import { linkErrors } from '../links.errors.js';
import { JoinService } from './join.service.js';
import { PendingJoinRepository } from './pending-join.repository.js';
import { PendingJoinService, toJoinTarget, toTokenSubject } from './pending-join.service.js';

/** The two parameters of the emailed link. */
export interface JoinLink {
  readonly token: string;
  readonly join: string;
}

/** The emailed code, and the token of the window that made the request. */
export interface JoinCode {
  readonly handle: string;
  readonly code: string;
}

/** A request that awaits verification, and what it joins. */
interface FoundJoin {
  readonly pending: PendingJoin;
  readonly target: JoinTarget;
}

/** Completes joining by link: by the emailed link or its code. */
@Injectable()
export class VerifyJoinService {
  constructor(
    private readonly em: EntityManager,
    private readonly tokens: SingleUseTokenRepository,
    private readonly codes: VerificationCodeService,
    private readonly users: UserService,
    private readonly userRepository: UserRepository,
    private readonly opener: SessionIssuerService,
    private readonly joins: JoinService,
    private readonly links: LinkRepository,
    private readonly linkUsage: LinkUsageService,
    private readonly zoneCapacity: ZoneCapacityService,
    private readonly pendingJoin: PendingJoinService,
    private readonly pendingJoins: PendingJoinRepository,
    private readonly zones: ZoneRepository,
  ) {}

  /**
   * Checks what the link would do without changing anything, because email scanners follow links.
   * @throws TOKEN_INVALID, without distinction, for an unknown, mismatched or expired link, and for a used one of a
   * person who is no longer a member
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES if the zone's link admits no one any more
   * @throws CONSENT_REQUIRED, LINK_ALREADY_USED if completing would fail with it
   */
  async previewJoin(mailed: JoinLink): Promise<Membership> {
    const { token, ...found } = await this.findJoin(mailed);
    const { pending, target } = found;
    if (token.usedAt !== null) return this.toRepeatedJoin(found, null);
    const link = await this.links.findLinkWithZone(target);
    assertLinkAdmits(link, target.askedAt);
    const requiresApproval = await this.pendingJoin.requiresApproval(target, pending.email);
    if ((await this.links.findMembershipStatus(target.zone.id, pending.email)) !== 'in') {
      if (link.zone.requiresEmailOptin && pending.consentText == null) throw linkErrors.CONSENT_REQUIRED();
      const isRedeemable = !requiresApproval && target.linkId !== null;
      if (isRedeemable && (await this.links.hasRedemption(target.linkId, pending.email)))
        throw linkErrors.LINK_ALREADY_USED();
    }
    const outcome = requiresApproval ? 'readyToAsk' : 'ready';
    return { outcome, zone: target.zone, email: pending.email, redirectUrl: null, handle: null, signIn: null };
  }

  private async findJoin({ token, join }: JoinLink): Promise<FoundJoin & { token: StoredToken }> {
    const stored = await this.tokens.findToken(token, 'verify-email');
    const pending = await this.pendingJoins.findPendingJoinByDigest(digestOf(join));
    if (!stored || !pending || stored.subject !== toTokenSubject(pending.id)) throw authErrors.TOKEN_INVALID();
    if (stored.isExpired && stored.usedAt === null) throw authErrors.TOKEN_INVALID();
    const target = await this.findTarget(pending);
    if (!target) throw authErrors.TOKEN_INVALID();
    return { token: stored, pending, target };
  }

  /** Returns what the request joins, unless the zone is deleted or its owner deactivated. */
  private async findTarget(pending: PendingJoin): Promise<JoinTarget | null> {
    const zone = await this.zones.findZone(pending.zoneId);
    if (!zone || (await this.userRepository.getManagedUser(zone.ownerId)).deactivatedAt) return null;
    return toJoinTarget(pending, zone);
  }

  /**
   * Verifies the address and joins. Of two concurrent calls one joins, and both get the same response.
   * @throws TOKEN_INVALID, LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES, ZONE_FULL (the emailed link stays valid)
   * @throws LINK_ALREADY_USED; CONSENT_REQUIRED if the zone has started to require it since
   */
  async completeByLink(link: JoinLink, origin: SessionOrigin, viewer: Viewer | null): Promise<Membership> {
    const { token, ...found } = await this.findJoin(link);
    if (token.usedAt !== null) return this.toRepeatedJoin(found, viewer);
    return this.verifyAndJoin(found, (em) => this.tokens.consumeToken(em, token.id), origin, viewer);
  }

  /**
   * Verifies the address and joins by the emailed code, entered in the window that made the request, for example when
   * the email is read on a phone. Also uses up the emailed link. No other window can try a code.
   * @throws CODE_INVALID, without distinction, for an unknown window and for a wrong, expired, used or too often tried
   * code; otherwise the errors of `completeByLink`
   */
  async completeByCode({ handle, code }: JoinCode, origin: SessionOrigin, viewer: Viewer | null): Promise<Membership> {
    const pending = await this.pendingJoins.findPendingJoinByHandle(digestOf(handle));
    const target = pending && (await this.findTarget(pending));
    if (!target) throw authErrors.CODE_INVALID();
    const subject = toTokenSubject(pending.id);
    const codeId = await this.codes.verifyCode(pending.email, 'join', code, [subject]);
    const use = async (em: EntityManager) => {
      await this.codes.consumeCode(em, codeId);
      return this.tokens.consumeTokensOfSubject(em, 'verify-email', subject);
    };
    return this.verifyAndJoin({ pending, target }, use, origin, viewer);
  }

  /** @param use consumes the token or code; returns false if it was already used */
  private verifyAndJoin(
    found: FoundJoin,
    use: (em: EntityManager) => Promise<boolean>,
    origin: SessionOrigin,
    viewer: Viewer | null,
  ): Promise<Membership> {
    const { ownerId } = found.target.zone;
    setPoolTenantOwner(ownerId);
    return this.linkUsage.recordFailure({ usageId: found.pending.usageId ?? null }, () =>
      this.zoneCapacity.translatePlanLimit(ownerId, null, () =>
        inTransaction(this.em, async (em) => {
          if (!(await use(em))) return this.toRepeatedJoin(found, viewer);
          return this.joinZone(em, found, origin, viewer);
        }),
      ),
    );
  }

  private async joinZone(
    em: EntityManager,
    { pending, target }: FoundJoin,
    origin: SessionOrigin,
    viewer: Viewer | null,
  ): Promise<Membership> {
    const { email } = pending;
    const { id } = await this.users.findOrCreateVerified(em, email, pending.language);
    await this.userRepository.saveUsers(em);
    // Locked, so that a concurrent password change or deactivation happens before the session is created, or ends it.
    const user = await this.userRepository.lockUser(em, id);
    if (user.deactivatedAt) throw authErrors.TOKEN_INVALID();
    await this.pendingJoins.setCompleted(em, pending);
    const attempt = { usageId: pending.usageId ?? null };
    const person = { user, consent: toGivenConsent(pending, target), wasNewUser: user.password === null };
    const admission = await this.joins.admit(em, target, person, attempt);
    if (admission === 'already-member') await this.linkUsage.recordOutcome(em, attempt, 'ALREADY_MEMBER');
    const session = { origin, restricted: false, confirmed: false };
    // New people get a read-only session; people with a second factor are asked for it.
    const signIn = !hasPermanentSignIn(user) ? await this.opener.createSession(em, user, session) : null;
    const outcome = admission === 'waiting' ? 'waiting' : 'verified';
    return toMembership(outcome, { pending, target }, signIn, viewer);
  }

  /**
   * Returns the result of a repeated click or code, which changes nothing and creates no session. The first result may
   * no longer apply: the owner may have approved the request, or the person may have left.
   * @throws TOKEN_INVALID if the person has left
   */
  private async toRepeatedJoin(found: FoundJoin, viewer: Viewer | null): Promise<Membership> {
    const status = await this.links.findMembershipStatus(found.target.zone.id, found.pending.email);
    if (status === 'out') throw authErrors.TOKEN_INVALID();
    return toMembership(status === 'asked' ? 'waiting' : 'alreadyDone', found, null, viewer);
  }
}

/** Sends on to the zone if the person is signed in with that address, otherwise to sign-in or its second step. */
function toMembership(
  outcome: 'verified' | 'waiting' | 'alreadyDone',
  { pending: { email }, target: { zone } }: FoundJoin,
  signIn: SignInResult | null,
  viewer: Viewer | null,
): Membership {
  const page = outcome === 'waiting' ? '/' : `/zones/${zone.id}`;
  const isSignedIn = signIn !== null || viewer?.email === email;
  const signInPath = `/auth?mode=login&email=${encodeURIComponent(email)}`;
  const redirectUrl = signIn && !isSessionCreated(signIn) ? mfaRedirectPath(page) : isSignedIn ? page : signInPath;
  return { outcome, zone, email, redirectUrl, handle: null, signIn };
}

function toGivenConsent({ consentText: text, ipAddress }: PendingJoin, target: JoinTarget): Consent | null {
  return text == null ? null : { ipAddress: ipAddress ?? null, method: getConsentMethod(target), text };
}
