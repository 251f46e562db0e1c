import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { query } from '../../platform/database/query.js';
import { FolderSchema } from './entities/folder.entity.js';
import { MAX_DEPTH } from './file.policy.js';

export interface PathStep {
  readonly id: number;
  readonly name: string;
}

/**
 * The ways to many folders in one query: from the root of their zone down, each folder itself included. Those in the
 * trash are found too.
 */
export async function pathsTo(em: EntityManager, folderIds: readonly number[]): Promise<Map<number, PathStep[]>> {
  const paths = new Map<number, PathStep[]>();
  if (folderIds.length === 0) return paths;
  const { rows } = await sql<PathStep & { of: number }>`
    with recursive above as (
      select f.id as of, f.id, f.name, f.parent_id, 1 as level from folders f
      where f.id = any(${[...new Set(folderIds)]}::bigint[])
      union all
      select a.of, p.id, p.name, p.parent_id, a.level + 1 from above a join folders p on p.id = a.parent_id
      where a.level < ${MAX_DEPTH}
    )
    select of, id, name from above order by of, level desc`.execute(query<typeof FolderSchema>(em));
  for (const { of, id, name } of rows) {
    const path = paths.get(of) ?? [];
    paths.set(of, path);
    path.push({ id, name });
  }
  return paths;
}
