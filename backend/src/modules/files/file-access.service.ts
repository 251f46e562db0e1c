import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import type { ZoneRole } from '../zones/entities/zone-member.entity.js';
import { MAX_DEPTH } from './file.policy.js';
import { FileSchema } from './entities/file.entity.js';

/** The zone in which somebody sees an item: its own, or one that mounts a folder above it. */
export interface Seen {
  readonly zoneId: number;
  readonly zoneName: string;
  readonly ownerId: number;
  readonly role: ZoneRole;
  /** The mount through which it is seen; null in its own zone. */
  readonly mountId: number | null;
}

/** A file that the viewer may read. */
export interface ViewedFile extends Seen {
  readonly id: number;
  readonly originalName: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256: string;
  readonly objectKey: string;
  readonly allowDownload: boolean;
  readonly createdAt: Date;
}

/** A folder that the viewer may read. */
export interface ViewedFolder extends Seen {
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

const fileItems = (ids: readonly number[]) => sql`
  select f.id, f.zone_id, f.folder_id as chain_id, f.original_name, f.mime_type, f.size, f.sha256, f.object_key,
    f.allow_download, f.created_at
  from files f where f.id = any(${ids}::bigint[]) and f.trashed_at is null`;

/** A mount is there while it is active and its source is neither in the trash nor in a deleted zone. */
const folderItems = (ids: readonly number[]) => sql`
  select f.id, f.zone_id, f.id as chain_id, f.name, r.id is not null as is_mirror, s.zone_id as source_zone_id,
    s.id as source_id
  from folders f
  left join folder_mirrors r on r.target_folder_id = f.id
  left join folders s on s.id = r.source_folder_id
  left join zones o on o.id = s.zone_id
  where f.id = any(${ids}::bigint[]) and f.trashed_at is null
    and (r.id is null or (r.is_active and s.trashed_at is null and o.deleted_at is null))`;

/**
 * The one place that decides who may read a file or a folder: whoever is in its zone, and whoever is in a zone that
 * mounts a folder above it. Expired memberships, deleted zones, zones of deactivated owners and the trash give nothing.
 */
@Injectable()
export class FileAccessService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** The file as the viewer reaches it, or null. Their own zone counts before a mount, and the higher role first. */
  async findFile(id: number, userId: number): Promise<ViewedFile | null> {
    return (await this.findFiles([id], userId))[0] ?? null;
  }

  /**
   * Those of the files that the viewer reaches, in one query and in no promised order.
   * @param zoneId only as they are seen in this zone
   */
  async findFiles(ids: readonly number[], userId: number, zoneId?: number): Promise<ViewedFile[]> {
    const rows = await this.find(fileItems(ids), userId, zoneId);
    return rows.map((row) => ({
      ...seen(row),
      id: Number(row.id),
      originalName: String(row.original_name),
      mimeType: String(row.mime_type),
      size: Number(row.size),
      sha256: String(row.sha256),
      objectKey: String(row.object_key),
      allowDownload: row.allow_download === true,
      createdAt: new Date(row.created_at as string | Date),
    }));
  }

  /**
   * The folder as the viewer reaches it, or null.
   * @param zoneId only as it is seen in this zone
   */
  async findFolder(id: number, userId: number, zoneId?: number): Promise<ViewedFolder | null> {
    return (await this.findFolders([id], userId, zoneId))[0] ?? null;
  }

  /** Those of the folders that the viewer reaches, in one query and in no promised order. */
  async findFolders(ids: readonly number[], userId: number, zoneId?: number): Promise<ViewedFolder[]> {
    const rows = await this.find(folderItems(ids), userId, zoneId);
    return rows.map((row) => {
      const isMirror = row.is_mirror === true;
      return {
        ...seen(row),
        id: Number(row.id),
        name: String(row.name),
        depth: Number(row.depth),
        contentZoneId: Number(isMirror ? row.source_zone_id : row.zone_id),
        contentFolderId: Number(isMirror ? row.source_id : row.id),
        isMirror,
      };
    });
  }

  /** Items of one folder share the way up from it, so that many cost little more than one. */
  private async find(items: RawBuilder<unknown>, userId: number, zoneId?: number) {
    const result = await sql<Record<string, unknown>>`
      with recursive item as (${items}), chain as (select distinct chain_id as id from item), above as (
        select c.id as chain_id, p.id, p.parent_id, 1 as level from chain c join folders p on p.id = c.id
        union all
        select a.chain_id, p.id, p.parent_id, a.level + 1
        from above a join folders p on p.id = a.parent_id where a.level < ${MAX_DEPTH}
      ), mounted as (
        select a.chain_id, r.target_zone_id as zone_id, r.target_folder_id as mount_id
        from above a join folder_mirrors r on r.source_folder_id = a.id join folders t on t.id = r.target_folder_id
        where r.is_active and t.trashed_at is null
      ), reached as (
        select id as item_id, zone_id, null::bigint as mount_id from item
        union all
        select i.id, m.zone_id, m.mount_id
        from item i join mounted m on m.chain_id = i.chain_id join zones z on z.id = i.zone_id and z.deleted_at is null
      )
      select distinct on (item.id) item.*,
        (select max(level) from above where above.chain_id = item.chain_id) as depth,
        z.id as seen_zone_id, z.name as zone_name, z.owner_id, m.role, x.mount_id
      from item join reached x on x.item_id = item.id
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

function seen(row: Record<string, unknown>): Seen {
  return {
    zoneId: Number(row.seen_zone_id),
    zoneName: String(row.zone_name),
    ownerId: Number(row.owner_id),
    role: row.role as ZoneRole,
    mountId: row.mount_id === null ? null : Number(row.mount_id),
  };
}
