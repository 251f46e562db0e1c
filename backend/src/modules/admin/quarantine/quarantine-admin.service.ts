import { Injectable } from '@nestjs/common';
import type { AdminListQueryDto, AdminPage } from '../../../platform/http/lists/admin-list.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { QuarantineService } from '../../files/objects/quarantine/quarantine.service.js';
import { canRestoreObjects } from '../admin.policy.js';
import type { Actor } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import type { QuarantinedObjectDto } from '../dto/admin-lists.dto.js';
import { QuarantineListRepository } from './quarantine-list.repository.js';

/** Unreferenced objects, during the 30 days for which they are kept. */
@Injectable()
export class QuarantineAdminService {
  constructor(
    private readonly list: QuarantineListRepository,
    private readonly quarantine: QuarantineService,
  ) {}

  /** Returns one page, newest first. */
  async listPage(
    dto: AdminListQueryDto,
    viewer: Pick<Viewer, 'isSuperAdmin'>,
  ): Promise<AdminPage<QuarantinedObjectDto>> {
    const { rows, total } = await this.list.findPage(dto);
    return { rows: rows.map((row) => ({ ...row, canRestore: canRestoreObjects(viewer) })), total };
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
