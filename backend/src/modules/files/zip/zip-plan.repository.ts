import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { isVisibleFileSql, type ItemViewer } from '../../zones/access/visible-files.sql.js';
import { MAX_DEPTH } from '../access/file.policy.js';
import type { FileSchema } from '../entities/file.entity.js';
import type { FolderSchema } from '../entities/folder.entity.js';

type Tables = typeof FileSchema | typeof FolderSchema;

export interface TreeFolder {
  /** The selected folder through which this one was reached. */
  readonly root: number;
  readonly id: number;
  readonly parentId: number | null;
  readonly name: string;
  readonly createdAt: Date;
  readonly level: number;
}

export interface TreeFile {
  readonly id: number;
  readonly folderId: number;
  readonly name: string;
  readonly createdAt: Date;
  readonly allowDownload: boolean;
}

/** Reads the items of archives, each list up to a limit. */
@Injectable()
export class ZipPlanRepository {
  constructor(private readonly em: EntityManager) {}

  /** Returns the ids of items at the root of a zone, by name. */
  async findRootIds(table: 'files' | 'folders', zoneId: number, limit: number): Promise<number[]> {
    const above = table === 'files' ? sql.ref('folder_id') : sql.ref('parent_id');
    const name = table === 'files' ? sql.ref('original_name') : sql.ref('name');
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(table)} where zone_id = ${zoneId} and ${above} is null and trashed_at is null
      order by ${name}, id limit ${limit}`.execute(query<Tables>(this.em));
    return rows.map(({ id }) => Number(id));
  }

  /**
   * Returns folders and everything below them, parents first.
   * @param roots the folders and the folders with their content, which differ for mounts
   */
  async findSubtrees(
    roots: readonly { readonly id: number; readonly contentFolderId: number }[],
    limit: number,
  ): Promise<TreeFolder[]> {
    const ids = roots.map(({ id }) => id);
    const contents = roots.map(({ contentFolderId }) => contentFolderId);
    const { rows } = await sql<TreeFolder>`
      with recursive tree as (
        select c.root, f.id, null::bigint as parent_id, f.name, f.created_at, 1 as level
        from unnest(${ids}::bigint[], ${contents}::bigint[]) as c(root, content)
        join folders f on f.id = c.content and f.trashed_at is null
        union all
        select t.root, f.id, f.parent_id, f.name, f.created_at, t.level + 1
        from tree t join folders f on f.parent_id = t.id and f.trashed_at is null where t.level < ${MAX_DEPTH}
      )
      select root, id, parent_id as "parentId", name, created_at as "createdAt", level
      from tree order by level, name, root, id limit ${limit}`.execute(query<Tables>(this.em));
    return rows;
  }

  /** Returns the files directly in the folders that the viewer may see. */
  async findFilesIn(folderIds: readonly number[], viewer: ItemViewer, limit: number): Promise<TreeFile[]> {
    if (folderIds.length === 0) return [];
    const { rows } = await sql<TreeFile>`
      select id, folder_id as "folderId", original_name as name, created_at as "createdAt",
        allow_download as "allowDownload"
      from files f where folder_id = any(${[...new Set(folderIds)]}::bigint[]) and trashed_at is null
        and ${isVisibleFileSql('f', viewer)}
      order by folder_id, original_name, id limit ${limit}`.execute(query<Tables>(this.em));
    return rows;
  }
}
