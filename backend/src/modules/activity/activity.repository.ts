import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock, MINUTE } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import type { UserSchema } from '../auth/entities/user.entity.js';
import type { ActivityEntry } from './activity.events.js';
import type { ActivitySchema } from './entities/activity.entity.js';
import type { FileStatsSchema } from './entities/file-stats.entity.js';
import type { ViewingKind, ViewingSchema } from './entities/viewing.entity.js';

type Tables = typeof ActivitySchema | typeof ViewingSchema | typeof FileStatsSchema | typeof UserSchema;

/** Opening a file again within this time window counts as the same viewing. */
export const VIEWING_WINDOW = 30 * MINUTE;

/** A request that opens a file. For range requests, only one that starts at the first byte counts. */
export interface FileAccess {
  readonly fileId: number;
  /** Identifies the viewer: `u:` and the user id, or `l:` with the ids of a link and its guest. */
  readonly viewerKey: string;
  readonly kind: ViewingKind;
  readonly entry: ActivityEntry;
}

/** The append-only activity log, and the counters derived from it. */
@Injectable()
export class ActivityRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Appends entries in one statement, in the transaction of `em`, so that they commit together with what they describe.
   */
  async insertEntries(em: EntityManager, entries: readonly ActivityEntry[]): Promise<void> {
    if (entries.length > 0) await this.insertSql(entries).execute(query<Tables>(em));
  }

  /** Builds the statement of `insertEntries`, for callers that combine it with others in one round trip. */
  insertSql(entries: readonly ActivityEntry[]): RawBuilder<unknown> {
    const rows = entries.map((entry) => toRow(entry));
    return sql`
      insert into activity (type, owner_id, zone_id, user_id, file_id, params, created_at)
      select type, owner_id, zone_id, user_id, file_id, params, ${this.clock.now()}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as entries(
        type text, owner_id bigint, zone_id bigint, user_id bigint, file_id bigint, params jsonb)`;
  }

  /**
   * Counts views and downloads, each once per viewer, kind and window of 30 minutes. Viewings, counters, openings and
   * entries are written by one statement, however many files are opened. Rows are written in the order of the files, to
   * prevent deadlocks between concurrent calls for the same files.
   * @returns how many were counted
   */
  async countOpenings(openings: readonly FileAccess[]): Promise<number> {
    if (openings.length === 0) return 0;
    const now = this.clock.now();
    const start = new Date(Math.floor(now.getTime() / VIEWING_WINDOW) * VIEWING_WINDOW);
    const rows = openings.map(({ fileId, viewerKey, kind, entry }) => ({
      ...toRow(entry),
      file_id: fileId,
      viewer_key: viewerKey,
      kind,
    }));
    const { rows: counted } = await sql`
      with opened as (
        select distinct on (file_id, viewer_key, kind) * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as o(
          file_id bigint, viewer_key text, kind text, type text, params jsonb,
          owner_id bigint, zone_id bigint, user_id bigint)
      ), seen as (
        insert into viewings (file_id, viewer_key, kind, window_start)
        select file_id, viewer_key, kind, ${start}::timestamptz from opened order by file_id
        on conflict do nothing
        returning file_id, viewer_key, kind
      ), counted as (
        insert into file_stats (file_id, views, downloads)
        select file_id, count(*) filter (where kind = 'view'), count(*) filter (where kind = 'download')
        from seen group by file_id order by file_id
        on conflict (file_id) do update
        set views = file_stats.views + excluded.views, downloads = file_stats.downloads + excluded.downloads
      ), remembered as (
        insert into file_openings as p (file_id, user_id, first_at, last_at, views, downloads)
        select o.file_id, o.user_id, ${now}::timestamptz, ${now}::timestamptz,
          count(*) filter (where o.kind = 'view'), count(*) filter (where o.kind = 'download')
        from seen join opened o using (file_id, viewer_key, kind)
        where o.user_id is not null group by o.file_id, o.user_id order by o.file_id, o.user_id
        on conflict (file_id, user_id) do update
        set last_at = greatest(p.last_at, excluded.last_at), views = p.views + excluded.views,
          downloads = p.downloads + excluded.downloads
      )
      insert into activity (type, owner_id, zone_id, user_id, file_id, params, created_at)
      select o.type, o.owner_id, o.zone_id, o.user_id, o.file_id, o.params, ${now}::timestamptz
      from seen join opened o using (file_id, viewer_key, kind)
      order by o.file_id
      returning file_id`.execute(query<Tables>(this.em));
    return counted.length;
  }

  /** Returns the latest entries of an owner's zones with their acting users, newest first. */
  listLatestForOwner(ownerId: number, limit: number) {
    return query<Tables>(this.em)
      .selectFrom('activity as a')
      .leftJoin('users as u', 'u.id', 'a.user_id')
      .select(['a.id', 'a.type', 'a.params', 'a.created_at as createdAt', 'u.email'])
      .select(['u.first_name as firstName', 'u.last_name as lastName'])
      .where('a.owner_id', '=', ownerId)
      .orderBy('a.created_at', 'desc')
      .orderBy('a.id', 'desc')
      .limit(limit)
      .execute();
  }

  async deleteViewingsBefore(time: Date): Promise<void> {
    await query<Tables>(this.em).deleteFrom('viewings').where('window_start', '<', time).execute();
  }

  /** Deletes who opened files, and how often; called when the files are deleted. */
  async deleteFileFigures(em: EntityManager, fileIds: readonly number[]): Promise<void> {
    await sql`with unseen as (delete from file_openings where file_id = any(${[...fileIds]}::bigint[]))
      delete from file_stats where file_id = any(${[...fileIds]}::bigint[])`.execute(query<Tables>(em));
  }
}

function toRow({ type, ownerId = null, zoneId = null, userId = null, fileId = null, params }: ActivityEntry) {
  return { type, owner_id: ownerId, zone_id: zoneId, user_id: userId, file_id: fileId, params };
}
