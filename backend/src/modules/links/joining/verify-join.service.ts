import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { chargeOwner } from '../../../platform/database/pool/places.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { authErrors } from '../../auth/auth.errors.js';
import { digestOf } from '../../../platform/security/secrets.js';
import type { SessionOrigin } from '../../auth/sessions/session.service.js';
import { factorPage } from '../../auth/sign-in/entry-answer.service.js';
import { isOpened, SessionOpener, type Entry } from '../../auth/sign-in/session-opener.service.js';
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

/** What the mailed link leads to. */
export interface FoundJoin {
  readonly token: StoredToken;
  readonly pending: PendingJoin;
  readonly zone: Zone;
}

export interface CompletedJoin extends FoundJoin {
  /** True for a click after the first; it changes nothing and opens no session. */
  readonly repeated: boolean;
  /** Whether the click was a request that the owner decides about. */
  readonly waits: boolean;
  /** A person new to us gets a session that reads; who has a second factor is asked for it. */
  readonly entry: Entry | null;
}

/** The second step of joining by link: the click in the mail. */
@Injectable()
export class VerifyJoinService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly tokens: SingleUseTokenService,
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
    const zone = await this.em.findOne(Zone, { id: pending.zoneId, deletedAt: null });
    if (!zone || (await this.users.findById(zone.ownerId)).deactivatedAt) throw authErrors.TOKEN_INVALID();
    return { token: stored, pending, zone };
  }

  /**
   * Verifies the address and joins. Two tabs at once: one joins, the other is told the same.
   * @throws TOKEN_INVALID, LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES, ZONE_FULL (the mailed link stays good)
   * @throws LINK_ALREADY_USED; CONSENT_REQUIRED when the zone has come to require it since
   */
  async complete(link: JoinLink, origin: SessionOrigin): Promise<CompletedJoin> {
    const found = await this.find(link);
    if (found.token.usedAt !== null) return this.repeated(found);
    const work = () => this.zoneFull.guard(found.zone.ownerId, null, () => this.useToken(found, origin));
    chargeOwner(found.zone.ownerId);
    const { usageId } = found.pending;
    return usageId == null ? work() : this.usages.watchLater(usageId, work);
  }

  private useToken(found: FoundJoin, origin: SessionOrigin): Promise<CompletedJoin> {
    return inTransaction(this.em, async (em) => {
      if (!(await this.tokens.use(em, found.token.id))) return this.repeated(found);
      return { ...found, repeated: false, ...(await this.enter(em, found, origin)) };
    });
  }

  private async repeated(found: FoundJoin): Promise<CompletedJoin> {
    return { ...found, repeated: true, entry: null, waits: await this.stillWaits(found) };
  }

  /** What a used link led to may be over: the owner has let the person in, or they are in the zone no more. */
  private async stillWaits(found: FoundJoin): Promise<boolean> {
    const standing = await this.pending.standing(found);
    if (standing === 'out') throw authErrors.TOKEN_INVALID();
    return standing === 'asked';
  }

  /** Which sentence tells what the click did. */
  outcome(join: CompletedJoin): 'alreadyDone' | 'verified' | 'waiting' {
    if (join.waits) return 'waiting';
    return join.repeated ? 'alreadyDone' : 'verified';
  }

  /** Where the page goes on: the zone for whoever is signed in as that person, else sign-in or the profile. */
  redirectUrl(join: CompletedJoin, viewer: Viewer | null): string {
    const { zone, pending, entry } = join;
    const isIn = !join.waits;
    if (entry && !isOpened(entry)) return factorPage(isIn ? `/zones/${zone.id}` : '/');
    if (entry || viewer?.email === pending.email) return isIn ? `/zones/${zone.id}` : '/';
    return `/auth?mode=login&email=${encodeURIComponent(pending.email)}`;
  }

  private async enter(em: EntityManager, { pending }: FoundJoin, origin: SessionOrigin) {
    const user = await this.users.findOrCreateVerified(em, pending.email, pending.language);
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
    const opened = user.password === null ? await this.opener.enter(em, user, session) : null;
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
