import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
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
import { SingleUseTokenService, type StoredToken } from '../../auth/tokens/single-use-token.service.js';
import { UserService } from '../../auth/users/user.service.js';
import { Zone } from '../../zones/entities/zone.entity.js';
import type { Consent } from '../../zones/joining/membership.service.js';
import { ZoneFullService } from '../../zones/zone/zone-full.service.js';
import { PendingJoin } from '../entities/pending-join.entity.js';
import { getConsentMethod } from './join.service.js';
import { PendingJoinService, toTokenSubject } from './pending-join.service.js';
import { LinkEntryService, type UsedLink } from '../link-entry.service.js';
import { LinkUsageService } from '../analytics/link-usage.service.js';

/** The two parameters of the mailed link. */
export interface JoinLink {
  readonly token: string;
  readonly join: string;
}

/** The code of the mail, and the window in which the person asked. */
export interface JoinCode {
  readonly handle: string;
  readonly code: string;
}

/** What somebody asked for. */
interface PendingJoinWithZone {
  readonly pending: PendingJoin;
  readonly zone: Zone;
}

/** What the mailed link leads to. */
export interface FoundJoin extends PendingJoinWithZone {
  readonly token: StoredToken;
}

export interface CompletedJoin extends PendingJoinWithZone {
  /** True for a click or a code after the first; it changes nothing and opens no session. */
  readonly repeated: boolean;
  /** Whether the click was a request that the owner decides about. */
  readonly waits: boolean;
  /** A person new to us gets a session that reads; who has a second factor is asked for it. */
  readonly entry: SignInResult | null;
}

