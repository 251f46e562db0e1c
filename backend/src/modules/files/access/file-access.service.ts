import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { SessionService } from '../../auth/sessions/session.service.js';
import type { ViewedZone } from '../../zones/access/zone-access.service.js';
import type { ZoneRole } from '../../zones/entities/zone-member.entity.js';
import { MAX_DEPTH } from './file.policy.js';
import { FileSchema } from '../entities/file.entity.js';
import { fileErrors } from '../files.errors.js';

/** The zone in which somebody sees an item: its own, or one that mounts a folder above it. */
export interface ViewingZone {
  readonly zoneId: number;
  readonly zoneName: string;
  readonly ownerId: number;
  readonly role: ZoneRole;
  /** The mount through which it is seen; null in its own zone. */
  readonly mountId: number | null;
}

/** A file that the viewer may read. */
export interface ViewedFile extends ViewingZone {
  readonly id: number;
  readonly originalName: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256: string;
  readonly objectKey: string;
  readonly allowDownload: boolean;
  readonly allowText: boolean;
  readonly createdAt: Date;
}

/** A file that somebody has open, and the session in which they do. */
export interface ReadingSession {
  readonly fileId: number;
  readonly userId: number;
  readonly sessionId: number;
}

/** A folder that the viewer may read. */
export interface ViewedFolder extends ViewingZone {
  readonly id: number;
  readonly name: string;
  /** Levels from the root of its own zone; 1 at the root. */
  readonly depth: number;
  /** Its own zone and the folder that holds what it shows: its own id, or the source when it is a mount. */
  readonly contentZoneId: number;
  readonly contentFolderId: number;
  /** It is itself a mount. */
  readonly isMirror: boolean;
}

/** A folder, or the root, of a zone, and where what it shows really lies: elsewhere, when it is seen through a mirror. */
export interface FolderLocation {
  /** The zone in which it is seen. */
  readonly zoneId: number;
  readonly ownerId: number;
  readonly role: ZoneRole;
  /** The folder as it was asked for; null is the root. */
  readonly folderId: number | null;
  readonly contentZoneId: number;
  readonly contentFolderId: number | null;
  readonly readOnly: boolean;
  /** 0 at the root. */
  readonly depth: number;
}

const fileItemsSql = (ids: readonly number[]) => sql`
  select f.id, f.zone_id, f.folder_id as chain_id, f.original_name as "originalName", f.mime_type as "mimeType", f.size,
    f.sha256, f.object_key as "objectKey", f.allow_download as "allowDownload", f.allow_text as "allowText",
    f.created_at as "createdAt"
  from files f where f.id = any(${ids}::bigint[]) and f.trashed_at is null`;

/** A mount is there while it is active and its source is neither in the trash nor in a deleted zone. */
const folderItemsSql = (ids: readonly number[]) => sql`
  select f.id, f.zone_id, f.id as chain_id, f.name, r.id is not null as "isMirror",
    coalesce(s.zone_id, f.zone_id) as "contentZoneId", coalesce(s.id, f.id) as "contentFolderId"
  from folders f
  left join folder_mirrors r on r.target_folder_id = f.id
  left join folders s on s.id = r.source_folder_id
  left join zones o on o.id = s.zone_id
  where f.id = any(${ids}::bigint[]) and f.trashed_at is null
    and (r.id is null or (r.is_active and s.trashed_at is null and o.deleted_at is null))`;

/** The folders above each item, and the zones in which it is seen by them: part of a statement that has `item`. */
const ancestorsSql = sql`
  chain as (select distinct chain_id as id from item), above as (
    select c.id as chain_id, p.id, p.parent_id, 1 as level from chain c join folders p on p.id = c.id
    union all
    select a.chain_id, p.id, p.parent_id, a.level + 1
    from above a join folders p on p.id = a.parent_id where a.level < ${MAX_DEPTH}
  ), mounted as (
    select a.chain_id, r.target_zone_id as zone_id, r.target_folder_id as mount_id
    from above a join folder_mirrors r on r.source_folder_id = a.id join folders t on t.id = r.target_folder_id
    where r.is_active and t.trashed_at is null
  ), places as (
    select id as item_id, zone_id, null::bigint as mount_id from item
    union all
    select i.id, m.zone_id, m.mount_id
    from item i join mounted m on m.chain_id = i.chain_id join zones z on z.id = i.zone_id and z.deleted_at is null
  )`;

/**
 * The one place that decides who may read a file or a folder: whoever is in its zone, and whoever is in a zone that
 * mounts a folder above it. Expired memberships, deleted zones, zones of deactivated owners and the trash give nothing.
 */
