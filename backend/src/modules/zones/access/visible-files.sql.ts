import { sql, type RawBuilder } from 'kysely';

/** The id of a user, a column that holds it, or null for the guests of a link. */
export type FileViewer = number | null | RawBuilder<unknown>;

/**
 * Condition for the files that a viewer may see in the folders that the viewer reaches. A file that was sent for a
 * private file request is seen only by its sender and by those who manage its zone, while it is in the folder of the
 * request. Every query that returns, counts or measures files for people who may not manage them uses it.
 * @param file alias of a row of `files`
 */
export function isVisibleFileSql(file: string, viewer: FileViewer): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${file}.${name}`);
  return sql<boolean>`not exists (
    select from file_submissions vs
    where vs.file_id = ${column('id')} and vs.folder_id = ${column('folder_id')} and vs.is_private
      and (vs.user_id = ${viewer}::bigint) is not true
      and not exists (
        select from zone_members vm
        where vm.zone_id = ${column('zone_id')} and vm.user_id = ${viewer}::bigint and vm.role in ('owner', 'admin')
          and (vm.expires_at is null or vm.expires_at > now())
      )
  )`;
}

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
    from folders d join file_submissions s on s.folder_id = d.id and s.is_private
    join files f on f.id = s.file_id and f.folder_id = d.id
    where ${condition} and d.zone_id = ${zoneId} and not ${isVisibleFileSql('f', viewer)}
  )`;
}
