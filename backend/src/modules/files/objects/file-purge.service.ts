import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { OnEvent } from '../../../platform/events/on-event.decorator.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { Storage } from '../../../platform/storage/storage.js';
import { FileOpeningSchema } from '../../activity/entities/file-opening.entity.js';
import { FileStatsSchema } from '../../activity/entities/file-stats.entity.js';
import { UsageService } from '../../plans/usage.service.js';
import { ZoneStatsRepository } from '../../zones/zone/zone-stats.repository.js';
import { deleteObjects } from '../files.jobs.js';
import { FileThumbnailSchema, FileSchema } from '../entities/file.entity.js';
import { FolderSchema } from '../entities/folder.entity.js';
import { TrashEntrySchema } from '../entities/trash-entry.entity.js';
import { PageStoreService } from '../pages/page-store.service.js';
import { UploadReservationService } from '../upload/upload-reservation.service.js';

type Tables =
  | typeof FileSchema
  | typeof FileThumbnailSchema
  | typeof FileStatsSchema
  | typeof FileOpeningSchema
  | typeof FolderSchema
  | typeof TrashEntrySchema;

/** Files deleted per transaction. */
const BATCH_SIZE = 500;

interface OwnedZone {
  readonly zoneId: number;
  readonly ownerId: number;
}

/** Permanently deletes files. Rows and plan usage change in one transaction; a job deletes the objects afterwards. */
@Injectable()
export class FilePurgeService {
  constructor(
    private readonly em: EntityManager,
    private readonly usage: UsageService,
    private readonly uploadReservation: UploadReservationService,
    private readonly storage: Storage,
    private readonly pageStore: PageStoreService,
    private readonly zoneStats: ZoneStatsRepository,
  ) {}

  /** Deletes one batch of the marked trash entries of a zone. Returns false when none are left. */
  async purgeMarkedBatch(zone: OwnedZone): Promise<boolean> {
    const files = await this.purgeBatch(
      zone,
      sql`select f.id from trash_entries e join files f on f.id = e.file_id
        where e.zone_id = ${zone.zoneId} and e.purging_at is not null order by e.id limit ${BATCH_SIZE} for update of f`,
    );
    if (files > 0) return true;
    const uploads = await this.purgeFolder(zone);
    if (uploads) await this.uploadReservation.abandonEnded(this.em.fork(), uploads);
    return uploads !== null;
  }

  /** Deletes objects whose rows are gone. An object that no longer exists is not an error. */
  @OnJob(deleteObjects)
  async deleteObjects({ objectKeys }: { objectKeys: string[] }): Promise<void> {
    for (const key of objectKeys) await this.storage.delete(key);
  }

  /**
   * Deletes all files of a deleted zone in batches, and aborts the uploads into it. After a crash, the next call
   * deletes the rest; leftover uploads are removed by the upload sweep.
   */
  @OnEvent('zone.purging')
  async purgeZone(_em: EntityManager, zone: OwnedZone): Promise<void> {
    const uploads = await this.uploadReservation.endLeases(this.em.fork(), { zoneId: zone.zoneId });
    await this.uploadReservation.abandonEnded(this.em.fork(), uploads);
    const some = sql`select id from files where zone_id = ${zone.zoneId} limit ${BATCH_SIZE}`;
    while ((await this.purgeBatch(zone, some)) > 0);
  }

  private purgeBatch(zone: OwnedZone, ids: RawBuilder<unknown>): Promise<number> {
    return inTransaction(this.em.fork(), async (em) => {
      const { count, bytes } = await this.deleteRows(em, ids);
      await this.releaseBytes(em, zone, bytes);
      return count;
    });
  }