/** The second step of joining by link: the click in the mail, or its code. */
@Injectable()
export class VerifyJoinService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly tokens: SingleUseTokenService,
    private readonly codes: VerificationCodeService,
    private readonly users: UserService,
    private readonly opener: SessionIssuerService,
    private readonly links: LinkEntryService,
    private readonly linkUsage: LinkUsageService,
    private readonly zoneFull: ZoneFullService,
    private readonly pendingJoin: PendingJoinService,
  ) {}

  /**
   * Looks at what the link would do, and changes nothing: mail scanners follow links.
   * @throws TOKEN_INVALID for an unknown, mismatched or expired link, and for a used one of somebody who is in the zone no
   * more, all alike
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES when the link to the zone lets nobody in any more
   * @throws CONSENT_REQUIRED, LINK_ALREADY_USED when the click would be refused so
   */
  async previewJoin(mailed: JoinLink): Promise<FoundJoin & { waits: boolean }> {
    const found = await this.findJoin(mailed);
    if (found.token.usedAt !== null) return { ...found, waits: await this.isStillAwaitingApproval(found) };
    const { email, consentText } = found.pending;
    const link = toUsedLink(found.pending);
    await this.links.assertLinkValid(link);
    const waits = await this.pendingJoin.requiresApproval(found);
    if ((await this.pendingJoin.getMembershipStatus(found)) === 'in') return { ...found, waits };
    await this.links.assertJoinAllowed(link, { email, hasConsented: consentText != null, waits });
    return { ...found, waits };
  }

  private async findJoin({ token, join }: JoinLink): Promise<FoundJoin> {
    const stored = await this.tokens.findToken(token, 'verify-email');
    const pending = await this.em.findOne(PendingJoin, { digest: digestOf(join) });
    if (!stored || !pending || stored.subject !== toTokenSubject(pending.id)) throw authErrors.TOKEN_INVALID();
    if (stored.isExpired && stored.usedAt === null) throw authErrors.TOKEN_INVALID();
    const zone = await this.findActiveZone(pending);
    if (!zone) throw authErrors.TOKEN_INVALID();
    return { token: stored, pending, zone };
  }

  /** The zone that somebody asked for, while its owner has it. */
  private async findActiveZone({ zoneId }: PendingJoin): Promise<Zone | null> {
    const zone = await this.em.findOne(Zone, { id: zoneId, deletedAt: null });
    return zone && !(await this.users.findById(zone.ownerId)).deactivatedAt ? zone : null;
  }

  /**
   * Verifies the address and joins. Two tabs at once: one joins, the other is told the same.
   * @throws TOKEN_INVALID, LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES, ZONE_FULL (the mailed link stays good)
   * @throws LINK_ALREADY_USED; CONSENT_REQUIRED when the zone has come to require it since
   */
  async completeByLink(link: JoinLink, origin: SessionOrigin): Promise<CompletedJoin> {
    const found = await this.findJoin(link);
    if (found.token.usedAt !== null) return this.toRepeatedJoin(found);
    return this.verifyAndJoin(found, (em) => this.tokens.consumeToken(em, found.token.id), origin);
  }

  /**
   * The same by the code of the mail, typed in the window in which the person asked: whoever reads the mail on a phone
   * goes on at the desk. The mailed link is used up with it. Nobody else can try a code.
   * @throws CODE_INVALID for an unknown window and a wrong, old, used or too often tried code, all alike; beyond that as
   * `complete`
   */
  async completeByCode({ handle, code }: JoinCode, origin: SessionOrigin): Promise<CompletedJoin> {
    const pending = await this.em.findOne(PendingJoin, { handleDigest: digestOf(handle) });
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

  /** @param use uses up what the person has brought; false when it has done its work already */
  private verifyAndJoin(
    pendingJoin: PendingJoinWithZone,
    use: (em: EntityManager) => Promise<boolean>,
    origin: SessionOrigin,
  ): Promise<CompletedJoin> {
    const { ownerId } = pendingJoin.zone;
    const { usageId } = pendingJoin.pending;
    const work = () =>
      this.zoneFull.withZoneFullError(ownerId, null, () =>
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

  /** What a used link led to may be over: the owner has let the person in, or they are in the zone no more. */
  private async isStillAwaitingApproval(found: PendingJoinWithZone): Promise<boolean> {
    const status = await this.pendingJoin.getMembershipStatus(found);
    if (status === 'out') throw authErrors.TOKEN_INVALID();
    return status === 'asked';
  }

  /** Which sentence tells what the click did. */
  getOutcome(join: CompletedJoin): 'alreadyDone' | 'verified' | 'waiting' {
    if (join.waits) return 'waiting';
    return join.repeated ? 'alreadyDone' : 'verified';
  }

  /** What the page is told beside that sentence. */
  toResponse(join: CompletedJoin, viewer: Viewer | null) {
    const redirectUrl = this.getRedirectUrl(join, viewer);
    return { redirectUrl, zoneName: join.zone.name, email: join.pending.email, requiresApproval: join.waits };
  }

  /** Where the page goes on: the zone for whoever is signed in as that person, else sign-in or the profile. */
  private getRedirectUrl(join: CompletedJoin, viewer: Viewer | null): string {
    const { zone, pending, entry } = join;
    const isIn = !join.waits;
    if (entry && !isSessionCreated(entry)) return mfaRedirectPath(isIn ? `/zones/${zone.id}` : '/');
    if (entry || viewer?.email === pending.email) return isIn ? `/zones/${zone.id}` : '/';
    return `/auth?mode=login&email=${encodeURIComponent(pending.email)}`;
  }

  private async joinZone(em: EntityManager, { pending }: PendingJoinWithZone, origin: SessionOrigin) {
    const { id } = await this.users.findOrCreateVerified(em, pending.email, pending.language);
    await em.flush();
    // A password or a deactivation comes before the session or ends it, never between.
    const user = await this.users.lockUser(em, id);
    if (user.deactivatedAt) throw authErrors.TOKEN_INVALID();
    pending.completedAt = this.clock.now();
    await em.flush();
    const { usageId } = pending;
    const joined = { userId: user.id, wasNewUser: user.password === null };
    const onMemberAdded = async () => {
      if (usageId != null) await this.linkUsage.markJoined(em, usageId, joined);
    };
    const entry = await this.links.joinByLink(em, toUsedLink(pending), {
      user,
      consent: toConsent(pending),
      onMemberAdded,
    });
    if (usageId != null && entry !== 'joined')
      await this.linkUsage.markOutcome(em, usageId, entry === 'waiting' ? entry : 'ALREADY_MEMBER');
    const session = { origin, restricted: false, confirmed: false };
    const signIn = !hasPermanentSignIn(user) ? await this.opener.createSession(em, user, session) : null;
    return { entry: signIn, waits: entry === 'waiting' };
  }
}

/** The way in as it was asked for; a temporary link that has been deleted since is neither. */
function toUsedLink({ zoneId, linkId, publicLink, createdAt }: PendingJoin): UsedLink {
  return { zoneId, linkId: linkId ?? null, publicLink: publicLink ?? null, askedAt: createdAt };
}

function toConsent(pending: PendingJoin): Consent | null {
  const { consentText: text, ipAddress } = pending;
  return text == null ? null : { ipAddress: ipAddress ?? null, method: getConsentMethod(toUsedLink(pending)), text };
}
