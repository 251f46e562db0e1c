import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { isUniqueViolation } from '../../../platform/database/constraint-violations.js';
import { query } from '../../../platform/database/query.js';
import { normaliseForComparison } from '../../../platform/text/normalise-for-search.js';
import type { ZoneSchema } from '../../zones/entities/zone.entity.js';
import { MAX_DEPTH } from '../access/file.policy.js';
import type { FolderPathDto } from '../dto/folder.dto.js';
import type { FileSchema } from '../entities/file.entity.js';
import type { FolderMirrorSchema } from '../entities/folder-mirror.entity.js';
import type { FolderSchema } from '../entities/folder.entity.js';

type Tables = typeof FileSchema | typeof FolderSchema | typeof FolderMirrorSchema | typeof ZoneSchema;

export interface NewFolder {
  /** Normalised by `normaliseName`. */
  readonly name: string;
  readonly zoneId: number;
  readonly parentId: number | null;
  readonly createdById: number;
  readonly at: Date;
}

/** A name in a folder; a null `parentId` is the root. */
export interface ItemPlace {
  readonly parentId: number | null;
  readonly name: string;
}

export interface ChildFolder extends ItemPlace {
  readonly id: number;
  /** Whether it shows a folder of another zone. */
  readonly isMirror: boolean;
}

export interface ChildFile extends ItemPlace {
  readonly id: number;
  /** Bytes. */
  readonly size: number;
}

/** Files and folders have separate namespaces: a folder may have the same name as a file next to it. */
export type ItemKind = 'file' | 'folder';

const itemTables = {
  file: { table: sql`files`, folderColumn: sql`coalesce(folder_id, 0)` },
  folder: { table: sql`folders`, folderColumn: sql`coalesce(parent_id, 0)` },
};

export interface SelectedFile {
  readonly id: number;
  readonly name: string;
  /** Null at the root. */
  readonly folderId: number | null;
}

export interface SelectedFolder {
  readonly id: number;
  readonly name: string;
  readonly parentId: number | null;
  readonly isMirror: boolean;
}

/** An item and the name that it gets. */
export interface NamedItem {
  readonly id: number;
  readonly name: string;
}