  /**
   * Deletes a batch of the files in a marked folder. Once none are left, deletes the folder and its subfolders.
   * @returns the uploads into them, whose reservations must be released; null if nothing is marked
   */
  private purgeFolder(zone: OwnedZone): Promise<{ id: number }[] | null> {
    return inTransaction(this.em.fork(), async (em) => {
      const entry = await query<Tables>(em)
        .selectFrom('trash_entries')
        .select(['folder_id', 'trash_id'])
        .where('zone_id', '=', zone.zoneId)
        .where('purging_at', 'is not', null)
        .where('folder_id', 'is not', null)
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .executeTakeFirst();
      if (!entry) return null;
      const trashId = sql`${entry.trash_id}::uuid`;
      const tree = sql`
        with recursive tree as (
          select id from folders where id = ${entry.folder_id}
          union all
          select f.id from tree t join folders f on f.parent_id = t.id and f.trash_id = ${trashId}
        )`;
      const files = sql`${tree} select x.id from tree t join files x on x.folder_id = t.id and x.trash_id = ${trashId}
        limit ${BATCH_SIZE}`;
      const { count, bytes } = await this.deleteRows(em, files);
      const uploads = count < BATCH_SIZE ? await this.deleteFolders(em, tree) : [];
      await this.releaseBytes(em, zone, bytes);
      return uploads;
    });
  }

  /**
   * Items that were deleted before their folder stay in the trash and will be restored to the root. Mirrors of the
   * folders are deleted too.
   */
  private async deleteFolders(em: EntityManager, tree: RawBuilder<unknown>): Promise<{ id: number }[]> {
    const db = query<Tables>(em);
    const { rows } = await sql<{ id: number }>`${tree} select id from tree`.execute(db);
    const ids = sql`${rows.map(({ id }) => id)}::bigint[]`;
    const uploads = await this.uploadReservation.endLeases(em, { folderIds: rows.map(({ id }) => id) });
    await sql`update files set folder_id = null where folder_id = any(${ids})`.execute(db);
    await sql`update folders set parent_id = null where parent_id = any(${ids}) and id <> all(${ids})`.execute(db);
    await sql`delete from folders where id = any(${ids})`.execute(db);
    return uploads;
  }

  /**
   * Deletes the files that a query for ids returns, locked in id order. Deletes their pages first, since there may be
   * very many.
   */
  private async deleteRows(em: EntityManager, ids: RawBuilder<unknown>): Promise<{ count: number; bytes: number }> {
    const db = query<Tables>(em);
    const { rows: locked } = await sql<{ id: number }>`
      select id from files where id in (${ids}) order by id for update`.execute(db);
    if (locked.length === 0) return { count: 0, bytes: 0 };
    const deletedIds = locked.map(({ id }) => id);
    await this.pageStore.deletePages(em, deletedIds);
    const { rows } = await sql<{ object_key: string; size: number; thumbnail: string | null }>`
      with deleted as (delete from files where id = any(${deletedIds}::bigint[]) returning id, object_key, size),
        pictures as (delete from file_thumbnails where file_id in (select id from deleted) returning file_id, object_key)
      select deleted.*, pictures.object_key as thumbnail from deleted left join pictures on pictures.file_id = deleted.id
    `.execute(db);
    await this.pageStore.enqueueObjectDeletion(
      em,
      rows.flatMap((row) => [row.object_key, row.thumbnail ?? []].flat()),
    );
    await sql`with unseen as (delete from file_openings where file_id = any(${deletedIds}::bigint[]))
      delete from file_stats where file_id = any(${deletedIds}::bigint[])`.execute(db);
    return { count: rows.length, bytes: rows.reduce((sum, { size }) => sum + size, 0) };
  }

  /** Releases the bytes in the zone's counters and, last, in the plan usage. */
  private async releaseBytes(em: EntityManager, zone: OwnedZone, bytes: number): Promise<void> {
    if (bytes === 0) return;
    await this.zoneStats.adjustCounts(em, zone.zoneId, { bytes: -bytes });
    await this.usage.releaseUsage(em, zone.ownerId, 'bytes', bytes);
  }
}
