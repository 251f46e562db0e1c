import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { query } from '../../../platform/database/query.js';
import type { AdminListQueryDto, AdminPage } from '../../../platform/http/lists/admin-list.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { loadAdminPage } from '../../../platform/http/lists/admin-page.js';
import type { QuarantinedObjectSchema } from '../../files/entities/quarantined-object.entity.js';
import { QuarantineService } from '../../files/objects/quarantine/quarantine.service.js';
import { canRestoreObjects } from '../admin.policy.js';
import type { Actor } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import type { QuarantinedObjectDto } from '../dto/admin-lists.dto.js';

const sorting = { fields: { foundAt: 'q.id', size: 'q.size' }, id: 'q.id' };

/** Unreferenced objects, during the 30 days for which they are kept. */
@Injectable()
export class QuarantineAdminService {
  constructor(
    private readonly em: EntityManager,
    private readonly quarantine: QuarantineService,
  ) {}

  /** Returns one page, newest first. */
  listPage(dto: AdminListQueryDto, viewer: Pick<Viewer, 'isSuperAdmin'>): Promise<AdminPage<QuarantinedObjectDto>> {
    const matching = query<typeof QuarantinedObjectSchema>(this.em).selectFrom('quarantined_objects as q');
    const rows = matching.select(['q.id as id', 'q.object_key as key', 'q.size as size', 'q.found_at as foundAt']);
    return loadAdminPage(dto, sorting, {
      filtered: matching,
      rows,
      toRow: (row) => ({ ...row, canRestore: canRestoreObjects(viewer) }),
    });
  }

  /**
   * Restores an object.
   * @throws QUARANTINED_NOT_FOUND, STORAGE_UNAVAILABLE
   */
  async restoreObject(id: number, { actorId, ipAddress }: Actor): Promise<void> {
    if (!(await this.quarantine.restoreObject(id, { actorId, ipAddress }))) throw adminErrors.QUARANTINED_NOT_FOUND();
  }

  /**
   * Deletes an object permanently.
   * @throws QUARANTINED_NOT_FOUND, QUARANTINED_IS_NAMED, STORAGE_UNAVAILABLE
   */
  async deleteObject(id: number, { actorId, ipAddress }: Actor): Promise<void> {
    const outcome = await this.quarantine.deleteObject(id, { actorId, ipAddress });
    if (outcome === 'gone') throw adminErrors.QUARANTINED_NOT_FOUND();
    if (outcome === 'named') throw adminErrors.QUARANTINED_IS_NAMED();
  }
}
