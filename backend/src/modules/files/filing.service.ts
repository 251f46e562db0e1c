import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { Storage } from '../../platform/storage/storage.js';
import { ActivityService } from '../activity/activity.service.js';
import { ZoneStatsSchema } from '../zones/entities/zone-stats.entity.js';
import { FileSchema } from './entities/file.entity.js';
import { nameKey } from './file-name.js';
import { freeNames, depthOf, lockZone } from './file-placement.js';
import { fileErrors } from './files.errors.js';
import type { Place } from './folder-places.service.js';
import { ThumbnailService } from './thumbnail.service.js';
import { UploadIntents, type Intent } from './upload-intents.service.js';

type Tables = typeof FileSchema | typeof ZoneStatsSchema;

/** Where stored bytes become files, and for whom. */
export interface FilingTarget {
  /** Where the files go; one that can be written to. */
  readonly place: Place;
  /** Who uploads. */
  readonly userId: number;
  /** `rename` gives clashing files a number; otherwise one clash refuses all files of the request. */
  readonly onConflict: 'refuse' | 'rename';
}

/** A file whose bytes are stored, before there is a row for it. */
export interface StoredFile {
  readonly intent: Intent;
  /** Where the bytes lie. */
  readonly objectKey: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256: string;
}

/** Makes files of stored bytes: the one writer of new rows, whichever way the bytes came. */
@Injectable()
export class FilingService {
  constructor(
    private readonly clock: Clock,
    private readonly storage: Storage,
    private readonly intents: UploadIntents,
    private readonly activity: ActivityService,
    private readonly thumbnails: ThumbnailService,
  ) {}

  /**
   * Files what was stored, in the caller's transaction: all of it, or nothing. It settles the uploads and locks what
   * the owner uses of the plan, so little should follow in that transaction.
   * @returns the ids of the files, in the order in which they were given
   * @throws DUPLICATE_NAMES, FOLDER_NOT_FOUND, ZONE_NOT_FOUND; UPLOAD_EXPIRED when one was cleaned up meanwhile
   */
  async file(em: EntityManager, target: FilingTarget, stored: readonly StoredFile[]): Promise<number[]> {
    const { place, onConflict, userId } = target;
    const { zoneId, ownerId, folderId } = place;
    const zoneName = await lockZone(em, zoneId, onConflict === 'rename' ? 'tree' : 'files');
    await depthOf(em, zoneId, folderId);
    const asked = stored.map(({ name }) => name);
    const names = onConflict === 'rename' ? await freeNames(em, zoneId, folderId, asked) : asked;
    const ids = await this.insert(em, target, stored, names);
    const entries = ids.map((fileId, at) => ({
      type: 'file.uploaded' as const,
      params: { zoneName, fileName: names[at]! },
      ...{ ownerId, zoneId, userId, fileId },
    }));
    await this.activity.record(em, ...entries);
    await this.thumbnails.order(
      em,
      stored.map(({ mimeType, size }, at) => ({ id: ids[at]!, mimeType, size })),
    );
    const bytes = stored.reduce((sum, { size }) => sum + size, 0);
    await query<Tables>(em)
      .updateTable('zone_stats')
      .set({ files: sql<number>`files + ${ids.length}`, bytes: sql<number>`bytes + ${bytes}` })
      .where('zone_id', '=', zoneId)
      .execute();
    await this.intents.settle(
      em,
      ownerId,
      stored.map(({ intent }) => intent),
      bytes,
    );
    return ids;
  }

  /** Of two requests that bring the same name at once, the unique index lets one through. */
  private async insert(
    em: EntityManager,
    { place: { zoneId, folderId }, userId }: FilingTarget,
    stored: readonly StoredFile[],
    names: readonly string[],
  ): Promise<number[]> {
    const now = this.clock.now();
    const rows = stored.map((file, at) => ({
      original_name: names[at]!,
      name_key: nameKey(names[at]!),
      mime_type: file.mimeType,
      size: file.size,
      sha256: file.sha256,
      object_key: file.objectKey,
      storage_type: this.storage.type,
      zone_id: zoneId,
      folder_id: folderId,
      uploaded_by_id: userId,
      created_at: now,
      updated_at: now,
    }));
    // In one order for everybody, so that two requests with the same names wait for each other and do not deadlock.
    const sorted = rows.toSorted((a, b) => (a.name_key < b.name_key ? -1 : 1));
    const inserted = await query<Tables>(em)
      .insertInto('files')
      .values(sorted)
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'name_key'])
      .execute();
    const idOf = new Map(inserted.map((row) => [row.name_key, Number(row.id)]));
    const clashes = names.filter((name) => !idOf.has(nameKey(name)));
    if (clashes.length > 0) throw fileErrors.DUPLICATE_NAMES({}, { names: clashes });
    return rows.map((row) => idOf.get(row.name_key)!);
  }
}
