import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { Viewer } from '../../platform/http/viewer.js';
import { authErrors } from '../auth/auth.errors.js';
import { digestOf } from '../../platform/security/secrets.js';
import { SessionService, type SessionOrigin } from '../auth/session.service.js';
import { SingleUseTokenService, type StoredToken } from '../auth/single-use-token.service.js';
import { UserService } from '../auth/user.service.js';
import { Zone } from '../zones/entities/zone.entity.js';
import type { Consent } from '../zones/membership.service.js';
import { ZoneFullService } from '../zones/zone-full.service.js';
import { PendingJoin } from './entities/pending-join.entity.js';
import { methodOf } from './join.service.js';
import { LinkEntryService, type WayIn } from './link-entry.service.js';
import { LinkUsages } from './link-usage.service.js';

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
  /** For the cookie: a person new to us gets a restricted session. */
  readonly sid: string | null;
}

/** The subject under which the token of a pending join is stored. */
export function subjectOf(pendingJoinId: number): string {
  return `join:${pendingJoinId}`;
}

/** True where the click is a request that the owner decides about; a temporary link is the owner's word already. */
export function waitsForOwner({ pending, zone }: Pick<FoundJoin, 'pending' | 'zone'>): boolean {
  return pending.publicLink != null && !zone.autoJoin;
}

/** The second step of joining by link: the click in the mail. */
@Injectable()
export class VerifyJoinService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly tokens: SingleUseTokenService,
    private readonly users: UserService,
    private readonly sessions: SessionService,
    private readonly ways: LinkEntryService,
    private readonly usages: LinkUsages,
    private readonly zoneFull: ZoneFullService,
  ) {}

  /**
   * Looks at what the link would do, and changes nothing: mail scanners follow links.
   * @throws TOKEN_INVALID for an unknown, mismatched or expired link, all alike
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES when the link to the zone lets nobody in any more
   */
  async look(link: JoinLink): Promise<FoundJoin> {
    const found = await this.find(link);
    if (found.token.usedAt === null) await this.ways.check(wayOf(found.pending));
    return found;
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
   */
  async complete(link: JoinLink, origin: SessionOrigin): Promise<CompletedJoin> {
    const found = await this.find(link);
    if (found.token.usedAt !== null) return { ...found, repeated: true, sid: null };
    const work = () => this.zoneFull.guard(found.zone.ownerId, null, () => this.useToken(found, origin));
    const { usageId } = found.pending;
    return usageId == null ? work() : this.usages.watchLater(usageId, work);
  }

  private useToken(found: FoundJoin, origin: SessionOrigin): Promise<CompletedJoin> {
    return inTransaction(this.em, async (em) => {
      if (!(await this.tokens.use(em, found.token.id))) return { ...found, repeated: true, sid: null };
      return { ...found, repeated: false, sid: await this.enter(em, found, origin) };
    });
  }

  /** Which sentence tells what the click did. */
  outcome(join: CompletedJoin): 'alreadyDone' | 'verified' | 'waiting' {
    if (waitsForOwner(join)) return 'waiting';
    return join.repeated ? 'alreadyDone' : 'verified';
  }

  /** Where the page goes on: the zone for whoever is signed in as that person, else sign-in or the profile. */
  redirectUrl(join: CompletedJoin, viewer: Viewer | null): string {
    const { zone, pending, sid } = join;
    const isIn = !waitsForOwner(join);
    if (sid !== null) return isIn ? `/complete-profile?zone=${zone.id}` : '/complete-profile';
    if (viewer?.email === pending.email) return isIn ? `/zones/${zone.id}` : '/';
    return `/auth?mode=login&email=${encodeURIComponent(pending.email)}`;
  }

  private async enter(em: EntityManager, { pending }: FoundJoin, origin: SessionOrigin): Promise<string | null> {
    const user = await this.users.findOrCreateVerified(em, pending.email, pending.language);
    if (user.deactivatedAt) throw authErrors.TOKEN_INVALID();
    pending.completedAt = this.clock.now();
    await em.flush();
    const { usageId } = pending;
    const joined = { userId: user.id, wasNewUser: user.password === null };
    const alongside = async () => {
      if (usageId != null) await this.usages.completed(em, usageId, joined);
    };
    const entry = await this.ways.enter(em, wayOf(pending), { user, consent: consentOf(pending), alongside });
    if (usageId != null && entry !== 'joined')
      await this.usages.ended(em, usageId, entry === 'waiting' ? entry : 'ALREADY_MEMBER');
    return user.password === null ? this.sessions.open(em, user.id, true, origin) : null;
  }
}

/** The way in as it was asked for; a temporary link that has been deleted since is neither. */
function wayOf({ zoneId, linkId, publicLink, createdAt }: PendingJoin): WayIn {
  return { zoneId, linkId: linkId ?? null, publicLink: publicLink ?? null, askedAt: createdAt };
}

function consentOf(pending: PendingJoin): Consent | null {
  const { consentText: text, ipAddress } = pending;
  return text == null ? null : { ipAddress: ipAddress ?? null, method: methodOf(wayOf(pending)), text };
}
