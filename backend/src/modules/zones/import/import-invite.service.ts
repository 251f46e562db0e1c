import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { NonMemberEmailQuotaService } from '../email-quota/non-member-email-quota.service.js';
import { InvitationListRepository } from '../invitations/invitation-list.repository.js';
import { InvitationService } from '../invitations/invitation.service.js';
import type { ImportContext } from './import-add.service.js';
import type { ImportOutcome } from '../shared/outcomes.js';
import type { ImportRow } from './import-rows.js';

/** Invites the people of import rows by email. */
@Injectable()
export class ImportInviteService {
  constructor(
    private readonly em: EntityManager,
    private readonly invitationList: InvitationListRepository,
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
  findOpenInvitations(zoneId: number, rows: readonly ImportRow[]): Promise<Set<string>> {
    return this.invitationList.findInvitedEmails(
      zoneId,
      rows.map(({ email }) => email),
    );
  }
}
