import { sql, type RawBuilder } from 'kysely';
import { isSentBySql, type FileViewer } from '../../zones/access/visible-files.sql.js';

/** Counts the files that a person has sent to a folder, without those in the trash. */
export function sentFilesSql(folderId: RawBuilder<unknown>, viewer: FileViewer): RawBuilder<number> {
  return sql<number>`(
    select count(*)::int from file_submissions ss join files sf on sf.id = ss.file_id and sf.trashed_at is null
    where ss.folder_id = ${folderId} and ${isSentBySql('ss', viewer)})`;
}

/**
 * Whether a person sent a file, it is still in the folder of the request, and that is open.
 * @param file alias of a row of `files`
 */
export function isWithdrawableSql(file: string, viewer: FileViewer): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from file_submissions ws join file_requests wr on wr.folder_id = ws.folder_id
    where ws.file_id = ${sql.ref(`${file}.id`)} and ws.folder_id = ${sql.ref(`${file}.folder_id`)}
      and ${isSentBySql('ws', viewer)} and (wr.closes_at is null or wr.closes_at > now()))`;
}
