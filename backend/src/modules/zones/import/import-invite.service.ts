import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { InvitationSchema } from '../entities/invitation.entity.js';
import { NonMemberEmailQuotaService } from '../email-quota/non-member-email-quota.service.js';
import { InvitationService } from '../invitations/invitation.service.js';
import type { ImportContext } from './import-add.service.js';
import type { ImportOutcome } from '../shared/outcomes.js';
import type { ImportRow } from './import-rows.js';

/** Invites the people of import rows by email. */
@Injectable()
export class ImportInviteService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly invitations: InvitationService,
    private readonly nonMemberEmailQuota: NonMemberEmailQuotaService,
  ) {}

  /** Invites the people of the rows and records each outcome. */
  async inviteRows(
    rows: readonly ImportRow[],
    { zone, actorId }: ImportContext,
    outcomes: Map<ImportRow, ImportOutcome>,
  ): Promise<void> {
    const { results } = await this.invitations.invitePeople(zone, actorId, rows);
    rows.forEach((row, index) => {
      const { outcome } = results[index]!;
      outcomes.set(row, outcome === 'ZONE_FULL' ? 'PLAN_LIMIT' : outcome);
    });
  }

  /** Returns how many emails to non-members the owner may still send today. */
  async getRemainingEmailsToday(ownerId: number): Promise<number> {
    const { used, allowed } = await this.nonMemberEmailQuota.getDailyUsage(this.em, ownerId);
    return allowed === null ? Infinity : Math.max(0, allowed - used);
  }

  /** Returns those of the rows' addresses that have an open invitation to the zone. */
  async findOpenInvitations(zoneId: number, rows: readonly ImportRow[]): Promise<Set<string>> {
    const found = await query<typeof InvitationSchema>(this.em)
      .selectFrom('invitations')
      .select('email')
      .where('zone_id', '=', zoneId)
      .where('is_counted', '=', true)
      .where('expires_at', '>', this.clock.now())
      .where(
        'email',
        'in',
        rows.map(({ email }) => email),
      )
      .execute();
    return new Set(found.map(({ email }) => email));
  }
}
