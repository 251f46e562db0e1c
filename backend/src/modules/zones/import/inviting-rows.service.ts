import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { InvitationSchema } from '../entities/invitation.entity.js';
import { InvitationService } from '../invitations/invitation.service.js';
import type { Declaration } from './adding.service.js';
import type { ImportOutcome } from './import-outcome.js';
import type { ImportRow } from './import-rows.js';

/** Rows of a file that become invitations by mail. */
@Injectable()
export class InvitingRowsService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly invitations: InvitationService,
  ) {}

  /** Invites the people of the rows, and notes what became of each. */
  async invite(
    rows: readonly ImportRow[],
    { zone, actorId }: Declaration,
    outcomes: Map<ImportRow, ImportOutcome>,
  ): Promise<void> {
    const { results } = await this.invitations.invite(zone, actorId, rows);
    rows.forEach((row, at) => {
      const { outcome } = results[at]!;
      outcomes.set(row, outcome === 'ZONE_FULL' ? 'PLAN_LIMIT' : outcome);
    });
  }

  /** Those of the rows' addresses that have an open invitation to the zone. */
  async open(zoneId: number, rows: readonly ImportRow[]): Promise<Set<string>> {
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
