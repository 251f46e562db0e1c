import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { openSessionsSql } from '../../auth/sessions/session.sql.js';
import { isVisibleFileSql, type GuestViewer, type ItemViewer } from '../../zones/access/visible-files.sql.js';
import { readingConsentTexts } from '../../zones/consent/consent.policy.js';
import type { ZoneRole } from '../../zones/entities/zone-member.entity.js';
import type { FileSchema } from '../entities/file.entity.js';
import { MAX_DEPTH } from './file.policy.js';

type Tables = typeof FileSchema;

/** The zone through which the viewer sees an item: the item's own zone, or a zone that mirrors a folder above it. */
export interface AccessZone {
  readonly zoneId: number;
  readonly zoneName: string;
  readonly ownerId: number;
  /** Whether the zone records who opens its files and which pages they read. */
  readonly recordsReading: boolean;
  readonly role: ZoneRole;
  /** Id of the mount folder through which the item is seen; null in its own zone. */
  readonly mountId: number | null;
  /** Null for people who haven't entered by a link yet. */
  readonly viewer: ItemViewer;
}

/** A file that the viewer may read. */
export interface AccessibleFile extends AccessZone {
  readonly id: number;
  readonly originalName: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256: string;
  /** Number of the content, from 1. */
  readonly version: number;
  readonly objectKey: string;
  readonly allowDownload: boolean;
  readonly allowText: boolean;
  readonly createdAt: Date;
}

/** A file that a user has open, and the session in which it is open. */
export interface ReadingSession {
  readonly fileId: number;
  readonly userId: number;
  readonly sessionId: number;
}

/** A folder that the viewer may read. */
export interface AccessibleFolder extends AccessZone {
  readonly id: number;
  readonly name: string;
  /** Depth below the root of its own zone; 1 for a folder at the root. */
  readonly depth: number;
  /** Zone and folder that hold the content: the folder itself, or the source folder if this folder is a mount. */
  readonly contentZoneId: number;
  readonly contentFolderId: number;
  /** True if the folder itself is a mount. */
  readonly isMirror: boolean;
}

/** What a link shares: a file, or a folder with everything below it. Exactly one of the ids is set. */
export interface SharedItem {
  readonly zoneId: number;
  readonly fileId: number | null;
  readonly folderId: number | null;
  /** False if the link's guests get no original bytes. */
  readonly allowDownload: boolean;
}

/** A file or folder as the guests of a link reach it; their rights are added by `FileAccessService`. */
type WithoutRights<T> = Omit<T, 'role' | 'viewer'>;

/** @param isVisible condition for a row `f` of `files` */
const fileItemsSql = (ids: readonly number[], isVisible: RawBuilder<boolean>) => sql`
  select f.id, f.zone_id, f.folder_id as chain_id, f.original_name as "originalName", f.mime_type as "mimeType", f.size,
    f.sha256, f.version, f.object_key as "objectKey", f.allow_download as "allowDownload", f.allow_text as "allowText",
    f.created_at as "createdAt"
  from files f where f.id = any(${ids}::bigint[]) and f.trashed_at is null and ${isVisible}`;

/** A mount is visible while it is active and its source is neither in the trash nor in a deleted zone. */
const folderItemsSql = (ids: readonly number[]) => sql`
  select f.id, f.zone_id, f.id as chain_id, f.name, r.id is not null as "isMirror",
    coalesce(s.zone_id, f.zone_id) as "contentZoneId", coalesce(s.id, f.id) as "contentFolderId"
  from folders f
  left join folder_mirrors r on r.target_folder_id = f.id
  left join folders s on s.id = r.source_folder_id
  left join zones o on o.id = s.zone_id
  where f.id = any(${ids}::bigint[]) and f.trashed_at is null
    and (r.id is null or (r.is_active and s.trashed_at is null and o.deleted_at is null))`;

/** CTEs that find the ancestor folders of each item, for a statement that defines a CTE named `item`. */
const aboveSql = sql`
  chain as (select distinct chain_id as id from item), above as (
    select c.id as chain_id, p.id, p.parent_id, 1 as level from chain c join folders p on p.id = c.id
    union all
    select a.chain_id, p.id, p.parent_id, a.level + 1
    from above a join folders p on p.id = a.parent_id where a.level < ${MAX_DEPTH}
  )`;

