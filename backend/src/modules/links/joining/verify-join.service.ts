import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { chargeOwner } from '../../../platform/database/pool/places.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { authErrors } from '../../auth/auth.errors.js';
import { hasOwnSignIn } from '../../auth/access/user.policy.js';
import { digestOf } from '../../../platform/security/secrets.js';
import type { SessionOrigin } from '../../auth/sessions/session.service.js';
import { factorPage } from '../../auth/sign-in/entry-answer.service.js';
import { isOpened, SessionOpener, type Entry } from '../../auth/sign-in/session-opener.service.js';
import { VerificationCodeService } from '../../auth/registration/verification-code.service.js';
import { SingleUseTokenService, type StoredToken } from '../../auth/tokens/single-use-token.service.js';
import { UserService } from '../../auth/users/user.service.js';
import { Zone } from '../../zones/entities/zone.entity.js';
import type { Consent } from '../../zones/joining/member-admission.service.js';
import { ZoneFullService } from '../../zones/zone/zone-full.service.js';
import { PendingJoin } from '../entities/pending-join.entity.js';
import { methodOf } from './join.service.js';
import { PendingJoins, subjectOf } from './pending-joins.service.js';
import { LinkEntryService, type UsedLink } from '../link-entry.service.js';
import { LinkUsages } from '../figures/link-usage.service.js';

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
interface AskedJoin {
  readonly pending: PendingJoin;
  readonly zone: Zone;
}

/** What the mailed link leads to. */
export interface FoundJoin extends AskedJoin {
  readonly token: StoredToken;
}

