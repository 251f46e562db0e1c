import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { query } from '../../platform/database/query.js';
import { ZoneSchema } from '../zones/entities/zone.entity.js';
import { zoneErrors } from '../zones/zones.errors.js';
import { FileSchema } from './entities/file.entity.js';
import { FolderSchema } from './entities/folder.entity.js';
import { MAX_DEPTH } from './file.policy.js';
import { nameKey, numberedName } from './file-name.js';
import { fileErrors } from './files.errors.js';

type Tables = typeof FileSchema | typeof FolderSchema | typeof ZoneSchema;

/** Numbers tried at a time when a free name is looked for. */
const NUMBERS_AT_ONCE = 50;

/**
 * Locks a zone that is still there. `tree` keeps every other change of its folders and files out until the commit (so
 * two opposite moves cannot make a circle); `files` lets other uploads in, but no change of the tree.
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
 * How deep a folder lies in its zone, 1 at the root; 0 for the root itself (`null`).
 * @throws FOLDER_NOT_FOUND when it is not (any more) in this zone
 */
export async function depthOf(em: EntityManager, zoneId: number, folderId: number | null): Promise<number> {
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

/** A folder that is to be made. */
export interface NewFolder {
  /** As `cleanName` gives it. */
  readonly name: string;
  readonly zoneId: number;
  readonly parentId: number | null;
  readonly createdById: number;
  readonly at: Date;
}

/**
 * Writes the row of a folder, in a zone that is locked for its tree.
 * @returns its id
 * @throws DUPLICATE_NAMES
 */
export async function insertFolder(em: EntityManager, folder: NewFolder): Promise<number> {
  const { name, zoneId, parentId, createdById, at } = folder;
  const row = await query<Tables>(em)
    .insertInto('folders')
    .values({
      name,
      name_key: nameKey(name),
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

/** Those of the names that a folder holds already, as they were asked for. */
export async function takenNames(
  em: EntityManager,
  zoneId: number,
  folderId: number | null,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await query<Tables>(em)
    .selectFrom('files')
    .select('name_key')
    .where('zone_id', '=', zoneId)
    .where(sql<number>`coalesce(folder_id, 0)`, '=', folderId ?? 0)
    .where('name_key', 'in', names.map(nameKey))
    .where('trashed_at', 'is', null)
    .execute();
  const taken = new Set(rows.map((row) => row.name_key));
  return names.filter((name) => taken.has(nameKey(name)));
}

/**
 * Names under which files can be stored beside what a folder holds, and beside each other: taken ones become
 * "name (1).ext". They stay free for as long as the zone is locked for its tree.
 */
export async function freeNames(
  em: EntityManager,
  zoneId: number,
  folderId: number | null,
  names: readonly string[],
): Promise<string[]> {
  const given = new Set<string>();
  const free: string[] = [];
  for (const name of names) {
    let found: string | undefined;
    for (let from = 0; found === undefined; from += NUMBERS_AT_ONCE) {
      const tries = Array.from({ length: NUMBERS_AT_ONCE }, (_, at) =>
        from + at === 0 ? name : numberedName(name, from + at),
      );
      const taken = new Set(await takenNames(em, zoneId, folderId, tries));
      found = tries.find((one) => !taken.has(one) && !given.has(nameKey(one)));
    }
    given.add(nameKey(found));
    free.push(found);
  }
  return free;
}