/** The tree of a zone: where its files and folders are and what they are called. Changes hold the lock of the zone. */
@Injectable()
export class ItemTreeRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Locks a zone. `tree` blocks all other changes to its folders and files until the commit, so that two opposite moves
   * can't create a cycle. `files` allows concurrent uploads but no changes to the tree.
   * @returns the zone's name; null if it is deleted
   */
  async lockZone(em: EntityManager, zoneId: number, purpose: 'tree' | 'files'): Promise<string | null> {
    const rows = query<Tables>(em)
      .selectFrom('zones')
      .select('name')
      .where('id', '=', zoneId)
      .where('deleted_at', 'is', null);
    const zone = await (purpose === 'tree' ? rows.forNoKeyUpdate() : rows.forShare()).executeTakeFirst();
    return zone?.name ?? null;
  }

  /** Returns the depth of a folder in its zone, 1 at the root; null if it is not, or no longer, in this zone. */
  async findFolderDepth(em: EntityManager, zoneId: number, folderId: number): Promise<number | null> {
    const result = await sql<{ depth: number | null }>`
      with recursive above as (
        select id, parent_id, 1 as level from folders
        where id = ${folderId} and zone_id = ${zoneId} and trashed_at is null
        union all
        select p.id, p.parent_id, a.level + 1 from above a join folders p on p.id = a.parent_id
        where a.level <= ${MAX_DEPTH}
      ) select max(level) as depth from above`.execute(query<Tables>(em));
    const depth = result.rows[0]?.depth ?? null;
    return depth === null ? null : Number(depth);
  }

  /**
   * Inserts a folder; the zone must be locked with `tree`.
   * @returns its id; null if the name is taken
   */
  async insertFolder(em: EntityManager, folder: NewFolder): Promise<number | null> {
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
    return row ? Number(row.id) : null;
  }

  /**
   * Inserts folders with different places; the zone must be locked with `tree`, and the places must be free.
   * @param places names normalised by `normaliseName` or `cleanName`
   */
  async insertFolders(
    em: EntityManager,
    { zoneId, createdById, at }: Pick<NewFolder, 'zoneId' | 'createdById' | 'at'>,
    places: readonly ItemPlace[],
  ): Promise<ChildFolder[]> {
    if (places.length === 0) return [];
    const { rows } = await sql<ChildFolder>`
      insert into folders (name, name_key, zone_id, parent_id, created_by_id, created_at, updated_at)
      select p.name, p.key, ${zoneId}::bigint, nullif(p.parent, 0), ${createdById}::bigint, ${at}::timestamptz, ${at}::timestamptz from ${placesSql(places)}
      returning id, name, parent_id as "parentId", false as "isMirror"`.execute(query<Tables>(em));
    return rows;
  }

  /** Returns the folders that exist at these places. */
  async findChildFolders(em: EntityManager, zoneId: number, places: readonly ItemPlace[]): Promise<ChildFolder[]> {
    if (places.length === 0) return [];
    const { rows } = await sql<ChildFolder>`
      select f.id, f.name, f.parent_id as "parentId",
        exists (select 1 from folder_mirrors r where r.target_folder_id = f.id) as "isMirror"
      from ${placesSql(places)} join folders f on f.zone_id = ${zoneId} and coalesce(f.parent_id, 0) = p.parent
        and f.name_key = p.key and f.trashed_at is null`.execute(query<Tables>(em));
    return rows;
  }

  /** Returns the files that exist at these places. */
  async findChildFiles(em: EntityManager, zoneId: number, places: readonly ItemPlace[]): Promise<ChildFile[]> {
    if (places.length === 0) return [];
    const { rows } = await sql<ChildFile>`
      select f.id, f.original_name as name, f.folder_id as "parentId", f.size
      from ${placesSql(places)} join files f on f.zone_id = ${zoneId} and coalesce(f.folder_id, 0) = p.parent
        and f.name_key = p.key and f.trashed_at is null`.execute(query<Tables>(em));
    return rows;
  }

  /** Returns those of the names that already exist in a folder, in their original spelling. */
  async findTakenNames(
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
   * Returns the paths of many folders in a single query, each from the root of its zone to the folder itself. Includes
   * folders in the trash.
   */
  async findFolderPaths(folderIds: readonly number[]): Promise<Map<number, FolderPathDto[]>> {
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
      select of, id, name from above order by of, level desc`.execute(query<Tables>(this.em));
    for (const { of, id, name } of rows) {
      const path = paths.get(of) ?? [];
      paths.set(of, path);
      path.push({ id, name });
    }
    return paths;
  }

  /** Returns those of the files that are in the zone and not in the trash, by id. */
  async findFiles(em: EntityManager, zoneId: number, ids: readonly number[]): Promise<SelectedFile[]> {
    const { rows } = await sql<SelectedFile>`
      select id, original_name as name, folder_id as "folderId" from files
      where id = any(${[...ids]}::bigint[]) and zone_id = ${zoneId} and trashed_at is null order by id`.execute(
      query<Tables>(em),
    );
    return rows;
  }

  /** Returns those of the folders that are in the zone and not in the trash, by id. */
  async findFolders(em: EntityManager, zoneId: number, ids: readonly number[]): Promise<SelectedFolder[]> {
    const { rows } = await sql<SelectedFolder>`
      select f.id, f.name, f.parent_id as "parentId",
        exists (select 1 from folder_mirrors r where r.target_folder_id = f.id) as "isMirror"
      from folders f where f.id = any(${[...ids]}::bigint[]) and f.zone_id = ${zoneId} and f.trashed_at is null
      order by f.id`.execute(query<Tables>(em));
    return rows;
  }

  /** Returns whether a folder is one of the given folders or inside one of them. */
  async isInside(em: EntityManager, folderId: number, ancestorIds: readonly number[]): Promise<boolean> {
    const { rows } = await sql`
      with recursive above as (
        select id, parent_id, 1 as level from folders where id = ${folderId}
        union all
        select p.id, p.parent_id, a.level + 1 from above a join folders p on p.id = a.parent_id
        where a.level < ${MAX_DEPTH}
      ) select 1 from above where id = any(${[...ancestorIds]}::bigint[]) limit 1`.execute(query<Tables>(em));
    return rows.length > 0;
  }

  /** Returns how many levels of folders the highest of these folders has, itself included. */
  async measureHeight(em: EntityManager, folderIds: readonly number[]): Promise<number> {
    const { rows } = await sql<{ height: number }>`
      with recursive below as (
        select id, 1 as level from folders where id = any(${[...folderIds]}::bigint[])
        union all
        select f.id, b.level + 1 from below b join folders f on f.parent_id = b.id and f.trashed_at is null
        where b.level <= ${MAX_DEPTH}
      ) select max(level) as height from below`.execute(query<Tables>(em));
    return rows[0]!.height;
  }

  /** Moves files into a folder under new names. */
  async moveFiles(em: EntityManager, folderId: number | null, files: readonly NamedItem[]): Promise<void> {
    if (files.length === 0) return;
    await sql`update files f set folder_id = ${folderId}, original_name = n.name, name_key = n.key, updated_at = ${this.clock.now()}
      from ${namedItemsSql(files)} where f.id = n.id`.execute(query<Tables>(em));
  }

  /** Moves folders into a folder under new names. */
  async moveFolders(em: EntityManager, folderId: number | null, folders: readonly NamedItem[]): Promise<void> {
    if (folders.length === 0) return;
    await sql`update folders f set parent_id = ${folderId}, name = n.name, name_key = n.key, updated_at = ${this.clock.now()}
      from ${namedItemsSql(folders)} where f.id = n.id`.execute(query<Tables>(em));
  }

  /** @returns its parent folder; null if it was deleted, `taken` if the name is; the transaction is then aborted */
  async renameFolder(
    em: EntityManager,
    id: number,
    name: string,
    at: Date,
  ): Promise<{ parentId: number | null } | 'taken' | null> {
    const renamed = query<Tables>(em)
      .updateTable('folders')
      .set({ name, name_key: normaliseForComparison(name), updated_at: at })
      .where('id', '=', id)
      .where('trashed_at', 'is', null)
      .returning('parent_id as parentId');
    return takenIfViolated('folders_zone_id_parent_id_name_key_unique', renamed.executeTakeFirst());
  }

  /** @returns its folder; null if it was deleted, `taken` if the name is; the transaction is then aborted */
  async renameFile(
    em: EntityManager,
    id: number,
    name: string,
    at: Date,
  ): Promise<{ folderId: number | null } | 'taken' | null> {
    const renamed = query<Tables>(em)
      .updateTable('files')
      .set({ original_name: name, name_key: normaliseForComparison(name), updated_at: at })
      .where('id', '=', id)
      .where('trashed_at', 'is', null)
      .returning('folder_id as folderId');
    return takenIfViolated('files_zone_id_folder_id_name_key_unique', renamed.executeTakeFirst());
  }

  /**
   * Sets what members may do with a file; undefined permissions stay unchanged.
   * @returns false if the file was deleted
   */
  async updatePermissions(
    id: number,
    { allowDownload, allowText }: { allowDownload?: boolean | undefined; allowText?: boolean | undefined },
  ): Promise<boolean> {
    const updated = await query<Tables>(this.em)
      .updateTable('files')
      .set({ allow_download: allowDownload, allow_text: allowText, updated_at: this.clock.now() })
      .where('id', '=', id)
      .where('trashed_at', 'is', null)
      .executeTakeFirst();
    return updated.numUpdatedRows > 0n;
  }

  /** Returns the name of a folder of the zone that is no mount folder; null if there is none. */
  async findOwnFolderName(em: EntityManager, zoneId: number, folderId: number): Promise<string | null> {
    const source = await query<Tables>(em)
      .selectFrom('folders as f')
      .leftJoin('folder_mirrors as r', 'r.target_folder_id', 'f.id')
      .select('f.name')
      .where('f.id', '=', folderId)
      .where('f.zone_id', '=', zoneId)
      .where('f.trashed_at', 'is', null)
      .where('r.id', 'is', null)
      .executeTakeFirst();
    return source?.name ?? null;
  }

  /**
   * Deletes the mirror of a mount folder. A trigger deletes the mount folder.
   * @returns the name of the mount folder; null if the mirror was already deleted
   */
  async deleteMirror(em: EntityManager, mountId: number): Promise<string | null> {
    const folder = await query<Tables>(em)
      .selectFrom('folders')
      .select('name')
      .where('id', '=', mountId)
      .executeTakeFirst();
    const deleted = await query<Tables>(em)
      .deleteFrom('folder_mirrors')
      .where('target_folder_id', '=', mountId)
      .executeTakeFirst();
    return folder && deleted.numDeletedRows > 0n ? folder.name : null;
  }
}

const namedItemsSql = (items: readonly NamedItem[]) => sql`
  unnest(${items.map(({ id }) => id)}::bigint[], ${items.map(({ name }) => name)}::text[],
    ${items.map(({ name }) => normaliseForComparison(name))}::text[]) as n (id, name, key)`;

const placesSql = (places: readonly ItemPlace[]) => sql`
  unnest(${places.map(({ parentId }) => parentId ?? 0)}::bigint[], ${places.map(({ name }) => name)}::text[],
    ${places.map(({ name }) => normaliseForComparison(name))}::text[]) as p (parent, name, key)`;

async function takenIfViolated<Row>(
  constraint: string,
  statement: Promise<Row | undefined>,
): Promise<Row | 'taken' | null> {
  try {
    return (await statement) ?? null;
  } catch (error) {
    if (isUniqueViolation(error, constraint)) return 'taken';
    throw error;
  }
}
