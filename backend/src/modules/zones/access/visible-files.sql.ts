import { sql, type RawBuilder } from 'kysely';

/** A guest of a link, by the random key that nobody else has. */
export interface GuestViewer {
  readonly guestKey: string;
}

/** The id of a user, a guest of a link, or null for people of whom nothing is known. */
export type ItemViewer = number | GuestViewer | null;

/** An `ItemViewer`, or a column with the id of a user. */
export type FileViewer = ItemViewer | RawBuilder<unknown>;

export const isGuest = (viewer: FileViewer): viewer is GuestViewer =>
  viewer !== null && typeof viewer === 'object' && 'guestKey' in viewer;

/**
 * Whether the viewer sent a file.
 * @param submission alias of a row of `file_submissions`
 */
export const isSentBySql = (submission: string, viewer: FileViewer): RawBuilder<boolean> =>
  isGuest(viewer)
    ? sql<boolean>`${sql.ref(`${submission}.guest_key`)} = ${viewer.guestKey}::uuid`
    : sql<boolean>`${sql.ref(`${submission}.user_id`)} = ${viewer}::bigint`;

/**
 * Condition for the files that a viewer may see in the folders that the viewer reaches. A file that was sent for a
 * private file request is seen only by its sender and by those who manage its zone, while it is in the folder of the
 * request, or at the root to which it was restored because that folder was gone. Every query that returns, counts or
 * measures files for people who may not manage them uses it.
 * @param file alias of a row of `files`
 */
export function isVisibleFileSql(file: string, viewer: FileViewer): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${file}.${name}`);
  return sql<boolean>`not exists (
    select from file_submissions vs
    where vs.file_id = ${column('id')} and vs.is_private
      and (vs.folder_id = ${column('folder_id')} or (vs.root_zone_id = ${column('zone_id')} and ${column('folder_id')} is null))
      and (${isSentBySql('vs', viewer)}) is not true and not ${isManagerSql(column('zone_id'), viewer)}
  )`;
}

/**
 * The same condition for the files directly in one folder of a zone (null: the root). PostgreSQL evaluates its subquery
 * once. It joins the other one, and as it expects few files in a folder, it sorts all of them to read some far down.
 */
export function isVisibleInFolderSql(
  file: string,
  { zoneId, folderId }: { readonly zoneId: number; readonly folderId: number | null },
  viewer: FileViewer,
): RawBuilder<boolean> {
  const isInFolder =
    folderId === null ? sql`vs.root_zone_id = ${zoneId}::bigint` : sql`vs.folder_id = ${folderId}::bigint`;
  return sql<boolean>`${sql.ref(`${file}.id`)} not in (
    select vs.file_id from file_submissions vs
    where vs.is_private and ${isInFolder}
      and (${isSentBySql('vs', viewer)}) is not true and not ${isManagerSql(sql`${zoneId}::bigint`, viewer)}
  )`;
}

const isManagerSql = (zoneId: RawBuilder<unknown>, viewer: FileViewer): RawBuilder<boolean> =>
  isGuest(viewer)
    ? sql<boolean>`false`
    : sql<boolean>`exists (
        select from zone_members vm
        where vm.zone_id = ${zoneId} and vm.user_id = ${viewer}::bigint and vm.role in ('owner', 'admin')
          and (vm.expires_at is null or vm.expires_at > now())
      )`;

/** Numbers of a zone's files that a viewer can't see. */
export interface HiddenCounts {
  readonly files: number;
  /** With the trash and earlier versions. */
  readonly bytes: number;
}

/**
 * Subquery that counts the files of a zone that a viewer can't see. The counters of the zone include them.
 * @param zoneId column of the zone
 * @param condition false where nothing is hidden from the viewer, to save the count
 */
export function hiddenCountsSql(
  zoneId: RawBuilder<unknown>,
  viewer: FileViewer,
  condition: RawBuilder<unknown> = sql`true`,
): RawBuilder<HiddenCounts> {
  return sql<HiddenCounts>`(
    select count(*) filter (where f.trashed_at is null)::int as files, coalesce(sum(f.size + coalesce((
      select sum(v.size) from file_versions v where v.file_id = f.id), 0)), 0)::bigint as bytes
    from (
      select s.file_id from folders d join file_submissions s on s.folder_id = d.id and s.is_private
      where ${condition} and d.zone_id = ${zoneId}
      union
      select s.file_id from file_submissions s where ${condition} and s.root_zone_id = ${zoneId} and s.is_private
    ) p
    join files f on f.id = p.file_id and f.zone_id = ${zoneId}
    where not ${isVisibleFileSql('f', viewer)}
  )`;
}