export interface CompletedJoin extends AskedJoin {
  /** True for a click or a code after the first; it changes nothing and opens no session. */
  readonly repeated: boolean;
  /** Whether the click was a request that the owner decides about. */
  readonly waits: boolean;
  /** A person new to us gets a session that reads; who has a second factor is asked for it. */
  readonly entry: Entry | null;
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
    private readonly opener: SessionOpener,
    private readonly links: LinkEntryService,
    private readonly usages: LinkUsages,
    private readonly zoneFull: ZoneFullService,
    private readonly pending: PendingJoins,
  ) {}

  /**
   * Looks at what the link would do, and changes nothing: mail scanners follow links.
   * @throws TOKEN_INVALID for an unknown, mismatched or expired link, and for a used one of somebody who is in the zone no
   * more, all alike
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES when the link to the zone lets nobody in any more
   * @throws CONSENT_REQUIRED, LINK_ALREADY_USED when the click would be refused so
   */
  async look(mailed: JoinLink): Promise<FoundJoin & { waits: boolean }> {
    const found = await this.find(mailed);
    if (found.token.usedAt !== null) return { ...found, waits: await this.stillWaits(found) };
    const { email, consentText } = found.pending;
    const link = linkOf(found.pending);
    await this.links.check(link);
    const waits = await this.pending.waitsForOwner(found);
    if ((await this.pending.standing(found)) === 'in') return { ...found, waits };
    await this.links.foresee(link, { email, hasAgreed: consentText != null, waits });
    return { ...found, waits };
  }

  private async find({ token, join }: JoinLink): Promise<FoundJoin> {
    const stored = await this.tokens.find(token, 'verify-email');
    const pending = await this.em.findOne(PendingJoin, { digest: digestOf(join) });
    if (!stored || !pending || stored.subject !== subjectOf(pending.id)) throw authErrors.TOKEN_INVALID();
    if (stored.expired && stored.usedAt === null) throw authErrors.TOKEN_INVALID();
    const zone = await this.zoneOf(pending);
    if (!zone) throw authErrors.TOKEN_INVALID();
    return { token: stored, pending, zone };
  }

  /** The zone that somebody asked for, while its owner has it. */
  private async zoneOf({ zoneId }: PendingJoin): Promise<Zone | null> {
    const zone = await this.em.findOne(Zone, { id: zoneId, deletedAt: null });
    return zone && !(await this.users.findById(zone.ownerId)).deactivatedAt ? zone : null;
  }

  /**
   * Verifies the address and joins. Two tabs at once: one joins, the other is told the same.
   * @throws TOKEN_INVALID, LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES, ZONE_FULL (the mailed link stays good)
   * @throws LINK_ALREADY_USED; CONSENT_REQUIRED when the zone has come to require it since
   */
  async complete(link: JoinLink, origin: SessionOrigin): Promise<CompletedJoin> {
    const found = await this.find(link);
    if (found.token.usedAt !== null) return this.repeated(found);
    return this.prove(found, (em) => this.tokens.use(em, found.token.id), origin);
  }

  /**
   * The same by the code of the mail, typed in the window in which the person asked: whoever reads the mail on a phone
   * goes on at the desk. The mailed link is used up with it. Nobody else can try a code.
   * @throws CODE_INVALID for an unknown window and a wrong, old, used or too often tried code, all alike; beyond that as
   * `complete`
   */
  async completeByCode({ handle, code }: JoinCode, origin: SessionOrigin): Promise<CompletedJoin> {
    const pending = await this.em.findOne(PendingJoin, { handleDigest: digestOf(handle) });
    const zone = pending && (await this.zoneOf(pending));
    if (!zone) throw authErrors.CODE_INVALID();
    const subject = subjectOf(pending.id);
    const codeId = await this.codes.check(pending.email, 'join', code, [subject]);
    const use = async (em: EntityManager) => {
      await this.codes.use(em, codeId);
      return this.tokens.useAbout(em, 'verify-email', subject);
    };
    return this.prove({ pending, zone }, use, origin);
  }

  /** @param use uses up what the person has brought; false when it has done its work already */
  private prove(
    asked: AskedJoin,
    use: (em: EntityManager) => Promise<boolean>,
    origin: SessionOrigin,
  ): Promise<CompletedJoin> {
    const { ownerId } = asked.zone;
    const { usageId } = asked.pending;
    const work = () =>
      this.zoneFull.guard(ownerId, null, () =>
        inTransaction(this.em, async (em) => {
          if (!(await use(em))) return this.repeated(asked);
          return { ...asked, repeated: false, ...(await this.enter(em, asked, origin)) };
        }),
      );
    chargeOwner(ownerId);
    return usageId == null ? work() : this.usages.watchLater(usageId, work);
  }

  private async repeated(found: AskedJoin): Promise<CompletedJoin> {
    return { ...found, repeated: true, entry: null, waits: await this.stillWaits(found) };
  }

  /** What a used link led to may be over: the owner has let the person in, or they are in the zone no more. */
  private async stillWaits(found: AskedJoin): Promise<boolean> {
    const standing = await this.pending.standing(found);
    if (standing === 'out') throw authErrors.TOKEN_INVALID();
    return standing === 'asked';
  }

  /** Which sentence tells what the click did. */
  outcome(join: CompletedJoin): 'alreadyDone' | 'verified' | 'waiting' {
    if (join.waits) return 'waiting';
    return join.repeated ? 'alreadyDone' : 'verified';
  }

  /** What the page is told beside that sentence. */
  told(join: CompletedJoin, viewer: Viewer | null) {
    const redirectUrl = this.redirectUrl(join, viewer);
    return { redirectUrl, zoneName: join.zone.name, email: join.pending.email, requiresApproval: join.waits };
  }

  /** Where the page goes on: the zone for whoever is signed in as that person, else sign-in or the profile. */
  private redirectUrl(join: CompletedJoin, viewer: Viewer | null): string {
    const { zone, pending, entry } = join;
    const isIn = !join.waits;
    if (entry && !isOpened(entry)) return factorPage(isIn ? `/zones/${zone.id}` : '/');
    if (entry || viewer?.email === pending.email) return isIn ? `/zones/${zone.id}` : '/';
    return `/auth?mode=login&email=${encodeURIComponent(pending.email)}`;
  }

  private async enter(em: EntityManager, { pending }: AskedJoin, origin: SessionOrigin) {
    const { id } = await this.users.findOrCreateVerified(em, pending.email, pending.language);
    await em.flush();
    // A password or a deactivation comes before the session or ends it, never between.
    const user = await this.users.lock(em, id);
    if (user.deactivatedAt) throw authErrors.TOKEN_INVALID();
    pending.completedAt = this.clock.now();
    await em.flush();
    const { usageId } = pending;
    const joined = { userId: user.id, wasNewUser: user.password === null };
    const alsoWrite = async () => {
      if (usageId != null) await this.usages.completed(em, usageId, joined);
    };
    const entry = await this.links.enter(em, linkOf(pending), { user, consent: consentOf(pending), alsoWrite });
    if (usageId != null && entry !== 'joined')
      await this.usages.ended(em, usageId, entry === 'waiting' ? entry : 'ALREADY_MEMBER');
    const session = { origin, restricted: false, confirmed: false };
    const opened = !hasOwnSignIn(user) ? await this.opener.enter(em, user, session) : null;
    return { entry: opened, waits: entry === 'waiting' };
  }
}

/** The way in as it was asked for; a temporary link that has been deleted since is neither. */
function linkOf({ zoneId, linkId, publicLink, createdAt }: PendingJoin): UsedLink {
  return { zoneId, linkId: linkId ?? null, publicLink: publicLink ?? null, askedAt: createdAt };
}

function consentOf(pending: PendingJoin): Consent | null {
  const { consentText: text, ipAddress } = pending;
  return text == null ? null : { ipAddress: ipAddress ?? null, method: methodOf(linkOf(pending)), text };
}
