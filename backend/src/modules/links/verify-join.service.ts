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
import { JoinRequestService } from '../zones/join-request.service.js';
import type { Consent } from '../zones/membership.service.js';
import { ZoneFullService } from '../zones/zone-full.service.js';
import { PendingJoin } from './entities/pending-join.entity.js';

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

/** The second step of joining by link: the click in the mail. */
@Injectable()
export class VerifyJoinService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly tokens: SingleUseTokenService,
    private readonly users: UserService,
    private readonly sessions: SessionService,
    private readonly entries: JoinRequestService,
    private readonly zoneFull: ZoneFullService,
  ) {}

  /**
   * Looks at what the link would do, and changes nothing: mail scanners follow links.
   * @throws TOKEN_INVALID for an unknown, mismatched or expired link, all alike
   */
  async find({ token, join }: JoinLink): Promise<FoundJoin> {
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
   * @throws TOKEN_INVALID, ZONE_FULL (the link stays good)
   */
  async complete(link: JoinLink, origin: SessionOrigin): Promise<CompletedJoin> {
    const found = await this.find(link);
    if (found.token.usedAt !== null) return { ...found, repeated: true, sid: null };
    return this.zoneFull.guard(found.zone.ownerId, null, () =>
      inTransaction(this.em, async (em) => {
        if (!(await this.tokens.use(em, found.token.id))) return { ...found, repeated: true, sid: null };
        return { ...found, repeated: false, sid: await this.enter(em, found, origin) };
      }),
    );
  }

  /** Which sentence tells what the click did. */
  outcome({ repeated, zone }: CompletedJoin): 'alreadyDone' | 'verified' | 'waiting' {
    if (!zone.autoJoin) return 'waiting';
    return repeated ? 'alreadyDone' : 'verified';
  }

  /** Where the page goes on: the zone for whoever is signed in as that person, else sign-in or the profile. */
  redirectUrl({ zone, pending, sid }: CompletedJoin, viewer: Viewer | null): string {
    if (sid !== null) return zone.autoJoin ? `/complete-profile?zone=${zone.id}` : '/complete-profile';
    if (viewer?.email === pending.email) return zone.autoJoin ? `/zones/${zone.id}` : '/';
    return `/auth?mode=login&email=${encodeURIComponent(pending.email)}`;
  }

  private async enter(em: EntityManager, { pending, zone }: FoundJoin, origin: SessionOrigin): Promise<string | null> {
    const user = await this.users.findOrCreateVerified(em, pending.email, pending.language);
    if (user.deactivatedAt) throw authErrors.TOKEN_INVALID();
    pending.completedAt = this.clock.now();
    await em.flush();
    await this.entries.enter(em, { zone, user, method: 'public_link', consent: consentOf(pending) }, zone.autoJoin);
    return user.password === null ? this.sessions.open(em, user.id, true, origin) : null;
  }
}

function consentOf({ consentText, ipAddress }: PendingJoin): Consent | null {
  return consentText == null ? null : { ipAddress: ipAddress ?? null, method: 'public_link', text: consentText };
}
