import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { isValidEmail } from '../../../platform/http/parsing/fields.js';
import { ZoneMemberSchema } from '../entities/zone-member.entity.js';
import type { MembershipZone } from '../zones.events.js';
import { SuppressionRepository } from '../leaving/suppression.repository.js';
import type { ImportOutcome } from '../shared/outcomes.js';
import type { ImportRow } from './import-rows.js';

/** Determines which rows can't be imported, with two queries per chunk. */
@Injectable()
export class ImportValidationService {
  constructor(
    private readonly clock: Clock,
    private readonly suppressions: SuppressionRepository,
  ) {}

  /**
   * Returns the outcome of each row that can't be imported; all other rows can.
   * @param seenEmails addresses of earlier rows; those of this chunk are added
   */
  async validateRows(
    em: EntityManager,
    zone: MembershipZone,
    rows: readonly ImportRow[],
    seenEmails: Set<string>,
  ): Promise<Map<ImportRow, ImportOutcome>> {
    const outcomes = new Map<ImportRow, ImportOutcome>();
    for (const row of rows) {
      if (!isValidEmail(row.email)) outcomes.set(row, 'INVALID_EMAIL');
      else if (seenEmails.has(row.email)) outcomes.set(row, 'DUPLICATE');
      else seenEmails.add(row.email);
    }
    const open = rows.filter((row) => !outcomes.has(row));
    const emails = open.map(({ email }) => email);
    if (emails.length === 0) return outcomes;
    const existing = await this.findRelations(em, zone.id, emails);
    const suppressed = await this.suppressions.findSuppressed(em, zone.ownerId, emails);
    for (const row of open) {
      const outcome = existing.get(row.email) ?? (suppressed.has(row.email) ? 'SUPPRESSED' : undefined);
      if (outcome) outcomes.set(row, outcome);
    }
    return outcomes;
  }

  /** Finds members, blocked people, and people who left the zone or unsubscribed. */
  private async findRelations(
    em: EntityManager,
    zoneId: number,
    emails: readonly string[],
  ): Promise<Map<string, ImportOutcome>> {
    const { rows } = await sql<{ email: string; outcome: ImportOutcome }>`
      with asked as (select jsonb_array_elements_text(${JSON.stringify(emails)}::jsonb) as email)
      select m.email, case when m.role = 'owner' then 'OWNER' else 'ALREADY_MEMBER' end as outcome
      from asked join zone_members m on m.zone_id = ${zoneId} and m.email = asked.email
      where m.expires_at is null or m.expires_at > ${this.clock.now()}
      union all
      select u.email, 'LEFT' from asked join users u on u.email = asked.email
      join email_unsubscribes e on e.user_id = u.id and e.zone_id = ${zoneId}
      union all
      select u.email, 'BLOCKED' from asked join users u on u.email = asked.email
      join zone_blocks b on b.user_id = u.id and b.zone_id = ${zoneId}
    `.execute(query<typeof ZoneMemberSchema>(em));
    const found = new Map<string, ImportOutcome>();
    for (const { email, outcome } of rows) if (!found.has(email)) found.set(email, outcome);
    return found;
  }
}
