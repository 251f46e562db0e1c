import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { query } from '../../../platform/database/query.js';
import type { AdminListQueryDto, AdminPage } from '../../../platform/http/lists/admin-list.js';
import { loadAdminPage } from '../../../platform/http/lists/admin-page.js';
import type { QuarantinedObjectSchema } from '../../files/entities/quarantined-object.entity.js';
import type { QuarantinedObjectDto } from '../dto/admin-lists.dto.js';

const sorting = { fields: { foundAt: 'q.id', size: 'q.size' }, id: 'q.id' };

/** Read access to the unreferenced objects that are kept for some time. */
@Injectable()
export class QuarantineListRepository {
  constructor(private readonly em: EntityManager) {}

  /** Returns one page, newest first. */
  findPage(dto: AdminListQueryDto): Promise<AdminPage<Omit<QuarantinedObjectDto, 'canRestore'>>> {
    const matching = query<typeof QuarantinedObjectSchema>(this.em).selectFrom('quarantined_objects as q');
    const rows = matching.select(['q.id as id', 'q.object_key as key', 'q.size as size', 'q.found_at as foundAt']);
    return loadAdminPage(dto, sorting, { filtered: matching, rows, toRow: (row) => row });
  }
}
