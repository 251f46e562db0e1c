import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { normaliseForComparison } from '../../../platform/text/normalise-for-search.js';
import { ZoneSchema } from '../../zones/entities/zone.entity.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import { FileSchema } from '../entities/file.entity.js';
import { FolderSchema } from '../entities/folder.entity.js';
import { MAX_DEPTH } from '../access/file.policy.js';
import { numberedFolderName, numberedName } from './file-name.js';
import type { FolderPathDto } from '../dto/folder.dto.js';
import { fileErrors } from '../files.errors.js';

type Tables = typeof FileSchema | typeof FolderSchema | typeof ZoneSchema;

/** Numbers tried per query when searching for a free name. */
const NUMBERS_PER_QUERY = 50;

/**
 * Locks a zone that is not deleted. `tree` blocks all other changes to its folders and files until the commit, so that
 * two opposite moves can't create a cycle. `files` allows concurrent uploads but no changes to the tree.
 * @returns the zone's name
 * @throws ZONE_NOT_FOUND
 */
export async function lockZone(em: EntityManager, zoneId: number, purpose: 'tree' | 'files'): Promise<string> {
  const rows = query<Tables>(em)
    .selectFrom('zones')
    .select('name')
    .where('id', '=', zoneId)
    .where('deleted_at', 'is', null);
  const zone = await (purpose === 'tree' ? rows.forNoKeyUpdate() : rows.forShare()).executeTakeFirst();
  if (!zone) throw zoneErrors.ZONE_NOT_FOUND();
  return zone.name;
}

/**
 * Returns the depth of a folder in its zone: 1 at the root, 0 for the root itself (`null`).
 * @throws FOLDER_NOT_FOUND if the folder is not, or no longer, in this zone
 */
export async function getFolderDepth(em: EntityManager, zoneId: number, folderId: number | null): Promise<number> {
  if (folderId === null) return 0;
  const result = await sql<{ depth: number | null }>`
    with recursive above as (
      select id, parent_id, 1 as level from folders
      where id = ${folderId} and zone_id = ${zoneId} and trashed_at is null
      union all
      select p.id, p.parent_id, a.level + 1 from above a join folders p on p.id = a.parent_id
      where a.level <= ${MAX_DEPTH}
    ) select max(level) as depth from above`.execute(query<Tables>(em));
  const depth = Number(result.rows[0]?.depth ?? 0);
  if (depth === 0) throw fileErrors.FOLDER_NOT_FOUND();
  return depth;
}

export interface NewFolder {
  /** Normalised by `normaliseName`. */
  readonly name: string;
  readonly zoneId: number;
  readonly parentId: number | null;
  readonly createdById: number;
  readonly at: Date;
}

/**
 * Inserts a folder; the zone must be locked with `tree`.
 * @returns its id
 * @throws DUPLICATE_NAMES
 */
export async function insertFolder(em: EntityManager, folder: NewFolder): Promise<number> {
  const { name, zoneId, parentId, createdById, at } = folder;
  const row = await query<Tables>(em)
    .insertInto('folders')
    .values({
      name,
      name_key: normaliseForComparison(name),
      zone_id: zoneId,
      parent_id: parentId,
      created_by_id: createdById,
      created_at: at,
      updated_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!row) throw fileErrors.DUPLICATE_NAMES({}, { names: [name] });
  return Number(row.id);
}

/** Files and folders have separate namespaces: a folder may have the same name as a file next to it. */
export type ItemKind = 'file' | 'folder';

const itemTables = {
  file: { table: sql`files`, folderColumn: sql`coalesce(folder_id, 0)` },
  folder: { table: sql`folders`, folderColumn: sql`coalesce(parent_id, 0)` },
};

/** Returns those of the names that already exist in a folder, in their original spelling. */
export async function findTakenNames(
  em: EntityManager,
  zoneId: number,
  folderId: number | null,
  names: readonly string[],
  kind: ItemKind = 'file',
): Promise<string[]> {
  if (names.length === 0) return [];
  const { table, folderColumn } = itemTables[kind];
  const { rows } = await sql<{ name_key: string }>`
    select name_key from ${table} where zone_id = ${zoneId} and ${folderColumn} = ${folderId ?? 0}
      and name_key = any(${names.map(normaliseForComparison)}) and trashed_at is null`.execute(query<Tables>(em));
  const taken = new Set(rows.map((row) => row.name_key));
  return names.filter((name) => taken.has(normaliseForComparison(name)));
}

/**
 * Returns names that don't clash with the folder's content or with each other; taken names become "name (1).ext". They
 * stay free while the zone is locked with `tree`.
 */
export async function findFreeNames(
  em: EntityManager,
  zoneId: number,
  folderId: number | null,
  names: readonly string[],
  kind: ItemKind = 'file',
): Promise<string[]> {
  const taken = new Set((await findTakenNames(em, zoneId, folderId, names, kind)).map(normaliseForComparison));
  const lastTriedNumber = new Map<string, number>();
  const freeList: string[] = [];
  for (const name of names) {
    const key = normaliseForComparison(name);
    let freeName: string | undefined = taken.has(key) ? undefined : name;
    for (let from = lastTriedNumber.get(key) ?? 1; freeName === undefined; from += NUMBERS_PER_QUERY) {
      const candidates = Array.from({ length: NUMBERS_PER_QUERY }, (_, index) => addNumber(name, from + index, kind));
      const stored = new Set(await findTakenNames(em, zoneId, folderId, candidates, kind));
      freeName = candidates.find(
        (candidate) => !stored.has(candidate) && !taken.has(normaliseForComparison(candidate)),
      );
      lastTriedNumber.set(key, from);
    }
    taken.add(normaliseForComparison(freeName));
    freeList.push(freeName);
  }
  return freeList;
}

function addNumber(name: string, number: number, kind: ItemKind): string {
  return kind === 'file' ? numberedName(name, number) : numberedFolderName(name, number);
}

/**
 * Returns the paths of many folders in a single query, each from the root of its zone to the folder itself. Includes
 * folders in the trash.
 */
export async function findFolderPaths(
  em: EntityManager,
  folderIds: readonly number[],
): Promise<Map<number, FolderPathDto[]>> {
  const paths = new Map<number, FolderPathDto[]>();
  if (folderIds.length === 0) return paths;
  const { rows } = await sql<FolderPathDto & { of: number }>`
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
