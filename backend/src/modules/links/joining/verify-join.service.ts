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
import type { Zone } from '../../zones/entities/zone.entity.js';
import type { Consent } from '../../zones/consent/consent.repository.js';
import { ZoneCapacityService } from '../../zones/zone/zone-capacity.service.js';
import type { PendingJoin } from '../entities/pending-join.entity.js';
import { getConsentMethod } from './join.service.js';
import { PendingJoinRepository } from './pending-join.repository.js';
import { PendingJoinService, toTokenSubject, type PendingJoinWithZone } from './pending-join.service.js';
import { LinkEntryService } from '../link-entry.service.js';
import { LinkZoneRepository } from '../link-zone.repository.js';
import type { UsedLink } from '../link.policy.js';
import { LinkUsageRepository } from '../analytics/link-usage.repository.js';
import { LinkUsageService } from '../analytics/link-usage.service.js';
import { ZoneRepository } from '../../zones/zone/zone.repository.js';

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

/** The request behind the emailed link. */
export interface FoundJoin extends PendingJoinWithZone {
  readonly token: StoredToken;
}

export interface CompletedJoin extends PendingJoinWithZone {
  /** True for a repeated click or code, which changes nothing and creates no session. */
  readonly repeated: boolean;
  /** True if the owner must approve the request. */
  readonly waits: boolean;
  /** New people get a read-only session; people with a second factor are asked for it. */
  readonly entry: SignInResult | null;
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
    private readonly links: LinkEntryService,
    private readonly linkUsage: LinkUsageService,
    private readonly usages: LinkUsageRepository,
    private readonly zoneCapacity: ZoneCapacityService,
    private readonly pendingJoin: PendingJoinService,
    private readonly pendingJoins: PendingJoinRepository,
    private readonly zones: ZoneRepository,
    private readonly linkZones: LinkZoneRepository,
  ) {}

  /**
   * Checks what the link would do without changing anything, because email scanners follow links.
   * @throws TOKEN_INVALID, without distinction, for an unknown, mismatched or expired link, and for a used one of a
   * person who is no longer a member
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES if the zone's link admits no one any more
   * @throws CONSENT_REQUIRED, LINK_ALREADY_USED if completing would fail with it
   */
  async previewJoin(mailed: JoinLink): Promise<FoundJoin & { waits: boolean }> {
    const found = await this.findJoin(mailed);
    if (found.token.usedAt !== null) return { ...found, waits: await this.isStillAwaitingApproval(found) };
    const { email, consentText } = found.pending;
    const link = toUsedLink(found.pending);
    await this.links.assertLinkValid(link);
    const waits = await this.pendingJoin.requiresApproval(found);
    if ((await this.linkZones.findMembershipStatus(found.zone.id, email)) === 'in') return { ...found, waits };
    await this.links.assertJoinAllowed(link, { email, hasConsented: consentText != null, waits });
    return { ...found, waits };
  }

  private async findJoin({ token, join }: JoinLink): Promise<FoundJoin> {
    const stored = await this.tokens.findToken(token, 'verify-email');
    const pending = await this.pendingJoins.findPendingJoinByDigest(digestOf(join));
    if (!stored || !pending || stored.subject !== toTokenSubject(pending.id)) throw authErrors.TOKEN_INVALID();
    if (stored.isExpired && stored.usedAt === null) throw authErrors.TOKEN_INVALID();
    const zone = await this.findActiveZone(pending);
    if (!zone) throw authErrors.TOKEN_INVALID();
    return { token: stored, pending, zone };
  }

  /** Returns the request's zone, unless the zone is deleted or its owner deactivated. */
  private async findActiveZone({ zoneId }: PendingJoin): Promise<Zone | null> {
    const zone = await this.zones.findZone(zoneId);
    return zone && !(await this.userRepository.getManagedUser(zone.ownerId)).deactivatedAt ? zone : null;
  }

  /**
   * Verifies the address and joins. Of two concurrent calls one joins, and both get the same response.
   * @throws TOKEN_INVALID, LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES, ZONE_FULL (the emailed link stays valid)
   * @throws LINK_ALREADY_USED; CONSENT_REQUIRED if the zone has started to require it since
   */
  async completeByLink(link: JoinLink, origin: SessionOrigin): Promise<CompletedJoin> {
    const found = await this.findJoin(link);
    if (found.token.usedAt !== null) return this.toRepeatedJoin(found);
    return this.verifyAndJoin(found, (em) => this.tokens.consumeToken(em, found.token.id), origin);
  }

  /**
   * Verifies the address and joins by the emailed code, entered in the window that made the request, for example when
   * the email is read on a phone. Also uses up the emailed link. No other window can try a code.
   * @throws CODE_INVALID, without distinction, for an unknown window and for a wrong, expired, used or too often tried
   * code; otherwise the errors of `completeByLink`
   */
  async completeByCode({ handle, code }: JoinCode, origin: SessionOrigin): Promise<CompletedJoin> {
    const pending = await this.pendingJoins.findPendingJoinByHandle(digestOf(handle));
    const zone = pending && (await this.findActiveZone(pending));
    if (!zone) throw authErrors.CODE_INVALID();
    const subject = toTokenSubject(pending.id);
    const codeId = await this.codes.verifyCode(pending.email, 'join', code, [subject]);
    const use = async (em: EntityManager) => {
      await this.codes.consumeCode(em, codeId);
      return this.tokens.consumeTokensOfSubject(em, 'verify-email', subject);
    };
    return this.verifyAndJoin({ pending, zone }, use, origin);
  }

  /** @param use consumes the token or code; returns false if it was already used */
  private verifyAndJoin(
    pendingJoin: PendingJoinWithZone,
    use: (em: EntityManager) => Promise<boolean>,
    origin: SessionOrigin,
  ): Promise<CompletedJoin> {
    const { ownerId } = pendingJoin.zone;
    const { usageId } = pendingJoin.pending;
    const work = () =>
      this.zoneCapacity.translatePlanLimit(ownerId, null, () =>
        inTransaction(this.em, async (em) => {
          if (!(await use(em))) return this.toRepeatedJoin(pendingJoin);
          return { ...pendingJoin, repeated: false, ...(await this.joinZone(em, pendingJoin, origin)) };
        }),
      );
    setPoolTenantOwner(ownerId);
    return usageId == null ? work() : this.linkUsage.recordFailureOf(usageId, work);
  }

  private async toRepeatedJoin(found: PendingJoinWithZone): Promise<CompletedJoin> {
    return { ...found, repeated: true, entry: null, waits: await this.isStillAwaitingApproval(found) };
  }

  /**
   * The result of a used link may no longer apply: the owner may have approved the request, or the person may have
   * left.
   */
  private async isStillAwaitingApproval(found: PendingJoinWithZone): Promise<boolean> {
    const status = await this.linkZones.findMembershipStatus(found.zone.id, found.pending.email);
    if (status === 'out') throw authErrors.TOKEN_INVALID();
    return status === 'asked';
  }

  /** Returns the key of the response message. */
  getOutcome(join: CompletedJoin): 'alreadyDone' | 'verified' | 'waiting' {
    if (join.waits) return 'waiting';
    return join.repeated ? 'alreadyDone' : 'verified';
  }

  /** Returns the details of the response. */
  toResponse(join: CompletedJoin, viewer: Viewer | null) {
    const redirectUrl = this.getRedirectUrl(join, viewer);
    return { redirectUrl, zoneName: join.zone.name, email: join.pending.email, requiresApproval: join.waits };
  }

  /** Returns the next page: the zone for people signed in with that address, otherwise sign-in or its second step. */
  private getRedirectUrl(join: CompletedJoin, viewer: Viewer | null): string {
    const { zone, pending, entry } = join;
    const isIn = !join.waits;
    if (entry && !isSessionCreated(entry)) return mfaRedirectPath(isIn ? `/zones/${zone.id}` : '/');
    if (entry || viewer?.email === pending.email) return isIn ? `/zones/${zone.id}` : '/';
    return `/auth?mode=login&email=${encodeURIComponent(pending.email)}`;
  }

  private async joinZone(em: EntityManager, { pending }: PendingJoinWithZone, origin: SessionOrigin) {
    const { id } = await this.users.findOrCreateVerified(em, pending.email, pending.language);
    await this.userRepository.saveUsers(em);
    // Locked, so that a concurrent password change or deactivation happens before the session is created, or ends it.
    const user = await this.userRepository.lockUser(em, id);
    if (user.deactivatedAt) throw authErrors.TOKEN_INVALID();
    await this.pendingJoins.setCompleted(em, pending);
    const { usageId } = pending;
    const joined = { userId: user.id, wasNewUser: user.password === null };
    const onMemberAdded = async () => {
      if (usageId != null) await this.usages.updateJoined(em, usageId, joined);
    };
    const entry = await this.links.joinByLink(em, toUsedLink(pending), {
      user,
      consent: toConsent(pending),
      onMemberAdded,
    });
    if (usageId != null && entry !== 'joined')
      await this.usages.updateOutcome(em, usageId, entry === 'waiting' ? entry : 'ALREADY_MEMBER');
    const session = { origin, restricted: false, confirmed: false };
    const signIn = !hasPermanentSignIn(user) ? await this.opener.createSession(em, user, session) : null;
    return { entry: signIn, waits: entry === 'waiting' };
  }
}

/** Returns the link as requested; if the temporary link has been deleted since, neither kind is set. */
function toUsedLink({ zoneId, linkId, publicLink, createdAt }: PendingJoin): UsedLink {
  return { zoneId, linkId: linkId ?? null, publicLink: publicLink ?? null, askedAt: createdAt };
}

function toConsent(pending: PendingJoin): Consent | null {
  const { consentText: text, ipAddress } = pending;
  return text == null ? null : { ipAddress: ipAddress ?? null, method: getConsentMethod(toUsedLink(pending)), text };
}
