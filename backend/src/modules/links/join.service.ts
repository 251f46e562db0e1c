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
import { MembershipService } from '../zones/membership.service.js';
import { ZoneFullService } from '../zones/zone-full.service.js';
import { consentText } from './consent-text.js';
import type { JoinDto } from './dto/join.dto.js';
import { PendingJoinSchema } from './entities/pending-join.entity.js';
import { linkErrors } from './links.errors.js';
import type { PublicZone } from './public-zone.service.js';
import { sendJoinVerification } from './send-join-verification.job.js';

/** A link to verify the address lives as long. */
export const JOIN_LIFETIME = DAY;

const BY_EMAIL: RateRule = { name: 'join', limit: 10, window: HOUR };
const BY_ADDRESS: RateRule = { name: 'join-ip', limit: 120, window: MINUTE };

export interface JoinRequest extends JoinDto {
  readonly ipAddress: string | null;
  readonly language: Language;
}

/** Joining a zone by its link. */
@Injectable()
export class JoinService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly limits: RateLimits,
    private readonly jobs: Jobs,
    private readonly users: UserService,
    private readonly members: MembershipService,
    private readonly zoneFull: ZoneFullService,
  ) {}

  /**
   * Joins at once somebody signed in under the address that they name; anybody else gets a mail with a link, and the
   * same answer whether the address is known or not.
   * @returns true when joined, false when a mail is on its way
   * @throws CONSENT_REQUIRED, ALREADY_MEMBER (to the signed-in person only), ZONE_FULL, TOO_MANY_REQUESTS
   */
  async join(zone: PublicZone, request: JoinRequest, viewer: Viewer | null): Promise<boolean> {
    await this.limits.take(BY_ADDRESS, request.ipAddress ?? '');
    if (zone.requiresEmailOptin && !request.emailConsent) throw linkErrors.CONSENT_REQUIRED();
    if (viewer?.email === request.email) {
      await this.admit(zone, request, viewer.userId);
      return true;
    }
    await this.limits.take(BY_EMAIL, request.email);
    await this.askForProof(zone, request);
    return false;
  }

  private async admit(zone: PublicZone, request: JoinRequest, userId: number): Promise<void> {
    const joined = await this.zoneFull.guard(zone.ownerId, () =>
      inTransaction(this.em, async (em) => {
        const user = await this.users.findById(userId);
        return this.members.admit(em, { zone, user, method: 'public_link', consent: consentOf(request) });
      }),
    );
    if (!joined) throw linkErrors.ALREADY_MEMBER();
  }

  private askForProof(zone: PublicZone, request: JoinRequest): Promise<void> {
    const now = this.clock.now();
    return inTransaction(this.em, async (em) => {
      const { id } = await query<typeof PendingJoinSchema>(em)
        .insertInto('pending_joins')
        .values({
          email: request.email,
          zone_id: zone.id,
          consent_text: consentOf(request)?.text ?? null,
          ip_address: request.ipAddress,
          language: request.language,
          created_at: now,
          expires_at: after(now, JOIN_LIFETIME),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await this.jobs.enqueue(em, sendJoinVerification, { pendingJoinId: id });
    });
  }
}

function consentOf({ emailConsent, ipAddress, language }: JoinRequest) {
  return emailConsent ? { ipAddress, method: 'public_link', text: consentText[language] } : null;
}
