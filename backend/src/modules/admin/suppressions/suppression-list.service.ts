import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../../platform/audit/audit.service.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { AdminPage } from '../../../platform/http/lists/admin-list.js';
import { adminPage, newestFirst } from '../../../platform/http/lists/admin-page.js';
import { fieldError } from '../../../platform/http/reading/validation.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { SuppressionSchema } from '../../zones/entities/suppression.entity.js';
import { SuppressionService } from '../../zones/leaving/suppression.service.js';
import type { Actor } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import { canLift } from '../admin.policy.js';
import type { SuppressionDto } from '../dto/admin-lists.dto.js';
import type { LiftManyDto, SuppressionQueryDto } from '../dto/list-query.dto.js';

type Tables = typeof SuppressionSchema | typeof UserSchema;
type Filters = Pick<SuppressionQueryDto, 'q' | 'reason'>;

const sorting = { fields: { createdAt: 's.id' }, id: 's.id' };

/** Addresses that get no mail, over all owners. Nobody can read the addresses: only whether a given one is there. */
@Injectable()
export class SuppressionListService {
  constructor(
    private readonly em: EntityManager,
    private readonly suppressions: SuppressionService,
    private readonly audit: Audit,
  ) {}

  /** One page, the newest first; `q` is a whole address. */
  page(asked: SuppressionQueryDto): Promise<AdminPage<SuppressionDto>> {
    return adminPage(asked, sorting, { matching: this.matching(asked), rows: this.rows({}), shown });
  }

  /** All of them, the newest first, read in batches. */
  all(asked: Filters): AsyncGenerator<SuppressionDto> {
    return newestFirst(this.rows(asked), 's.id', shown);
  }

  /**
   * Lets an address get mails again that only failed.
   * @throws SUPPRESSION_NOT_FOUND, SUPPRESSION_STAYS
   */
  lift(id: number, by: Actor): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const found = await query<Tables>(em)
        .selectFrom('suppressions')
        .select(['reason', 'digest', 'owner_id as ownerId'])
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      if (!found) throw adminErrors.SUPPRESSION_NOT_FOUND();
      if (!canLift(found.reason)) throw adminErrors.SUPPRESSION_STAYS();
      await query<Tables>(em).deleteFrom('suppressions').where('id', '=', id).execute();
      if (found.ownerId !== null) await this.suppressions.noteLift(em, found.ownerId, found.digest);
      const params = { suppressionId: id, reason: found.reason };
      await this.audit.record(em, { type: 'suppression.lifted', ...by, subjectId: found.ownerId, params });
    });
  }

  /**
   * The same for many at once; each owner of some of them is told of in the audit log.
   * @returns how many were lifted: what is there for another reason stays
   * @throws VALIDATION_FAILED unless either entries or a time is named
   */
  liftMany({ ids, failedSince }: LiftManyDto, by: Actor): Promise<number> {
    if ((ids === undefined) === (failedSince === undefined)) throw fieldError('ids', eitherOr);
    const which = ids ? { ids } : { failedSince: failedSince! };
    return inTransaction(this.em, async (em) => {
      const lifted = await this.suppressions.liftFailed(em, which);
      const facts = lifted.map(({ ownerId, count }) => ({
        ...{ type: 'suppression.many-lifted' as const, ...by, subjectId: ownerId },
        params: { lifted: count, ...(failedSince && { failedSince: failedSince.toISOString() }) },
      }));
      await this.audit.recordMany(em, facts);
      return lifted.reduce((sum, { count }) => sum + count, 0);
    });
  }

  private rows(asked: Filters) {
    return this.matching(asked)
      .leftJoin('users as u', 'u.id', 's.owner_id')
      .select(['s.id as id', 's.owner_id as ownerId', 'u.email as ownerEmail', 's.reason as reason'])
      .select('s.created_at as createdAt');
  }

  private matching({ q, reason }: Filters) {
    let rows = query<Tables>(this.em).selectFrom('suppressions as s');
    if (reason) rows = rows.where('s.reason', '=', reason);
    if (q?.trim()) rows = rows.where('s.digest', 'in', this.suppressions.digests(q));
    return rows;
  }
}

const shown = (row: Omit<SuppressionDto, 'canLift'>): SuppressionDto => ({ ...row, canLift: canLift(row.reason) });

const eitherOr = {
  en: 'Please give either a list of entries or a start time',
  tr: 'Lütfen ya kayıtları ya da bir başlangıç zamanını belirtin',
};