/** The same with the zones in which each item is visible. */
const ancestorsSql = sql`
  ${aboveSql}, mounted as (
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
 * Finds who can read a file or folder; no other code does. Members of the item's zone can read it, and so can members of
 * a zone that mirrors a folder above it, and guests of a link that shares it or a folder above it. Expired memberships,
 * deleted zones, zones of deactivated owners and trashed items grant no access; `isVisibleFileSql` hides single files.
 */
@Injectable()
export class FileAccessRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns those of the files that the viewer can reach, in a single query and in no particular order.
   * @param zoneId consider only access through this zone
   */
  findFiles(ids: readonly number[], userId: number, zoneId?: number): Promise<AccessibleFile[]> {
    return this.findItems<AccessibleFile>(fileItemsSql(ids, isVisibleFileSql('f', userId)), userId, zoneId);
  }

  /** Returns those of the folders that the viewer can reach, in a single query and in no particular order. */
  findFolders(ids: readonly number[], userId: number, zoneId?: number): Promise<AccessibleFolder[]> {
    return this.findItems<AccessibleFolder>(folderItemsSql(ids), userId, zoneId);
  }

  /**
   * Returns those of the files that a link shares. The caller decides whether the link admits the guest.
   * @param guest null for people who haven't entered yet
   */
  findSharedFiles(
    link: SharedItem,
    guest: GuestViewer | null,
    ids: readonly number[],
  ): Promise<WithoutRights<AccessibleFile>[]> {
    // The owner may share a single file that its sender sent privately.
    const isVisible = sql<boolean>`(f.id = ${link.fileId}::bigint or ${isVisibleFileSql('f', guest)})`;
    return this.findSharedItems(fileItemsSql(ids, isVisible), link, sql`item.id = ${link.fileId}::bigint`);
  }

  /** Returns those of the folders that a link shares, without mirrors, whose content is elsewhere. */
  findSharedFolders(link: SharedItem, ids: readonly number[]): Promise<WithoutRights<AccessibleFolder>[]> {
    return this.findSharedItems(sql`select * from (${folderItemsSql(ids)}) f where not "isMirror"`, link, sql`false`);
  }

  /** Whether a member agreed that the owner of the zone sees how far they read, and hasn't withdrawn that consent. */
  async hasAgreedToReading(zoneId: number, userId: number): Promise<boolean> {
    const { rows } = await sql`
      select from email_consents
      where zone_id = ${zoneId} and user_id = ${userId} and consent_text = any(${[...readingConsentTexts]}::text[])
        and not exists (select from email_unsubscribes where zone_id = ${zoneId} and user_id = ${userId})`.execute(
      query<Tables>(this.em),
    );
    return rows.length > 0;
  }

  /**
   * Returns those of the reading sessions that still have access to their file, in one statement regardless of their
   * number. A session that has ended has no access.
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
      select r.at::int as at from reading r join (${openSessionsSql(this.clock.now())}) s on s.id = r.session_id and s.user_id = r.user_id
      where exists (
        select from places x
        join zones z on z.id = x.zone_id and z.deleted_at is null
        join users o on o.id = z.owner_id and o.deactivated_at is null
        join zone_members m on m.zone_id = z.id and m.user_id = r.user_id
          and (m.expires_at is null or m.expires_at > ${this.clock.now()})
        join files f on f.id = x.item_id and ${isVisibleFileSql('f', sql.ref('r.user_id'))}
        where x.item_id = r.file_id)`.execute(query<Tables>(this.em.fork()));
    return new Set(rows.map(({ at }) => readings[at - 1]!));
  }

  /** Items in the same folder share the ancestor lookup, so a batch costs little more than a single item. */
  private async findItems<T>(items: RawBuilder<unknown>, userId: number, zoneId?: number): Promise<T[]> {
    const result = await sql<T>`
      with recursive item as (${items}), ${ancestorsSql}
      select distinct on (item.id) item.*,
        (select max(level) from above where above.chain_id = item.chain_id) as depth,
        z.id as "zoneId", z.name as "zoneName", z.owner_id as "ownerId", z.records_reading as "recordsReading",
        m.role, x.mount_id as "mountId", m.user_id as "viewer"
      from item join places x on x.item_id = item.id
      join zones z on z.id = x.zone_id and z.deleted_at is null
      join users o on o.id = z.owner_id and o.deactivated_at is null
      join zone_members m on m.zone_id = z.id and m.user_id = ${userId}
        and (m.expires_at is null or m.expires_at > ${this.clock.now()})
      where ${zoneId ?? null}::bigint is null or z.id = ${zoneId ?? null}::bigint
      order by item.id, x.mount_id is not null, m.role = 'owner' desc, m.role = 'admin' desc`.execute(
      query<Tables>(this.em),
    );
    return result.rows;
  }

  /**
   * Finds the items in the zone of a link that it shares: the item itself, or items in its folder.
   * @param isShared condition for the item itself
   */
  private async findSharedItems<T>(
    items: RawBuilder<unknown>,
    { zoneId, folderId }: SharedItem,
    isShared: RawBuilder<unknown>,
  ): Promise<T[]> {
    const result = await sql<T>`
      with recursive item as (${items}), ${aboveSql}
      select item.*, (select max(level) from above where above.chain_id = item.chain_id) as depth,
        z.id as "zoneId", z.name as "zoneName", z.owner_id as "ownerId", z.records_reading as "recordsReading",
        null::bigint as "mountId"
      from item
      join zones z on z.id = item.zone_id and z.id = ${zoneId} and z.deleted_at is null and z.is_active
      join users o on o.id = z.owner_id and o.deactivated_at is null
      where ${isShared}
        or exists (select from above a where a.chain_id = item.chain_id and a.id = ${folderId}::bigint)
      order by item.id`.execute(query<Tables>(this.em));
    return result.rows;
  }
}
