import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { FileOpeningSchema } from '../activity/entities/file-opening.entity.js';
import { FileStatsSchema } from '../activity/entities/file-stats.entity.js';
import { UsageService } from '../plans/usage.service.js';
import { ZoneStatsSchema } from '../zones/entities/zone-stats.entity.js';
import { ZonePurgePort } from '../zones/zone-purge.port.js';
import { deleteObjects } from './delete-objects.job.js';
import { FileThumbnailSchema } from './entities/file-thumbnail.entity.js';
import { FileSchema } from './entities/file.entity.js';
import { FolderSchema } from './entities/folder.entity.js';
import { TrashEntrySchema } from './entities/trash-entry.entity.js';
import { UploadIntents } from './upload-intents.service.js';

type Tables =
  | typeof FileSchema
  | typeof FileThumbnailSchema
  | typeof FileStatsSchema
  | typeof FileOpeningSchema
  | typeof FolderSchema
  | typeof TrashEntrySchema
  | typeof ZoneStatsSchema;

/** Files removed in one transaction. */
const BATCH = 500;

interface ZoneOf {
  readonly zoneId: number;
  readonly ownerId: number;
}

/** Removes files for good: rows and what they use of the plan in one transaction, their objects by a job after it. */
@Injectable()
export class FilePurgeService implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: Jobs,
    private readonly usage: UsageService,
    private readonly port: ZonePurgePort,
    private readonly uploads: UploadIntents,
  ) {}

  onModuleInit(): void {
    this.port.register((zoneId, ownerId) => this.purgeZone({ zoneId, ownerId }));
  }

  /** Removes one batch of what is marked in the trash of a zone; false when nothing is left of it. */
  async purgeMarked(zone: ZoneOf): Promise<boolean> {
    const files = await this.purgeBatch(
      zone,
      sql`select f.id from trash_entries e join files f on f.id = e.file_id
        where e.zone_id = ${zone.zoneId} and e.purging_at is not null order by e.id limit ${BATCH} for update of f`,
    );
    if (files > 0) return true;
    const some = await this.purgeFolder(zone);
    if (some) await this.giveBackUploads();
    return some;
  }

  /**
   * Removes all files of a deleted zone, in batches, and the uploads into it; what a crash leaves is removed by the
   * next call.
   */
  private async purgeZone(zone: ZoneOf): Promise<void> {
    await this.uploads.expire(this.em.fork(), { zoneId: zone.zoneId });
    await this.giveBackUploads();
    const some = sql`select id from files where zone_id = ${zone.zoneId} limit ${BATCH}`;
    while ((await this.purgeBatch(zone, some)) > 0);
  }

  private async giveBackUploads(): Promise<void> {
    while (await this.uploads.abandonExpired(this.em.fork()));
  }

  private purgeBatch(zone: ZoneOf, ids: RawBuilder<unknown>): Promise<number> {
    return inTransaction(this.em.fork(), (em) => this.remove(em, zone, ids));
  }

  /** Removes a batch of the files in a marked folder and, when they are gone, the folder with those below. */
  private purgeFolder(zone: ZoneOf): Promise<boolean> {
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
      if (!entry) return false;
      const trashId = sql`${entry.trash_id}::uuid`;
      const tree = sql`
        with recursive tree as (
          select id from folders where id = ${entry.folder_id}
          union all
          select f.id from tree t join folders f on f.parent_id = t.id and f.trash_id = ${trashId}
        )`;
      const files = sql`${tree} select x.id from tree t join files x on x.folder_id = t.id and x.trash_id = ${trashId}
        limit ${BATCH}`;
      if ((await this.remove(em, zone, files)) < BATCH) await this.removeFolders(em, tree);
      return true;
    });
  }

  /** What was deleted before its folder stays in the trash, and comes back to the root. Mirrors of them go too. */
  private async removeFolders(em: EntityManager, tree: RawBuilder<unknown>): Promise<void> {
    const db = query<Tables>(em);
    const { rows } = await sql<{ id: number }>`${tree} select id from tree`.execute(db);
    const ids = sql`${rows.map(({ id }) => id)}::bigint[]`;
    await this.uploads.expire(em, { folderIds: rows.map(({ id }) => id) });
    await sql`update files set folder_id = null where folder_id = any(${ids})`.execute(db);
    await sql`update folders set parent_id = null where parent_id = any(${ids}) and id <> all(${ids})`.execute(db);
    await sql`delete from folders where id = any(${ids})`.execute(db);
  }

  /** Removes files by a query for their ids. @returns how many */
  private async remove(em: EntityManager, zone: ZoneOf, ids: RawBuilder<unknown>): Promise<number> {
    const { rows } = await sql<{ id: number; object_key: string; size: number; thumbnail: string | null }>`
      with gone as (delete from files where id in (${ids}) returning id, object_key, size),
        pictures as (delete from file_thumbnails where file_id in (select id from gone) returning file_id, object_key)
      select gone.*, pictures.object_key as thumbnail from gone left join pictures on pictures.file_id = gone.id
    `.execute(query<Tables>(em));
    if (rows.length === 0) return 0;
    const objectKeys = rows.flatMap((row) => [row.object_key, row.thumbnail ?? []].flat());
    await this.jobs.enqueue(em, deleteObjects, { objectKeys });
    const gone = rows.map(({ id }) => id);
    await sql`with unseen as (delete from file_openings where file_id = any(${gone}::bigint[]))
      delete from file_stats where file_id = any(${gone}::bigint[])`.execute(query<Tables>(em));
    const bytes = rows.reduce((sum, { size }) => sum + size, 0);
    if (bytes === 0) return rows.length;
    await query<Tables>(em)
      .updateTable('zone_stats')
      .set({ bytes: sql<number>`bytes - ${bytes}` })
      .where('zone_id', '=', zone.zoneId)
      .execute();
    await this.usage.give(em, zone.ownerId, 'bytes', bytes);
    return rows.length;
  }
}
