import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { AdminPage } from '../../../platform/http/lists/admin-list.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import { SuppressionRepository } from '../../zones/leaving/suppression.repository.js';
import type { Actor } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import { canLiftSuppression } from '../admin.policy.js';
import type { SuppressionDto } from '../dto/admin-lists.dto.js';
import type { LiftManyDto, SuppressionQueryDto } from '../dto/list-query.dto.js';
import {
  SuppressionAdminRepository,
  type SuppressionFilters,
  type SuppressionRow,
} from './suppression-admin.repository.js';

type Filters = Pick<SuppressionQueryDto, 'q' | 'reason'>;

/** Suppressed addresses of all owners. Addresses can't be read, only checked. */
@Injectable()
export class SuppressionAdminService {
  constructor(
    private readonly em: EntityManager,
    private readonly repository: SuppressionAdminRepository,
    private readonly suppressions: SuppressionRepository,
    private readonly audit: AuditRepository,
  ) {}

  /** Returns one page, newest first; `q` is a complete address. */
  async listPage(dto: SuppressionQueryDto): Promise<AdminPage<SuppressionDto>> {
    const { rows, total } = await this.repository.findPage(dto, this.toFilters(dto));
    return { rows: rows.map(toDto), total };
  }

  /** Streams all matching suppressions, newest first. */
  async *streamAll(filters: Filters): AsyncGenerator<SuppressionDto> {
    for await (const row of this.repository.streamAll(this.toFilters(filters))) yield toDto(row);
  }

  /**
   * Lifts the suppression of an address whose deliveries only failed.
   * @throws SUPPRESSION_NOT_FOUND, SUPPRESSION_STAYS
   */
  liftSuppression(id: number, actor: Actor): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const found = await this.suppressions.lockEntry(em, id);
      if (!found) throw adminErrors.SUPPRESSION_NOT_FOUND();
      if (!canLiftSuppression(found.reason)) throw adminErrors.SUPPRESSION_STAYS();
      await this.suppressions.deleteEntry(em, id);
      if (found.ownerId !== null) await this.suppressions.recordLift(em, found.ownerId, found.digest);
      const params = { suppressionId: id, reason: found.reason };
      await this.audit.record(em, { type: 'suppression.lifted', ...actor, subjectId: found.ownerId, params });
    });
  }

  /**
   * Lifts many suppressions. The audit log gets one entry per affected owner.
   * @returns the number lifted; suppressions for other reasons stay
   * @throws VALIDATION_FAILED unless either entries or a start time is given
   */
  liftSuppressions({ ids, failedSince }: LiftManyDto, actor: Actor): Promise<number> {
    if ((ids === undefined) === (failedSince === undefined)) throw fieldError('ids', selectionMessage);
    const selection = ids ? { ids } : { failedSince: failedSince! };
    return inTransaction(this.em, async (em) => {
      const lifted = await this.suppressions.liftFailedDeliveries(em, selection);
      const facts = lifted.map(({ ownerId, count }) => ({
        type: 'suppression.many-lifted' as const,
        ...actor,
        subjectId: ownerId,
        params: { lifted: count, ...(failedSince && { failedSince: failedSince.toISOString() }) },
      }));
      await this.audit.recordMany(em, facts);
      return lifted.reduce((sum, { count }) => sum + count, 0);
    });
  }

  private toFilters({ q, reason }: Filters): SuppressionFilters {
    return { reason, digests: q?.trim() ? this.suppressions.digestsOf(q) : null };
  }
}

const toDto = (row: SuppressionRow): SuppressionDto => ({
  ...row,
  canLift: canLiftSuppression(row.reason),
});

const selectionMessage = {
  en: 'Please give either a list of entries or a start time',
  tr: 'Lütfen ya kayıtları ya da bir başlangıç zamanını belirtin',
};
