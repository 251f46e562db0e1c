import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { isValidEmail } from '../../../platform/http/parsing/fields.js';
import type { MembershipZone } from '../zones.events.js';
import { SuppressionRepository } from '../leaving/suppression.repository.js';
import type { ImportOutcome } from '../shared/outcomes.js';
import { RelationRepository } from '../shared/relation.repository.js';
import type { ImportRow } from './import-rows.js';

/** Determines which rows can't be imported, with two queries per chunk. */
@Injectable()
export class ImportValidationService {
  constructor(
    private readonly relations: RelationRepository,
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
    const existing = await this.relations.findForImport(em, zone.id, emails);
    const suppressed = await this.suppressions.findSuppressed(em, zone.ownerId, emails);
    for (const row of open) {
      const outcome = existing.get(row.email) ?? (suppressed.has(row.email) ? 'SUPPRESSED' : undefined);
      if (outcome) outcomes.set(row, outcome);
    }
    return outcomes;
  }
}
