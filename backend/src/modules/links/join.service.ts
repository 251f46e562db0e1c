import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { after, Clock, DAY, HOUR, MINUTE } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { Language } from '../../platform/errors/app-error.js';
import { RateLimits, type RateRule } from '../../platform/http/rate-limits.service.js';
import type { Viewer } from '../../platform/http/viewer.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { UserService } from '../auth/user.service.js';
import { JoinRequestService } from '../zones/join-request.service.js';
import { ZoneFullService } from '../zones/zone-full.service.js';
import { consentText } from '../zones/consent.policy.js';
import type { JoinDto } from './dto/join.dto.js';
import { PendingJoinSchema } from './entities/pending-join.entity.js';
import { linkErrors } from './links.errors.js';
import type { PublicZone } from './public-zone.service.js';
import { sendJoinVerification } from './send-join-verification.job.js';

/** A link to verify the address lives as long. */
export const JOIN_LIFETIME = DAY;

const BY_EMAIL: RateRule = { name: 'join', limit: 10, window: HOUR };
const BY_ADDRESS: RateRule = { name: 'join-ip', limit: 120, window: MINUTE };

export interface JoinAttempt extends JoinDto {
  readonly ipAddress: string | null;
  readonly language: Language;
}

/** Joined, waiting for the owner, or a mail with a link is on its way. */
export type JoinOutcome = 'joined' | 'waiting' | 'mailSent';

/** Joining a zone by its link. */
@Injectable()
export class JoinService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly limits: RateLimits,
    private readonly jobs: Jobs,
    private readonly users: UserService,
    private readonly entries: JoinRequestService,
    private readonly zoneFull: ZoneFullService,
  ) {}

  /**
   * Joins at once somebody signed in under the address that they name; anybody else gets a mail with a link, and the
   * same answer whether the address is known or not.
   * @throws CONSENT_REQUIRED, ALREADY_MEMBER (to the signed-in person only), ZONE_FULL, TOO_MANY_REQUESTS
   */
  async join(zone: PublicZone, attempt: JoinAttempt, viewer: Viewer | null): Promise<JoinOutcome> {
    await this.limits.take(BY_ADDRESS, attempt.ipAddress ?? '');
    if (zone.requiresEmailOptin && !attempt.emailConsent) throw linkErrors.CONSENT_REQUIRED();
    if (viewer?.email === attempt.email) return this.enter(zone, attempt, viewer.userId);
    await this.limits.take(BY_EMAIL, attempt.email);
    await this.askForProof(zone, attempt);
    return 'mailSent';
  }

  private async enter(zone: PublicZone, attempt: JoinAttempt, userId: number): Promise<JoinOutcome> {
    const entry = await this.zoneFull.guard(zone.ownerId, null, () =>
      inTransaction(this.em, async (em) => {
        const user = await this.users.findById(userId);
        const admission = { zone, user, method: 'public_link' as const, consent: consentOf(attempt) };
        return this.entries.enter(em, admission, zone.autoJoin);
      }),
    );
    if (entry === 'already-member') throw linkErrors.ALREADY_MEMBER();
    return entry;
  }

  private askForProof(zone: PublicZone, attempt: JoinAttempt): Promise<void> {
    const now = this.clock.now();
    return inTransaction(this.em, async (em) => {
      const { id } = await query<typeof PendingJoinSchema>(em)
        .insertInto('pending_joins')
        .values({
          email: attempt.email,
          zone_id: zone.id,
          consent_text: consentOf(attempt)?.text ?? null,
          ip_address: attempt.ipAddress,
          language: attempt.language,
          created_at: now,
          expires_at: after(now, JOIN_LIFETIME),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await this.jobs.enqueue(em, sendJoinVerification, { pendingJoinId: id });
    });
  }
}

function consentOf({ emailConsent, ipAddress, language }: JoinAttempt) {
  return emailConsent ? { ipAddress, method: 'public_link', text: consentText[language] } : null;
}
