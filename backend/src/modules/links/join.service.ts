import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { after, Clock, DAY, HOUR, MINUTE } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { Language } from '../../platform/errors/app-error.js';
import { networkOf } from '../../platform/http/client-network.js';
import { RateLimits, type RateRule } from '../../platform/http/rate-limits.service.js';
import type { Viewer } from '../../platform/http/viewer.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { UserService } from '../auth/user.service.js';
import { ZoneFullService } from '../zones/zone-full.service.js';
import { consentText } from '../zones/consent.policy.js';
import { PendingJoinSchema } from './entities/pending-join.entity.js';
import { LinkEntryService, type WayIn } from './link-entry.service.js';
import { LinkPasswords } from './link-password.service.js';
import { LinkUsages, type Try } from './link-usage.service.js';
import { linkErrors } from './links.errors.js';
import { sendJoinVerification } from './send-join-verification.job.js';

/** A link to verify the address lives as long. */
export const JOIN_LIFETIME = DAY;

const BY_EMAIL: RateRule = { name: 'join', limit: 10, window: HOUR };
const BY_ADDRESS: RateRule = { name: 'join-ip', limit: 120, window: MINUTE };

/** A link, of either kind, as somebody stands before it. */
export interface Entrance {
  readonly zone: { readonly id: number; readonly ownerId: number; readonly requiresEmailOptin: boolean };
  /** Null: the public link. */
  readonly link: { readonly id: number; readonly password: string | null } | null;
  readonly publicLink: string | null;
}

export interface JoinAttempt {
  readonly email: string;
  readonly emailConsent: boolean;
  /** The word that the link may ask for. */
  readonly password?: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly language: Language;
}

/** Joined, waiting for the owner, or a mail with a link is on its way. */
export type JoinOutcome = 'joined' | 'waiting' | 'mailSent';

/** Joining a zone by a link. */
@Injectable()
export class JoinService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly limits: RateLimits,
    private readonly jobs: Jobs,
    private readonly users: UserService,
    private readonly ways: LinkEntryService,
    private readonly passwords: LinkPasswords,
    private readonly usages: LinkUsages,
    private readonly zoneFull: ZoneFullService,
  ) {}

  /**
   * Joins at once somebody signed in under the address that they name; anybody else gets a mail with a link, and the
   * same answer whether the address is known or not. Every try is recorded.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES, LINK_PASSWORD_WRONG, CONSENT_REQUIRED, ALREADY_MEMBER (to the
   * signed-in person only), ZONE_FULL, TOO_MANY_REQUESTS
   */
  async join(entrance: Entrance, attempt: JoinAttempt, viewer: Viewer | null): Promise<JoinOutcome> {
    const { ipAddress, userAgent } = attempt;
    await this.limits.take(BY_ADDRESS, networkOf(ipAddress));
    const trace = { zoneId: entrance.zone.id, linkId: entrance.link?.id ?? null, ipAddress, userAgent };
    return this.usages.watch(trace, () => this.tryToJoin(entrance, attempt, trace, viewer));
  }

  private async tryToJoin(
    entrance: Entrance,
    attempt: JoinAttempt,
    trace: Try,
    viewer: Viewer | null,
  ): Promise<JoinOutcome> {
    const way = wayOf(entrance, this.clock.now());
    const self = viewer?.email === attempt.email ? viewer : null;
    if (!self) await this.ways.check(way);
    if (entrance.zone.requiresEmailOptin && !attempt.emailConsent) throw linkErrors.CONSENT_REQUIRED();
    if (entrance.link) await this.passwords.check(entrance.link, attempt.password ?? '', attempt.ipAddress);
    if (self) return this.enter(entrance, way, attempt, trace, self.userId);
    await this.limits.take(BY_EMAIL, attempt.email);
    await this.askForProof(way, attempt, trace);
    return 'mailSent';
  }

  private async enter(
    { zone }: Entrance,
    way: WayIn,
    attempt: JoinAttempt,
    trace: Try,
    userId: number,
  ): Promise<JoinOutcome> {
    return this.zoneFull.guard(zone.ownerId, null, () =>
      inTransaction(this.em, async (em) => {
        const user = await this.users.findNamed(em, userId);
        const alongside = () => this.usages.joined(em, trace, { userId, wasNewUser: false });
        const entry = await this.ways.enter(em, way, { user, consent: consentOf(way, attempt), alongside });
        if (entry === 'already-member') throw linkErrors.ALREADY_MEMBER();
        if (entry === 'waiting') await this.usages.open(em, trace, 'waiting');
        return entry;
      }),
    );
  }

  private askForProof(way: WayIn, attempt: JoinAttempt, trace: Try): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const usageId = await this.usages.open(em, trace, 'asked');
      const { id } = await query<typeof PendingJoinSchema>(em)
        .insertInto('pending_joins')
        .values({
          email: attempt.email,
          ...{ zone_id: way.zoneId, link_id: way.linkId, public_link: way.publicLink, usage_id: usageId },
          consent_text: consentOf(way, attempt)?.text ?? null,
          ip_address: attempt.ipAddress,
          language: attempt.language,
          created_at: way.askedAt,
          expires_at: after(way.askedAt, JOIN_LIFETIME),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await this.jobs.enqueue(em, sendJoinVerification, { pendingJoinId: id });
    });
  }
}

function wayOf({ zone, link, publicLink }: Entrance, askedAt: Date): WayIn {
  return { zoneId: zone.id, linkId: link?.id ?? null, publicLink, askedAt };
}

/** How consent came: the same word as the way in. */
export const methodOf = ({ linkId }: Pick<WayIn, 'linkId'>) => (linkId === null ? 'public_link' : 'temporary_link');

function consentOf(way: WayIn, { emailConsent, ipAddress, language }: JoinAttempt) {
  return emailConsent ? { ipAddress, method: methodOf(way), text: consentText[language] } : null;
}
