import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { violatesUnique } from '../../platform/database/unique-violation.js';
import { ActivityService } from '../activity/activity.service.js';
import { FileSchema } from './entities/file.entity.js';
import type { ViewedFile } from './file-access.service.js';
import { nameKey, renamed } from './file-name.js';
import { lockZone } from './file-placement.js';
import { fileErrors } from './files.errors.js';

type Tables = typeof FileSchema;

/** Changing what is known of a file. */
@Injectable()
export class FileService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly activity: ActivityService,
  ) {}

  /**
   * Says whether members may download a file.
   * @throws FILE_NOT_FOUND when it was removed meanwhile
   */
  async allowDownload({ id }: ViewedFile, allowDownload: boolean): Promise<void> {
    const updated = await query<Tables>(this.em)
      .updateTable('files')
      .set({ allow_download: allowDownload, updated_at: this.clock.now() })
      .where('id', '=', id)
      .where('trashed_at', 'is', null)
      .executeTakeFirst();
    if (updated.numUpdatedRows === 0n) throw fileErrors.FILE_NOT_FOUND();
  }

  /**
   * Renames a file; its extension stays.
   * @throws INVALID_NAME, DUPLICATE_NAMES, FILE_NOT_FOUND
   */
  async rename(file: ViewedFile, userId: number, wanted: string): Promise<void> {
    const { id, zoneId, ownerId, originalName: before } = file;
    const fileName = renamed(before, wanted, 'originalName');
    if (fileName === before) return;
    try {
      await inTransaction(this.em, async (em) => {
        const zoneName = await lockZone(em, zoneId, 'files');
        const updated = await query<Tables>(em)
          .updateTable('files')
          .set({ original_name: fileName, name_key: nameKey(fileName), updated_at: this.clock.now() })
          .where('id', '=', id)
          .where('trashed_at', 'is', null)
          .executeTakeFirst();
        if (updated.numUpdatedRows === 0n) throw fileErrors.FILE_NOT_FOUND();
        const params = { zoneName, fileName, before };
        await this.activity.record(em, { type: 'file.renamed', ownerId, zoneId, userId, fileId: id, params });
      });
    } catch (error) {
      if (violatesUnique(error, 'files_zone_id_folder_id_name_key_unique')) {
        throw fileErrors.DUPLICATE_NAMES({}, { names: [fileName] });
      }
      throw error;
    }
  }
}