@Injectable()
export class FileAccessService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly sessions: SessionService,
  ) {}

  /** The file as the viewer reaches it, or null. Their own zone counts before a mount, and the higher role first. */
  async findFile(id: number, userId: number): Promise<ViewedFile | null> {
    return (await this.findFiles([id], userId))[0] ?? null;
  }

  /**
   * Those of the files that the viewer reaches, in one query and in no promised order.
   * @param zoneId only as they are seen in this zone
   */
  findFiles(ids: readonly number[], userId: number, zoneId?: number): Promise<ViewedFile[]> {
    return this.findItems<ViewedFile>(fileItemsSql(ids), userId, zoneId);
  }

  /**
   * The folder as the viewer reaches it, or null.
   * @param zoneId only as it is seen in this zone
   */
  async findFolder(id: number, userId: number, zoneId?: number): Promise<ViewedFolder | null> {
    return (await this.findFolders([id], userId, zoneId))[0] ?? null;
  }

  /** Those of the folders that the viewer reaches, in one query and in no promised order. */
  findFolders(ids: readonly number[], userId: number, zoneId?: number): Promise<ViewedFolder[]> {
    return this.findItems<ViewedFolder>(folderItemsSql(ids), userId, zoneId);
  }

  /**
   * A place to look into.
   * @throws FOLDER_NOT_FOUND when the folder is not seen in this zone
   */
  async resolveReadableLocation(zone: ViewedZone, userId: number, folderId: number | null): Promise<FolderLocation> {
    const { id: zoneId, ownerId, role } = zone;
    const seenIn = { zoneId, ownerId, role, folderId };
    if (folderId === null)
      return { ...seenIn, contentZoneId: zoneId, contentFolderId: null, readOnly: false, depth: 0 };
    const folder = await this.findFolder(folderId, userId, zoneId);
    if (!folder) throw fileErrors.FOLDER_NOT_FOUND();
    return {
      ...seenIn,
      contentZoneId: folder.contentZoneId,
      contentFolderId: folder.contentFolderId,
      readOnly: folder.isMirror || folder.mountId !== null,
      depth: folder.depth,
    };
  }

  /**
   * A place to put something into.
   * @param refusal how it is told that nothing can be put into a mirror
   * @throws FOLDER_NOT_FOUND, MIRROR_READ_ONLY
   */
  async resolveWritableLocation(
    zone: ViewedZone,
    userId: number,
    folderId: number | null,
    createError: () => Error = fileErrors.MIRROR_READ_ONLY,
  ): Promise<FolderLocation> {
    const location = await this.resolveReadableLocation(zone, userId, folderId);
    if (location.readOnly) throw createError();
    return location;
  }

  /**
   * Those of the files that their readers still reach, in one statement however many there are. A session that has ended
   * reaches nothing.
   */
  async findStillAccessible<T extends ReadingSession>(readings: readonly T[]): Promise<Set<T>> {
    const files = [...new Set(readings.map(({ fileId }) => fileId))];
    const { rows } = await sql<{ at: number }>`
      with recursive reading as (
        select r.* from unnest(${readings.map(({ fileId }) => fileId)}::bigint[],
          ${readings.map(({ userId }) => userId)}::bigint[], ${readings.map(({ sessionId }) => sessionId)}::bigint[])
          with ordinality as r(file_id, user_id, session_id, at)
      ), item as (
        select f.id, f.zone_id, f.folder_id as chain_id from files f
        where f.id = any(${files}::bigint[]) and f.trashed_at is null
      ), ${ancestorsSql}
      select r.at::int as at from reading r join (${this.sessions.openSessionsSql()}) s on s.id = r.session_id and s.user_id = r.user_id
      where exists (
        select from places x
        join zones z on z.id = x.zone_id and z.deleted_at is null
        join users o on o.id = z.owner_id and o.deactivated_at is null
        join zone_members m on m.zone_id = z.id and m.user_id = r.user_id
          and (m.expires_at is null or m.expires_at > ${this.clock.now()})
        where x.item_id = r.file_id)`.execute(query<typeof FileSchema>(this.em.fork()));
    return new Set(rows.map(({ at }) => readings[at - 1]!));
  }

  /** Items of one folder share the way up from it, so that many cost little more than one. */
  private async findItems<T>(items: RawBuilder<unknown>, userId: number, zoneId?: number): Promise<T[]> {
    const result = await sql<T>`
      with recursive item as (${items}), ${ancestorsSql}
      select distinct on (item.id) item.*,
        (select max(level) from above where above.chain_id = item.chain_id) as depth,
        z.id as "zoneId", z.name as "zoneName", z.owner_id as "ownerId", m.role, x.mount_id as "mountId"
      from item join places x on x.item_id = item.id
      join zones z on z.id = x.zone_id and z.deleted_at is null
      join users o on o.id = z.owner_id and o.deactivated_at is null
      join zone_members m on m.zone_id = z.id and m.user_id = ${userId}
        and (m.expires_at is null or m.expires_at > ${this.clock.now()})
      where ${zoneId ?? null}::bigint is null or z.id = ${zoneId ?? null}::bigint
      order by item.id, x.mount_id is not null, m.role = 'owner' desc, m.role = 'admin' desc`.execute(
      query<typeof FileSchema>(this.em),
    );
    return result.rows;
  }
}
