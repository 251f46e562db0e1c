import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { query } from '../../../platform/database/query.js';
import type { AdminListQueryDto, AdminPage } from '../../../platform/http/lists/admin-list.js';
import { loadAdminPage, streamNewestFirst } from '../../../platform/http/lists/admin-page.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import type { SuppressionReason, SuppressionSchema } from '../../zones/entities/suppression.entity.js';
import type { SuppressionDto } from '../dto/admin-lists.dto.js';

type Tables = typeof SuppressionSchema | typeof UserSchema;

export type SuppressionRow = Omit<SuppressionDto, 'canLift'>;

export interface SuppressionFilters {
  readonly reason?: SuppressionReason;
  /** Digests under which an address may be stored; null for all addresses. */
  readonly digests: readonly string[] | null;
}

const sorting = { fields: { createdAt: 's.id' }, id: 's.id' };

/** Suppressed addresses of all owners. Addresses can't be read, only checked. */
@Injectable()
export class SuppressionAdminRepository {
  constructor(private readonly em: EntityManager) {}

  /** Returns one page, newest first. */
  findPage(page: AdminListQueryDto, filters: SuppressionFilters): Promise<AdminPage<SuppressionRow>> {
    return loadAdminPage(page, sorting, {
      filtered: this.filterSuppressions(filters),
      rows: this.selectRows({ digests: null }),
      toRow: (row) => row,
    });
  }

  /** Streams all matching suppressions, newest first. */
  streamAll(filters: SuppressionFilters): AsyncGenerator<SuppressionRow> {
    return streamNewestFirst(this.selectRows(filters), 's.id', (row) => row);
  }

  private selectRows(filters: SuppressionFilters) {
    return this.filterSuppressions(filters)
      .leftJoin('users as u', 'u.id', 's.owner_id')
      .select(['s.id as id', 's.owner_id as ownerId', 'u.email as ownerEmail', 's.reason as reason'])
      .select('s.created_at as createdAt');
  }

  private filterSuppressions({ digests, reason }: SuppressionFilters) {
    let rows = query<Tables>(this.em).selectFrom('suppressions as s');
    if (reason) rows = rows.where('s.reason', '=', reason);
    if (digests) rows = rows.where('s.digest', 'in', digests);
    return rows;
  }
}
