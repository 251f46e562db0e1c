import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from '../../zones/entities/zone.entity.js';

/**
 * A folder of a zone; a null `parentId` means the zone's root. Names sort by Turkish collation, with numbers compared
 * by value.
 */
export const FolderSchema = defineEntity({
  name: 'Folder',
  tableName: 'folders',
  indexes: [
    {
      // Includes the ids, so that a name search across a whole zone is an index-only scan.
      name: 'folders_zone_id_parent_id_name_key_unique',
      expression:
        'create unique index "folders_zone_id_parent_id_name_key_unique" on "folders" ("zone_id", coalesce("parent_id", 0), "name_key") include ("id", "parent_id", "search_key") where "trashed_at" is null',
    },
    {
      name: 'folders_search_key_trigram_index',
      expression:
        'create index "folders_search_key_trigram_index" on "folders" using gin ("search_key" gin_trgm_ops) where "trashed_at" is null',
    },
    {
      name: 'folders_zone_id_parent_id_name_index',
      expression:
        'create index "folders_zone_id_parent_id_name_index" on "folders" ("zone_id", coalesce("parent_id", 0), "name", "id") where "trashed_at" is null',
    },
    { name: 'folders_parent_id_index', properties: ['parentId'] },
    { name: 'folders_zone_id_index', properties: ['zoneId'] },
    { name: 'folders_created_by_id_index', properties: ['createdById'] },
    { name: 'folders_trash_id_index', properties: ['trashId'], where: 'trash_id is not null' },
  ],
  checks: [{ name: 'folders_trash_check', expression: '(trashed_at is null) = (trash_id is null)' }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    name: p.string().length(255).collation('tr_numeric'),
    /** The name normalised by `normaliseForComparison`; unique among siblings, excluding the trash. */
    nameKey: p.text(),
    /** The name without accents for searching, truncated so that it fits into an index beside the name. */
    searchKey: p.text().nullable().generated('("left"(search_fold(name_key), 300)) stored'),
    zoneId: () => p.manyToOne(Zone).mapToPk().fieldName('zone_id').deleteRule('cascade'),
    parentId: () => p.manyToOne(Folder).mapToPk().nullable().fieldName('parent_id').deleteRule('cascade'),
    createdById: () => p.manyToOne(User).mapToPk().nullable().fieldName('created_by_id').deleteRule('set null'),
    trashedAt: p.datetime().nullable(),
    /** Shared by everything that one deletion moved to the trash. */
    trashId: p.uuid().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export class Folder extends FolderSchema.class {}
FolderSchema.setClass(Folder);
