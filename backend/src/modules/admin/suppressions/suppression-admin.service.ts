import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { AdminPage } from '../../../platform/http/lists/admin-list.js';
import { loadAdminPage, streamNewestFirst } from '../../../platform/http/lists/admin-page.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { SuppressionSchema } from '../../zones/entities/suppression.entity.js';
import { SuppressionRepository } from '../../zones/leaving/suppression.repository.js';
import type { Actor } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import { canLiftSuppression } from '../admin.policy.js';
import type { SuppressionDto } from '../dto/admin-lists.dto.js';
import type { LiftManyDto, SuppressionQueryDto } from '../dto/list-query.dto.js';

type Tables = typeof SuppressionSchema | typeof UserSchema;
type Filters = Pick<SuppressionQueryDto, 'q' | 'reason'>;

const sorting = { fields: { createdAt: 's.id' }, id: 's.id' };

/** Suppressed addresses of all owners. Addresses can't be read, only checked. */
@Injectable()
export class SuppressionAdminService {
  constructor(
    private readonly em: EntityManager,
    private readonly suppressions: SuppressionRepository,
    private readonly audit: AuditService,
  ) {}

  /** Returns one page, newest first; `q` is a complete address. */
  listPage(dto: SuppressionQueryDto): Promise<AdminPage<SuppressionDto>> {
    return loadAdminPage(dto, sorting, {
      filtered: this.filterSuppressions(dto),
      rows: this.selectRows({}),
      toRow: toDto,
    });
  }

  /** Streams all matching suppressions, newest first. */
  streamAll(filters: Filters): AsyncGenerator<SuppressionDto> {
    return streamNewestFirst(this.selectRows(filters), 's.id', toDto);
  }

  /**
   * Lifts the suppression of an address whose deliveries only failed.
   * @throws SUPPRESSION_NOT_FOUND, SUPPRESSION_STAYS
   */
  liftSuppression(id: number, actor: Actor): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const found = await query<Tables>(em)
        .selectFrom('suppressions')
        .select(['reason', 'digest', 'owner_id as ownerId'])
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      if (!found) throw adminErrors.SUPPRESSION_NOT_FOUND();
      if (!canLiftSuppression(found.reason)) throw adminErrors.SUPPRESSION_STAYS();
      await query<Tables>(em).deleteFrom('suppressions').where('id', '=', id).execute();
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

  private selectRows(filters: Filters) {
    return this.filterSuppressions(filters)
      .leftJoin('users as u', 'u.id', 's.owner_id')
      .select(['s.id as id', 's.owner_id as ownerId', 'u.email as ownerEmail', 's.reason as reason'])
      .select('s.created_at as createdAt');
  }

  private filterSuppressions({ q, reason }: Filters) {
    let rows = query<Tables>(this.em).selectFrom('suppressions as s');
    if (reason) rows = rows.where('s.reason', '=', reason);
    if (q?.trim()) rows = rows.where('s.digest', 'in', this.suppressions.digestsOf(q));
    return rows;
  }
}

const toDto = (row: Omit<SuppressionDto, 'canLift'>): SuppressionDto => ({
  ...row,
  canLift: canLiftSuppression(row.reason),
});

const selectionMessage = {
  en: 'Please give either a list of entries or a start time',
  tr: 'Lütfen ya kayıtları ya da bir başlangıç zamanını belirtin',
};
